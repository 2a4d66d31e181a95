import { headings, partsOf } from './blocks.ts'
import type { Entry } from '../entry.ts'
import type { Finding } from '../finding.ts'

// Checks how a text reads: its reading grade, its headings, and numbers without a source.

/** The highest Flesch-Kincaid grade allowed, by class. */
const grades = { care: 9, others: 11 }

/** The formula isn't reliable below this many words. */
const wordsMin = 200

const classesOf = (entry: Entry): string[] => {
  const data: Record<string, unknown> = { ...(entry.data as object) }
  return Array.isArray(data['class']) ? data['class'].map(String) : []
}

export function checkReading(entry: Entry): Finding[] {
  const classes = classesOf(entry)
  const found = (line: number, rule: string, message: string, fix: string): Finding => {
    return { path: entry.path, line, column: 1, rule, message, fix, level: 'warning' }
  }
  const grade = gradeOf(entry)
  const most = classes.includes('C') ? grades.care : grades.others
  return [
    ...(grade > most
      ? [
          found(
            entry.bodyStart,
            'P-grade',
            `the reading grade must not exceed ${most}, and it is ${grade.toFixed(1)}`,
            'shorten the sentences and the longest words',
          ),
        ]
      : []),
    ...headings(entry)
      .filter(({ text }) => passive.test(text))
      .map(({ line }) =>
        found(line, 'P-passive', 'a heading must not be passive', 'name who does what'),
      ),
    ...(classes.includes('C') || classes.includes('L') ? checkNumbers(entry) : []),
  ]
}

const passive =
  /\b(is|are|was|were|been|being|be)\s+(\w+ly\s+)?(\w+ed|sent|made|given|taken|kept|shown|written|done|held|built|paid|known)\b(\s+by\b|$)/i

/** Sentences in running text: no code, table, list, heading, quotation or URL. */
function proseOf(entry: Entry): string[] {
  return partsOf(entry)
    .filter(({ kind }) => kind === 'text')
    .flatMap(({ text }) => text.match(/^(?![|>#\-*\d!<[\s])[^\n]+$/gm) ?? [])
    .map(line => line.replaceAll(/`[^`]*`/g, 'code').replaceAll(/\]\([^)]*\)/g, ']'))
    .flatMap(line => line.split(/(?<=[.!?:;])\s+/))
}

/** A text's length and reading grade; a short text's grade is 0. */
export const measuresOf = (entry: Entry): { words: number; grade: number } => ({
  words: entry.body.split(/\s+/).filter(Boolean).length,
  grade: gradeOf(entry),
})

/** The Flesch-Kincaid grade, from words per sentence and syllables per word. */
function gradeOf(entry: Entry): number {
  const sentences = proseOf(entry)
  const words = sentences.flatMap(sentence => sentence.match(/[a-z’']+/gi) ?? [])
  if (words.length < wordsMin) return 0
  const syllables = words.reduce((sum, word) => sum + syllablesOf(word), 0)
  return 0.39 * (words.length / sentences.length) + 11.8 * (syllables / words.length) - 15.59
}

const counted = new Map<string, number>()

/** Counts groups of vowels without a silent final e, which is right for nine words in ten. */
function syllablesOf(word: string): number {
  const known = counted.get(word)
  if (known !== undefined) return known
  const bare = word.toLowerCase().replace(/(?<=[^aeiouyl])(?:es?|ed)$/, '')
  const made = Math.max(1, bare.match(/[aeiouy]+/g)?.length ?? 1)
  counted.set(word, made)
  return made
}

/** Requires a link in each paragraph with a percentage or an amount, in texts about care or law. */
function checkNumbers(entry: Entry): Finding[] {
  return partsOf(entry)
    .filter(({ kind }) => kind === 'text')
    .flatMap(part =>
      [...part.text.matchAll(/^(?![|#>]).*?(\d[\d,.]*\s?(%|percent\b)|\$\d[\d,.]*).*$/gm)]
        .filter(([line]) => !line.includes(']('))
        .map(hit => ({
          path: entry.path,
          ...part.place(hit.index + hit[0].indexOf(hit[1] ?? '')),
          rule: 'C-number',
          message: `${hit[1] ?? 'a number'} must have a source`,
          fix: 'link the source in the same paragraph',
          level: 'warning' as const,
        })),
    )
}
