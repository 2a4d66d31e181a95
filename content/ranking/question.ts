import { emergencyTerm, isUrgent } from './emergency.ts'
import { gistOf } from './gist.ts'
import { pairsOf, processTerm, processTerms, termsIn, tokenize } from './terms.ts'

let last: { query: string; terms: readonly string[] } | undefined

/** A question's terms, sorted and unique, so the order of its words changes neither its answer
 *  nor its key. Caches the last question, because a request reads its terms more than once. */
export function termsOf(query: string): readonly string[] {
  if (last?.query !== query) last = { query, terms: makeTerms(query) }
  return last.terms
}

function makeTerms(query: string): string[] {
  const name = query.trim().replace(/^[`'"“]+|[`'"”?]+$/g, '')
  const isCode = /^(?:[a-z]+ (?=\/))?[\w./:{}-]{3,80}$/i.test(name)
  const { asks, aside } = gistOf(query)
  const words = tokenize(asks)
  const known = processTerms(words)
  const urgent = isUrgent(aside === '' ? words : tokenize(query)) ? [emergencyTerm] : []
  const codes = isCode ? [name] : (asks.match(code) ?? [])
  const names = [...urgent, ...codes.map(nameTerm), topicTerm(known)]
  const asides = termsIn(aside).map(asideTerm)
  const all = new Set([...names, ...known, ...pairsOf(known), ...asides])
  return [...all].sort()
}

/** A name in code among other words: `consent_required when I file a case`. */
const code = /\b[A-Za-z]+(?:[._][A-Za-z0-9]+)+\b|\b[a-z]+[A-Z]\w+/g

/** A word in a sentence that doesn't ask. */
const asideTerm = (term: string) => `~${term}`
export const isAside = (term: string) => term.startsWith('~')
export const wordOf = (term: string) => (isAside(term) ? term.slice(1) : term)

/**
 * A question that is only a name in code, such as `createPatient`, `case.queued.v1` or `POST
 * /v1/cases`, is also its own term. No word in a text starts with the term's `=`.
 */
export const nameTerm = (name: string) => `=${name.toLowerCase()}`
export const isName = (term: string) => term.startsWith('=')

export const isTopic = (name: string) => name.startsWith('=~')

/** The term for a question that is only a topic's name, in any order and form of its words. */
export const topicTerm = (terms: readonly string[]) => `=~${[...new Set(terms)].sort().join('-')}`

/**
 * Finds the question's words that matched a page: all of the words if they're the page's name.
 * Stems each word once, not once per page.
 */
export function wordMatcher(query: string): (link: { asked: readonly string[] }) => string[] {
  const words = [...new Set(tokenize(query))]
  const terms = words.map(processTerm)
  return ({ asked }) => {
    const matched = words.filter((_, at) => asked.includes(terms[at] ?? ''))
    return matched.length > 0 ? matched : words
  }
}

/** A question's last word while it's being typed; undefined once a space follows it. */
export function typedWord(query: string): string | undefined {
  return /\s$/.test(query) ? undefined : tokenize(query).at(-1)
}
