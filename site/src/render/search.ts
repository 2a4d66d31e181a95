import type { Counted } from '#content/postings.ts'
import { nameTerm } from '#content/rank.ts'
import { isReference, problemPath } from '#content/reference.ts'
import { processTerm, type SearchDocument, tokenize } from '#content/search.ts'

export type SearchPage = {
  url: string
  title: string
  description: string
  questions: string[]
  text: string
  /** What the page is called where it is code: whoever asks for exactly that wants this page. */
  names?: string[]
}

const titleWeight = 3
const questionWeight = 2

/**
 * One field of text in which a title and the questions a page answers count more by standing there
 * more often.
 */
export function searchDocument(page: SearchPage): SearchDocument {
  const { url, title, description } = page
  const questions = Array<string>(questionWeight).fill(questionsOf(page))
  return { url, title, description, text: [textOf(page), ...questions].join('\n') }
}

function textOf({ title, description, text }: SearchPage): string {
  const prose = text.replace(/^(`{3,})[\s\S]*?^\1\s*$/gm, ' ').replace(/\]\([^)]*\)/g, '] ')
  return [...Array<string>(titleWeight).fill(title), description, prose].join('\n')
}

const questionsOf = ({ questions }: SearchPage) => questions.join(' ')

/** The index that is served, and the same without the questions that pages promise to answer. */
export function searchIndexes(unsorted: SearchPage[]): { served: Counted; blind: Counted } {
  const pages = unsorted.toSorted((a, b) => a.url.localeCompare(b.url))
  const counter = new Counter()
  const lengths = pages.map((page, at) => counter.count(textOf(page), questionsOf(page), at))
  const terms = [...counter.terms].sort(([a], [b]) => (a < b ? -1 : 1))
  const index = (which: 'served' | 'blind'): Counted => {
    const known = terms.filter(([, word]) => word[which].pages.length > 0)
    const none = { pages: [], times: [] }
    return {
      ...headOf(
        pages,
        lengths.map(length => length[which]),
      ),
      terms: known.map(([term]) => term),
      standing: term => known[term]?.[1][which] ?? none,
    }
  }
  return { served: index('served'), blind: index('blind') }
}

export const searchIndex = (pages: SearchPage[]): Counted => searchIndexes(pages).served

/** All but the terms, as MiniSearch names it. */
function headOf(pages: SearchPage[], lengths: number[]): Omit<Counted, 'terms' | 'standing'> {
  const named = pages.flatMap(({ url, names = [] }) =>
    names.filter(name => isCode(name, url)).map(name => [nameTerm(name), url]),
  )
  // Pages of the reference are a few words each: counted in, they would make every text a long one.
  const texts = lengths.filter((_, at) => !isReference(pages[at]?.url ?? ''))
  const total = texts.reduce((sum, length) => sum + length, 0)
  const numbered = <Value>(value: (page: SearchPage, at: number) => Value) =>
    Object.fromEntries(pages.map((page, at) => [at, value(page, at)]))
  return {
    documentCount: pages.length,
    nextId: pages.length,
    documentIds: numbered(({ url }) => url),
    fieldIds: { text: 0 },
    fieldLength: numbered((_, at) => [lengths[at] ?? 0]),
    averageFieldLength: [total / Math.max(1, texts.length)],
    storedFields: numbered(({ url, title, description }) => ({ url, title, description })),
    dirtCount: 0,
    serializationVersion: 2,
    named: Object.fromEntries(named.sort(([a = ''], [b = '']) => (a < b ? -1 : 1))),
  }
}

/**
 * The index as MiniSearch loads it. Pages go in by address, and terms by the alphabet, so the same
 * pages give the same bytes. It is written down from counts instead of being taken from MiniSearch
 * itself, which grows a tree for it first; a test holds the two to each other.
 */
export function indexText({ terms, standing, serializationVersion, named, ...head }: Counted) {
  const index = terms.map((term, at) => {
    const { pages, times } = standing(at)
    const counts = pages.map((page, place) => `"${page}":${times[place]}`)
    return `[${JSON.stringify(term)},{"0":{${counts.join(',')}}}]`
  })
  const tail = JSON.stringify({ serializationVersion, named })
  return `${JSON.stringify(head).slice(0, -1)},"index":[${index.join(',')}],${tail.slice(1)}`
}

/**
 * Not `Case` or `Event`: those are words, and who asks for them alone may mean anything. A code of
 * a problem means itself, whatever its form.
 */
const isCode = (name: string, url: string) =>
  /[._:/]|[a-z][A-Z]/.test(name) || url.startsWith(problemPath(''))

type Growing = { pages: number[]; times: number[] }
type Term = { served: Growing; blind: Growing }

/** A word, the page on which it was seen last, and its term, unless it says nothing. */
type Word = { seen: number; term: Term | undefined }

/**
 * Counts the terms of one page after another. A site says the same words on every page, and a stem
 * takes longer than a look, so each word is learnt once.
 */
class Counter {
  readonly #words = new Map<string, Word>()
  readonly terms = new Map<string, Term>()

  /** Answers with how many words the page knows, with its questions and without them. */
  count(text: string, questions: string, page: number): { served: number; blind: number } {
    let known = 0
    for (const written of tokenize(text)) {
      const word = this.#words.get(written) ?? this.#learn(written)
      if (word.seen !== page) known++
      word.seen = page
      if (word.term === undefined) continue
      add(word.term.served, page, 1)
      add(word.term.blind, page, 1)
    }
    const blind = known
    for (const written of tokenize(questions)) {
      const word = this.#words.get(written) ?? this.#learn(written)
      if (word.seen !== page) known++
      word.seen = page
      if (word.term !== undefined) add(word.term.served, page, questionWeight)
    }
    return { served: known, blind }
  }

  #learn(written: string): Word {
    const stem = processTerm(written)
    const word: Word = { seen: -1, term: stem === null ? undefined : this.terms.get(stem) }
    if (stem !== null && word.term === undefined) {
      word.term = { served: { pages: [], times: [] }, blind: { pages: [], times: [] } }
      this.terms.set(stem, word.term)
    }
    this.#words.set(written, word)
    return word
  }
}

function add({ pages, times }: Growing, page: number, often: number): void {
  const last = pages.length - 1
  if (pages[last] === page) times[last] = (times[last] ?? 0) + often
  else {
    pages.push(page)
    times.push(often)
  }
}
