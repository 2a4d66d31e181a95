import { processTerm, termsIn, tokenize } from '../ranking/terms.ts'
import { type Entry, valueOf } from '../entry.ts'
import type { Finding } from '../finding.ts'
import { at } from './frontmatter.ts'

// Checks whether a page's words answer the questions in its frontmatter.

/** The share of a question's terms that one section must contain. */
const shareMin = 2 / 3

/** Question words, and words that an answer doesn't have to repeat. */
const asking = new Set(
  termsIn(
    'ask choose company different enough exist explain find good happen help know learn left like ' +
      'long look many mean need often possible say show soon tell telehealth use work',
  ),
)

const textOf = (value: unknown): string =>
  typeof value === 'object' && value !== null
    ? Object.values(value).map(textOf).join(' ')
    : String(value)

/**
 * Reports a question if no section has two thirds of the question's words: either the page doesn't
 * answer the question, or the answer uses words that readers don't, and `/ask` won't find the page.
 * A page with a computed block is skipped, because its text is incomplete.
 */
export function checkQuestions(entry: Entry): Finding[] {
  const questions = valueOf(entry, 'questions')
  if (!Array.isArray(questions) || valueOf(entry, 'draft') === true) return []
  if (/^\[\[[a-z-]+\]\]$/m.test(entry.body)) return []
  const [opening = '', ...rest] = entry.body.split(/\n(?=##)/)
  const heads = ['title', 'description', 'verdict'].map(key => textOf(valueOf(entry, key)))
  const criteria = valueOf(entry, 'criteria')
  const parts = [opening, ...rest, ...(Array.isArray(criteria) ? criteria.map(textOf) : [])]
  // The page's subject, which a section need not repeat.
  const named = [...heads, opening].join(' ').toLowerCase()
  const sections = parts.map(part => part.toLowerCase())
  return questions.flatMap((question, index) => {
    const terms = termsOf(String(question))
    const unnamed = terms.filter(term => !contains(named, beginningOf(term)))
    const missing = sections.map(text => unnamed.filter(term => !contains(text, beginningOf(term))))
    const fewest = missing.toSorted((one, other) => one.length - other.length)[0] ?? terms
    if (terms.length - fewest.length >= shareMin * terms.length) return []
    return [unanswered(entry, index, String(question), fewest)]
  })
}

/** Returns no terms for an unwritten question, which another rule reports. */
const termsOf = (question: string): string[] =>
  question.startsWith('WRITE: ')
    ? []
    : [...new Set(termsIn(question))].filter(term => !asking.has(term))

/** The start that all forms of a word share: “retr” for “retri”, “fil” for “file”. */
const beginningOf = (term: string) => term.replace(/(?<=..)[ei]$/, '')

/** Whether a word in lowercase text starts like this. Doesn't split the text, because it may
 *  have a million words. */
function contains(text: string, beginning: string): boolean {
  for (let at = text.indexOf(beginning); at >= 0; at = text.indexOf(beginning, at + 1)) {
    if (at === 0 || !/[a-z0-9]/.test(text.charAt(at - 1))) return true
  }
  return false
}

function unanswered(entry: Entry, index: number, question: string, terms: string[]): Finding {
  const words = tokenize(question).filter(word => terms.includes(processTerm(word) ?? ''))
  return {
    path: entry.path,
    ...at(entry, ['questions', index]),
    rule: 'X-unanswered',
    message: `a section must answer the question; the closest one lacks ${words.join(', ')}`,
    fix: "answer it in its own section, in the question's words, or change the question",
    level: 'warning',
  }
}
