// Finds ICD-10-CM codes by prefix, or by words in their title.

import { diagnosisLimits, dotted } from '#contract/console/notes.ts'
import { sql } from '#database/sql.ts'
import { codeList, newestYear } from '../diagnoses/code-list.ts'
import { read } from './handler.ts'

/** The maximum number of matches to sort. */
const candidatesMax = 1000

/** Returns word prefixes that must all be in a title; null if there are none. A number keeps its
 *  decimal point. */
const wordsOf = (q: string): string | null =>
  q
    .toLowerCase()
    .match(/[\p{L}\p{N}]+(?:\.\p{N}+)*/gu)
    ?.map(word => `${word}:*`)
    .join(' & ') ?? null

/** A letter with a digit starts a code. */
const startOf = (q: string): string | null =>
  /^[a-z]\d[0-9a-z]?\.?[0-9a-z]{0,4}$/i.test(q) ? dotted(q) : null

export const findDiagnoses = read('findDiagnoses', (call, { q }) => {
  const start = startOf(q.trim())
  const max = diagnosisLimits.shownMax
  return {
    rows: sql`
      with l as materialized (select ${newestYear(call.now)} as year),
      by_code as materialized (
        select d.code, d.title from records.diagnosis_codes d
         where d.year = (select year from l) and d.code >= ${start}::text
           and d.code < ${start}::text || '~' order by d.code limit ${max}::int),
      by_words as materialized (
        select d.code, d.title from (
          select * from records.diagnosis_codes
           where words @@ to_tsquery('simple', 'y' || (select year from l)::text || ' & '
                                               || ${wordsOf(q)}::text)
           limit ${candidatesMax}::int) d
         order by char_length(d.title), d.code limit ${max}::int),
      found as (
        select code, title, 0 as rank, 0 as length from by_code
         union all
        select code, title, 1, char_length(title) from by_words
         where code not in (select code from by_code)
         order by rank, length, code limit ${max}::int)
      select '' as id, json_build_object('list', ${codeList(call.now)}, 'data', (
        select coalesce(json_agg(json_build_object('code', code, 'title', title)
                                 order by rank, length, code), '[]') from found))::text as item`,
  }
})
