import type { AsPlainObject } from 'minisearch'
import { isReference } from './reference.ts'
import { bm25 } from './search.ts'

/**
 * The index that a build wrote, as arrays of numbers: for each term the pages that hold it, and
 * what each scores for it. The scores never change while an index is loaded, so a question adds.
 */
export type Postings = {
  /** In alphabetical order; the place of a term here is its number. */
  readonly terms: readonly string[]
  readonly numberOf: ReadonlyMap<string, number>
  /** Those of term `n` are `places[starts[n]]` up to and without `places[starts[n + 1]]`. */
  readonly starts: Uint32Array
  readonly places: Uint32Array
  readonly scores: Float64Array
  /** By address, so that of two pages that are equally good the first comes first. */
  readonly pages: readonly Page[]
  /** The place of the page that each name in code is the name of. */
  readonly named: ReadonlyMap<string, number>
}

/** What a build writes: an index as MiniSearch loads it, and beside it the names of pages. */
export type NamedIndex = AsPlainObject & { readonly named?: Readonly<Record<string, string>> }

/**
 * Where a term stands: the numbers of pages, ascending, and how often it stands in each. Those
 * between `from` and `to`, because the lists may be those of all terms.
 */
export type Standing = {
  readonly pages: ArrayLike<number>
  readonly times: ArrayLike<number>
  readonly from: number
  readonly to: number
}

/** The same before it is written, or after it was read: no large one is an object as a whole. */
export type Counted = Omit<NamedIndex, 'index'> & {
  /** In alphabetical order. */
  readonly terms: readonly string[]
  standing(term: number): Standing
}

export function countedIn(parsed: NamedIndex): Counted {
  const field = Object.values(parsed.fieldIds)[0] ?? 0
  const index = parsed.index.toSorted(([one], [other]) => (one < other ? -1 : 1))
  return {
    ...parsed,
    terms: index.map(([term]) => term),
    standing(term) {
      const counts = index[term]?.[1][field] ?? {}
      const pages = Object.keys(counts).map(Number)
      return { pages, times: Object.values(counts), from: 0, to: pages.length }
    },
  }
}

export type Page = { readonly url: string; readonly title: string; readonly description: string }

/**
 * A page of the reference is short and made of names, which outweighs prose that explains them. It
 * is for who asks by name; a question in words is answered by a guide.
 */
const referenceWeight = 0.5
const weightOf = (url: string) => (isReference(url) ? referenceWeight : 1)

/** How many postings are scored between two steps: a millisecond's worth. */
const postingsPerStep = 10_000

/** In steps, so that whoever calls a gateway that loads a new build waits for one step only. */
export function* readPostings(index: Counted): Generator<void, Postings, void> {
  const { pages, placeOf, weights, norms } = pagesOf(index)
  const { documentCount, terms } = index
  const starts = new Uint32Array(terms.length + 1)
  let [places, scores] = [new Uint32Array(4096), new Float64Array(4096)]
  let [end, rest] = [0, postingsPerStep]
  for (const number of terms.keys()) {
    starts[number] = end
    const { pages: ids, times, from, to } = index.standing(number)
    const held = to - from
    // How MiniSearch scores, to the last bit: rarer terms tell more, repetition ever less.
    const rarity = Math.log(1 + (documentCount - held + 0.5) / (held + 0.5))
    if (end + held > places.length) {
      const length = 2 * (end + held)
      places = grown(places, new Uint32Array(length))
      scores = grown(scores, new Float64Array(length))
    }
    for (let at = from; at < to; at++) {
      const [place, count] = [placeOf[ids[at] ?? 0] ?? 0, times[at] ?? 0]
      const share = (count * (bm25.k + 1)) / (count + (norms[place] ?? 0))
      places[end] = place
      scores[end] = rarity * (bm25.d + share) * (weights[place] ?? 0)
      end++
    }
    rest -= held
    if (rest < 0) {
      rest = postingsPerStep
      yield
    }
  }
  starts[terms.length] = end
  const numberOf = new Map(terms.map((term, number) => [term, number]))
  const placeAt = new Map(pages.map(({ url }, place) => [url, place]))
  const named = Object.entries(index.named ?? {}).flatMap(([name, url]): [string, number][] => {
    const place = placeAt.get(url)
    return place === undefined ? [] : [[name, place]]
  })
  return {
    terms,
    numberOf,
    starts,
    places: places.slice(0, end),
    scores: scores.slice(0, end),
    pages,
    named: new Map(named),
  }
}

function grown<Numbers extends Uint32Array | Float64Array>(from: Numbers, to: Numbers): Numbers {
  to.set(from)
  return to
}

function pagesOf(parsed: Counted) {
  const field = Object.values(parsed.fieldIds)[0] ?? 0
  const listed = Object.entries(parsed.documentIds)
    .map(([id, url]) => ({ id: Number(id), url: String(url), ...textsOf(parsed.storedFields[id]) }))
    .toSorted((one, other) => (one.url < other.url ? -1 : 1))
  const average = parsed.averageFieldLength[field] ?? 1
  const placeOf = new Uint32Array(parsed.nextId)
  const weights = Float64Array.from(listed, ({ url }) => weightOf(url))
  const norms = Float64Array.from(listed, ({ id }, place) => {
    placeOf[id] = place
    const length = parsed.fieldLength[id]?.[field] ?? 0
    return bm25.k * (1 - bm25.b + (bm25.b * length) / average)
  })
  const pages = listed.map(({ url, title, description }) => ({ url, title, description }))
  return { pages, placeOf, weights, norms }
}

const textsOf = ({ title, description }: Record<string, unknown> = {}) => ({
  title: String(title),
  description: String(description),
})
