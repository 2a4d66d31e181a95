// The ICD-10-CM codes in notes, by fiscal year list (migrations/0018_records.sql).

import type { Fault } from '#contract/faults.ts'
import { invalid } from '#contract/problems.ts'
import { sql, type Statement } from '#database/sql.ts'

/** A list applies from October 1 of the previous year through September 30. */
export function fiscalYearOf(now: number): number {
  const day = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO('America/New_York')
  return day.month >= 10 ? day.year + 1 : day.year
}

type CodeList = { readonly year: number; readonly is_current: boolean }

/** The newest loaded year that has started; null if there's none. */
export const newestYear = (now: number): Statement => sql`(
  select max(year) from records.diagnosis_codes where year <= ${fiscalYearOf(now)}::int)`

/** Selects a `CodeList` or null. After its year ends, a list still finds codes but refuses none. */
export const codeList = (now: number): Statement => sql`(
  select json_build_object('year', l.year, 'is_current', l.year = ${fiscalYearOf(now)}::int)
    from (select ${newestYear(now)} as year) l where l.year is not null)`

type Coded = {
  readonly code: string
  readonly title: string | null
  /** Up to three listed codes to use instead; null if the code itself is listed. */
  readonly near: readonly string[] | null
}
export type CodeFacts = { readonly list: CodeList | null; readonly coded: readonly Coded[] }

/** Columns for `codesOf`. The nearest codes share the longest prefix; shorter codes come first. */
export const codeFacts = (now: number, codes: readonly string[]): Statement => sql`
  ${codeList(now)} as list, (
    select coalesce(json_agg(json_build_object('code', c.code, 'title', d.title, 'near',
             case when d.code is null then array(
               select n.code || ' (' || n.title || ')' from records.diagnosis_codes n
                where n.year = l.year and n.code >= left(c.code, 3)
                  and n.code < left(c.code, 3) || '~'
                order by (select count(*) from generate_series(1, char_length(c.code)) s
                           where starts_with(n.code, left(c.code, s::int))) desc,
                         char_length(n.code), n.code
                limit 3) end) order by c.at), '[]')
      from (select ${newestYear(now)} as year) l
     cross join unnest(${codes}::text[]) with ordinality c (code, at)
      left join records.diagnosis_codes d on d.year = l.year and d.code = c.code) as coded`

/** Returns the data a note stores about its codes, so later lists don't change the note. */
export function codesOf({ list, coded }: CodeFacts) {
  const faults = list?.is_current ? coded.flatMap((one, at) => faultOf(one, at, list)) : []
  if (faults.length > 0) throw invalid(faults)
  return coded.map(({ code, title }) => ({
    code,
    title,
    year: title === null ? null : (list?.year ?? null),
  }))
}

function faultOf({ code, near }: Coded, at: number, { year }: CodeList): Fault[] {
  if (near === null) return []
  const nearest = near.length === 0 ? '' : ` Nearest: ${near.join(', ')}.`
  const message = `${code} isn’t a billable code in the ICD-10-CM list for ${year}.${nearest}`
  return [{ pointer: `#/codes/${at}`, code: 'unknown_reference', message }]
}
