// What pages are made of. The code of the pages is compiled once; each build and each save in the
// preview gives it the words anew, so nothing here reads a file or remembers an older text.

import type { Change } from './render/machine.ts'

export type Heading = { depth: number; slug: string; text: string }

/** Markdown as the pages show it, with what the engine found in it. */
export type Rendered = { html: string; headings: Heading[] }

/** An entry by its name, as its schema typed it. */
export type Stored<Data = unknown> = Rendered & { id: string; data: Data; body: string }

/** Each collection by its name, each entry in it by its own. */
export type Collections = ReadonlyMap<string, ReadonlyMap<string, Stored>>

type Bytes = Uint8Array<ArrayBuffer>

export type Given = {
  collections: Collections
  /** What the build before says of itself. */
  changesBefore: readonly Change[]
  /** What was drawn for the same words before, or is drawn now and kept. */
  keepPicture: (words: string, draw: () => Promise<Bytes>) => Promise<Bytes>
}

let current: Given | undefined

export function give(given: Given): void {
  current = given
}

export function given(): Given {
  if (current === undefined) throw new Error('No words were given yet: call give() first.')
  return current
}

/** What a page is made of, in a few letters: `getStaticPaths` gives it as Astro's `cacheKey`. */
export const keyOf = (props: object): string =>
  new Bun.CryptoHasher('sha256').update(JSON.stringify(props)).digest('hex')

/** Worked out once for all pages, and again when other words are given. */
export function once<Value>(make: () => Value): () => Value {
  let known: { of: Given; value: Value } | undefined
  return () => {
    const now = given()
    if (known?.of !== now) known = { of: now, value: make() }
    return known.value
  }
}
