import { emergencyTerm, isUrgent } from './emergency.ts'
import { gistOf } from './gist.ts'
import { pairsOf, processTerm, tokenize } from './terms.ts'

/** Sorted and once each: the order of a question's words changes neither its answer nor its key. */
export function termsOf(query: string): string[] {
  const name = query.trim().replace(/^[`'"“]+|[`'"”?]+$/g, '')
  const isCode = /^(?:[a-z]+ (?=\/))?[\w./:{}-]{3,80}$/i.test(name)
  const { asks, aside } = gistOf(query)
  const words = tokenize(asks)
  const known = words.flatMap(word => processTerm(word) ?? [])
  const pairs = pairsOf(words)
  const urgent = isUrgent(aside === '' ? words : tokenize(query)) ? [emergencyTerm] : []
  const codes = isCode ? [name] : (asks.match(code) ?? [])
  const names = [...urgent, ...codes.map(nameTerm), topicTerm(known)]
  const asides = tokenize(aside).flatMap(word => processTerm(word) ?? [])
  const all = new Set([...names, ...known, ...pairs, ...asides.map(asideTerm)])
  return [...all].sort()
}

/** A name in code among other words: `consent_required when I file a case`. */
const code = /\b[A-Za-z]+(?:[._][A-Za-z0-9]+)+\b|\b[a-z]+[A-Z]\w+/g

/** A word of a sentence that doesn't ask. */
const asideTerm = (term: string) => `~${term}`
export const isAside = (term: string) => term.startsWith('~')
export const wordOf = (term: string) => term.replace(/^~/, '')

/**
 * A question that is nothing but a name in code, such as `createPatient`, `case.queued.v1` or
 * `POST /v1/cases`, is also a term of its own. No word of a text begins like it.
 */
export const nameTerm = (name: string) => `=${name.toLowerCase()}`
export const isName = (term: string) => term.startsWith('=')

export const isTopic = (name: string) => name.startsWith('=~')

/** A question that is nothing but the name of a topic, in whichever order and form of its words. */
export const topicTerm = (terms: readonly string[]) => `=~${[...new Set(terms)].sort().join('-')}`

/** Finds the words of a question that a page was found by: all of them where they are its name.
 *  Stems each word once, not once a page. */
export function wordMatcher(query: string): (link: { asked: readonly string[] }) => string[] {
  const words = [...new Set(tokenize(query))]
  const terms = words.map(processTerm)
  return ({ asked }) => {
    const matched = words.filter((_, at) => asked.includes(terms[at] ?? ''))
    return matched.length > 0 ? matched : words
  }
}

/** The last word of a question while it is typed; undefined once it is finished by a space. */
export function typedWord(query: string): string | undefined {
  return /\s$/.test(query) ? undefined : tokenize(query).at(-1)
}
