// Checks product numbers on a page. A number that differs from the contract is an error. A correct
// number is a warning, because the page's number won't change with the contract.
import { contractNumbers, numberWords, written } from '../numbers.ts'
import { partsOf } from './blocks.ts'
import type { Entry } from '../entry.ts'
import type { Finding } from '../finding.ts'

type ContractNumber = [placeholder: string, number: { value: number; unit: string; beside: RegExp }]
const known = Object.entries(contractNumbers).flatMap(
  ([name, { value, unit, beside }]): ContractNumber[] =>
    unit === undefined || beside === undefined ? [] : [[name, { value, unit, beside }]],
)
const units = [...new Set(known.map(([, { unit }]) => unit))]
const singular = units.map(unit => unit.replace(/s$/, ''))
const pattern = new RegExp(
  `(?<![\\w.,{-])(\\d[\\d,]*(?:\\.\\d+)?|${[...numberWords.keys()].join('|')})` +
    `(?:\\s+(?:printable|ASCII|failed))*\\s+(${singular.join('s?|')}s?)\\b`,
  'gi',
)

/** Where a sentence, a table row or a list item ends. */
const boundary = /[.!?](?=\s)|\n\s*\n|\n(?=\||\s*(?:[-*]|\d+\.) )/g

function sentenceAt(text: string, from: number, to: number): string {
  let start = 0
  for (const { index, 0: end } of text.matchAll(boundary)) {
    if (index >= to) return text.slice(start, index)
    if (index + end.length <= from) start = index + end.length
  }
  return text.slice(start)
}

export function checkNumbers(entry: Entry): Finding[] {
  const parts = partsOf(entry).filter(({ kind }) => kind === 'text')
  return parts.flatMap(part =>
    [...part.text.matchAll(pattern)].flatMap((hit): Finding[] => {
      const [all, number = '', spelled = ''] = hit
      const unit = units.find(one => one.replace(/s$/, '') === spelled.replace(/s$/, '')) ?? ''
      const value = numberWords.get(number.toLowerCase()) ?? Number(number.replaceAll(',', ''))
      const sentence = sentenceAt(part.text, hit.index, hit.index + all.length)
      const candidates = known.filter(
        ([, one]) => one.unit === unit && one.beside.test(sentence.replace(/\s+/g, ' ')),
      )
      // A heading's words form its anchor.
      const isHeading = sentence.trimStart().startsWith('#')
      if (candidates.length === 0) return []
      const right = candidates.find(([, one]) => one.value === value)
      const where = { path: entry.path, ...part.place(hit.index) }
      const rule = 'N-contract'
      if (right === undefined) {
        const must = candidates.map(([, one]) => `${written(one.value)} ${one.unit}`).join(' or ')
        const message = `“${all.replace(/\s+/g, ' ')}” must be ${must}, as the contract says`
        const fix = `write {${candidates.map(([name]) => name).join('} or {')}}`
        return [{ ...where, rule, message, fix }]
      }
      if (isHeading) return []
      const [name] = right
      const form = /\d/.test(number) ? '' : /^[A-Z]/.test(number) ? ':Word' : ':word'
      const text = `{${name}${form}}`
      const message = `${number} is a number from the contract`
      const edit = { line: where.line, column: where.column, length: number.length, text }
      return [{ ...where, rule, message, fix: `write ${text}`, level: 'warning', edit }]
    }),
  )
}
