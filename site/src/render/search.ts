import type { NamedIndex } from '#content/postings.ts'
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
  const prose = page.text.replace(/^(`{3,})[\s\S]*?^\1\s*$/gm, ' ').replace(/\]\([^)]*\)/g, '] ')
  const text = [
    ...Array<string>(titleWeight).fill(page.title),
    ...Array<string>(questionWeight).fill(page.questions.join(' ')),
    page.description,
    prose,
  ].join('\n')
  return { url: page.url, title: page.title, description: page.description, text }
}

/**
 * The index as MiniSearch loads it. Pages go in by address, and terms by the alphabet, so the same
 * pages give the same bytes. It is written down from counts instead of being taken from MiniSearch
 * itself, which grows a tree for it first; a test holds the two to each other.
 */
export function searchIndex(pages: SearchPage[]): NamedIndex {
  const documents = pages.map(searchDocument).sort((a, b) => a.url.localeCompare(b.url))
  const named = pages.flatMap(({ url, names = [] }) =>
    names.filter(name => isCode(name, url)).map(name => [nameTerm(name), url]),
  )
  const terms = new Map<string, Posting[]>()
  const lengths = documents.map(({ text }, at) => count(text, at, terms))
  // Pages of the reference are a few words each: counted in, they would make every text a long one.
  const texts = lengths.filter((_, at) => !isReference(documents[at]?.url ?? ''))
  const total = texts.reduce((sum, length) => sum + length, 0)
  const numbered = <Value>(value: (document: SearchDocument, at: number) => Value) =>
    Object.fromEntries(documents.map((document, at) => [at, value(document, at)]))
  return {
    documentCount: documents.length,
    nextId: documents.length,
    documentIds: numbered(({ url }) => url),
    fieldIds: { text: 0 },
    fieldLength: numbered((_, at) => [lengths[at] ?? 0]),
    averageFieldLength: [total / Math.max(1, texts.length)],
    storedFields: numbered(({ url, title, description }) => ({ url, title, description })),
    dirtCount: 0,
    index: [...terms]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([term, found]) => [term, { 0: Object.fromEntries(found) }]),
    serializationVersion: 2,
    named: Object.fromEntries(named.sort(([a = ''], [b = '']) => (a < b ? -1 : 1))),
  }
}

/**
 * Not `Case` or `Event`: those are words, and who asks for them alone may mean anything. A code of
 * a problem means itself, whatever its form.
 */
const isCode = (name: string, url: string) =>
  /[._:/]|[a-z][A-Z]/.test(name) || url.startsWith(problemPath(''))

type Posting = [page: number, times: number]

/** Counts the terms of one page into all of them; answers with how many words it knows. */
function count(text: string, page: number, all: Map<string, Posting[]>): number {
  const words = new Set<string>()
  const terms = new Map<string, number>()
  for (const word of tokenize(text)) {
    words.add(word)
    const term = rememberedTerm(word)
    if (term !== null) terms.set(term, (terms.get(term) ?? 0) + 1)
  }
  for (const [term, times] of terms) {
    const found = all.get(term)
    if (found === undefined) all.set(term, [[page, times]])
    else found.push([page, times])
  }
  return words.size
}

const remembered = new Map<string, string | null>()

/** A site says the same words on every page, and a stem takes longer than a look. */
function rememberedTerm(word: string): string | null {
  const known = remembered.get(word)
  if (known !== undefined) return known
  const made = processTerm(word)
  remembered.set(word, made)
  return made
}
