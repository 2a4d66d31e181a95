import { processTerm, tokenize } from '../ranking/terms.ts'
import { type Entry, valueOf } from '../read.ts'
import type { Finding } from './finding.ts'
import { at } from './frontmatter.ts'

// Whether a page answers what its frontmatter promises that it answers, as far as words can tell.

/** How much of a question's substance one section has to name for it to be its answer. */
const shareMin = 2 / 3

const stems = new Map<string, string | null>()

function stemOf(word: string): string | null {
  const known = stems.get(word)
  if (known !== undefined) return known
  const made = processTerm(word)
  stems.set(word, made)
  return made
}

function stemsOf(text: string): Set<string> {
  return new Set([...new Set(tokenize(text))].flatMap(word => stemOf(word) ?? []))
}

/** Words that ask, or that any answer may do without: nobody looks for them in a text. */
const asking = stemsOf(
  'ask choose company different enough exist explain find good happen help know learn left like ' +
    'long look many mean need often possible say show soon tell telehealth use work',
)

const textOf = (value: unknown): string =>
  typeof value === 'object' && value !== null
    ? Object.values(value).map(textOf).join(' ')
    : String(value)

/**
 * A question of which no section names two thirds is not answered there, or in other words than
 * readers use: `/ask` finds it as badly as they do. A page with a computed block is left alone,
 * because its words are not all in its file.
 */
export function checkQuestions(entry: Entry): Finding[] {
  const questions = valueOf(entry, 'questions')
  if (!Array.isArray(questions) || valueOf(entry, 'draft') === true) return []
  if (/^\[\[[a-z-]+\]\]$/m.test(entry.body)) return []
  const [opening = '', ...rest] = entry.body.split(/\n(?=##)/)
  const heads = ['title', 'description', 'verdict'].map(key => textOf(valueOf(entry, key)))
  const criteria = valueOf(entry, 'criteria')
  const parts = [opening, ...rest, ...(Array.isArray(criteria) ? criteria.map(textOf) : [])]
  // What the page is about, which a section need not repeat.
  const named = [...heads, opening].join(' ').toLowerCase()
  const sections = parts.map(part => part.toLowerCase())
  return questions.flatMap((question, index) => {
    const terms = substanceOf(String(question))
    const unnamed = terms.filter(term => !says(named, beginningOf(term)))
    const missing = sections.map(said => unnamed.filter(term => !says(said, beginningOf(term))))
    const fewest = missing.toSorted((one, other) => one.length - other.length)[0] ?? terms
    if (terms.length - fewest.length >= shareMin * terms.length) return []
    return [unanswered(entry, index, String(question), fewest)]
  })
}

/** Nothing of a question that nobody has written yet, which is told already. */
const substanceOf = (question: string): string[] =>
  question.startsWith('WRITE: ') ? [] : [...stemsOf(question)].filter(term => !asking.has(term))

/** What every form of a word begins with: of “retri”, “retr”; of “file”, which files, “fil”. */
const beginningOf = (term: string) => term.replace(/(?<=..)[ei]$/, '')

/**
 * Whether a word of a text in small letters begins so. No list of its words is made, because there
 * may be a million of them.
 */
function says(text: string, beginning: string): boolean {
  for (let at = text.indexOf(beginning); at >= 0; at = text.indexOf(beginning, at + 1)) {
    if (at === 0 || !/[a-z0-9]/.test(text.charAt(at - 1))) return true
  }
  return false
}

function unanswered(entry: Entry, index: number, question: string, terms: string[]): Finding {
  const words = tokenize(question).filter(word => terms.includes(stemOf(word) ?? ''))
  return {
    path: entry.path,
    ...at(entry, ['questions', index]),
    rule: 'X-unanswered',
    message: `no section answers it: the nearest one never says ${words.join(', ')}`,
    fix: 'answer it in a section of its own, in the words of the question, or ask what the text answers',
    level: 'warning',
  }
}
