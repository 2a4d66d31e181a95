import type { Counted } from '#content/postings.ts'
import { processTerm } from '#content/search.ts'
import { grown, Vocabulary } from './words.ts'

/** A question counts for its page as often as this. */
export const questionWeight = 2

/** How many different words a page has, with its questions and without them. */
export type Length = { served: number; blind: number }

type Terms = Pick<Counted, 'terms' | 'standing'>

/** What says nothing about its page has no term. */
const none = -1

/**
 * Counts the terms of one page after another, all as numbers: a thousand articles have a million
 * words, which are the same few thousand again and again.
 */
export class Counter {
  readonly #vocabulary = new Vocabulary()
  readonly #terms: string[] = []
  readonly #numberOf = new Map<string, number>()
  /** By word: its term, and the page on which it was seen last. */
  #termOf = new Int32Array(1 << 12)
  #wordSeen = new Int32Array(1 << 12)
  /** By term: the page on which it was seen last, and its place for that page below. */
  #termSeen = new Int32Array(1 << 12)
  #place = new Uint32Array(1 << 12)
  /** Page by page, each term of it: how often it stands in the text, and in the questions. */
  #term = new Uint32Array(1 << 14)
  #page = new Uint32Array(1 << 14)
  #inText = new Uint32Array(1 << 14)
  #inQuestions = new Uint32Array(1 << 14)
  #places = 0

  /** Pages are counted in the order of their numbers, which begin with 0. */
  count(text: string, questions: string, page: number): Length {
    let known = 0
    const see = (word: number): number => {
      if (word === this.#vocabulary.words.length - 1) this.#learn(word)
      if (this.#wordSeen[word] !== page + 1) known++
      this.#wordSeen[word] = page + 1
      const term = this.#termOf[word] ?? none
      return term === none ? none : this.#placeOf(term, page)
    }
    this.#vocabulary.read(text, word => {
      const place = see(word)
      if (place !== none) this.#inText[place] = (this.#inText[place] ?? 0) + 1
    })
    const blind = known
    this.#vocabulary.read(questions, word => {
      const place = see(word)
      if (place !== none) this.#inQuestions[place] = (this.#inQuestions[place] ?? 0) + 1
    })
    return { served: known, blind }
  }

  #learnt = 0

  #learn(word: number): void {
    if (word < this.#learnt) return
    this.#learnt = word + 1
    if (word === this.#termOf.length) {
      this.#termOf = grown(this.#termOf)
      this.#wordSeen = grown(this.#wordSeen)
      this.#termSeen = grown(this.#termSeen)
      this.#place = grown(this.#place)
    }
    const stem = processTerm(this.#vocabulary.words[word] ?? '')
    this.#termOf[word] = stem === null ? none : this.#numberOfTerm(stem)
  }

  #numberOfTerm(stem: string): number {
    const known = this.#numberOf.get(stem)
    if (known !== undefined) return known
    this.#numberOf.set(stem, this.#terms.length)
    return this.#terms.push(stem) - 1
  }

  #placeOf(term: number, page: number): number {
    if (this.#termSeen[term] === page + 1) return this.#place[term] ?? 0
    const place = this.#places++
    if (place === this.#term.length) {
      this.#term = grown(this.#term)
      this.#page = grown(this.#page)
      this.#inText = grown(this.#inText)
      this.#inQuestions = grown(this.#inQuestions)
    }
    this.#term[place] = term
    this.#page[place] = page
    this.#termSeen[term] = page + 1
    this.#place[term] = place
    return place
  }

  /** As the index is served, and as it would be without the questions of the pages. */
  terms(): { served: Terms; blind: Terms } {
    const order = [...this.#terms.keys()].sort((one, other) =>
      (this.#terms[one] ?? '') < (this.#terms[other] ?? '') ? -1 : 1,
    )
    const text = this.#inText.subarray(0, this.#places)
    const times = text.map((often, at) => often + questionWeight * (this.#inQuestions[at] ?? 0))
    return { served: this.#sorted(order, times), blind: this.#sorted(order, text) }
  }

  /** Terms by the alphabet, and for each its pages in the order in which they were counted. */
  #sorted(order: readonly number[], times: Uint32Array): Terms {
    const sizes = new Uint32Array(this.#terms.length)
    for (let at = 0; at < times.length; at++) if (times[at] !== 0) bump(sizes, this.#term[at] ?? 0)
    const known = order.filter(term => sizes[term] !== 0)
    const next = new Uint32Array(this.#terms.length)
    const starts = new Uint32Array(known.length + 1)
    for (const [at, term] of known.entries()) {
      next[term] = starts[at] ?? 0
      starts[at + 1] = (starts[at] ?? 0) + (sizes[term] ?? 0)
    }
    const sorted = { pages: new Uint32Array(times.length), times: new Uint32Array(times.length) }
    for (let at = 0; at < times.length; at++) {
      const term = this.#term[at] ?? 0
      if (times[at] === 0) continue
      sorted.pages[next[term] ?? 0] = this.#page[at] ?? 0
      sorted.times[next[term] ?? 0] = times[at] ?? 0
      bump(next, term)
    }
    const standing = (at: number) => ({ ...sorted, from: starts[at] ?? 0, to: starts[at + 1] ?? 0 })
    return { terms: known.map(term => this.#terms[term] ?? ''), standing }
  }
}

const bump = (numbers: Uint32Array, at: number) => {
  numbers[at] = (numbers[at] ?? 0) + 1
}
