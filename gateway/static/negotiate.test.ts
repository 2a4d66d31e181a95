import { describe, expect, test } from 'bun:test'
import {
  type Coding,
  type MissingForm,
  type PageForm,
  preferenceOf,
  cachedPreferences,
} from './negotiate.ts'

const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8'

const forms: readonly [accept: string | null, page: PageForm, missing: MissingForm][] = [
  [null, 'html', 'markdown'],
  ['', 'html', 'markdown'],
  ['*/*', 'html', 'markdown'],
  ['text/*', 'html', 'markdown'],
  ['text/html', 'html', 'html'],
  ['TEXT/HTML', 'html', 'html'],
  ['application/xhtml+xml', 'html', 'html'],
  [browser, 'html', 'html'],
  ['application/json', 'html', 'problem'],
  ['text/markdown', 'markdown', 'markdown'],
  ['Text/Markdown', 'markdown', 'markdown'],
  ['text/markdown; charset=utf-8', 'markdown', 'markdown'],
  ['text/markdown;variant=GFM', 'markdown', 'markdown'],
  ['text/markdown, */*', 'markdown', 'markdown'],
  ['text/markdown, text/html', 'markdown', 'markdown'],
  ['text/html, text/markdown', 'markdown', 'markdown'],
  ['text/markdown, text/html;q=0.9, */*;q=0.1', 'markdown', 'markdown'],
  ['text/html, text/markdown;q=0.5', 'html', 'html'],
  ['text/html;q=0.5, text/markdown', 'markdown', 'markdown'],
  ['text/html;q=0.5, text/markdown;q=0.5', 'markdown', 'markdown'],
  ['text/markdown;q=0', 'html', 'markdown'],
  ['text/markdown;q=0, */*', 'html', 'markdown'],
  ['text/markdown;q=0.0, text/html', 'html', 'html'],
  ['text/markdown;q=0.9, */*', 'html', 'markdown'],
  ['text/markdown;q=0.9, text/*', 'html', 'markdown'],
  ['text/markdown;q=0.9, text/*;q=0.8, */*', 'markdown', 'markdown'],
  ['text/markdown;q=0.9, text/html;q=0, */*', 'markdown', 'markdown'],
  ['text/html;q=0, */*', 'markdown', 'markdown'],
  ['text/html;q=0', 'markdown', 'markdown'],
  ['text/html;q=0.000, application/xhtml+xml', 'markdown', 'markdown'],
  ['text/html;q=0, text/markdown;q=0', 'html', 'markdown'],
  ['text/*;q=0, */*', 'html', 'markdown'],
  ['text/markdown ; q=0.4 , text/html ; q = 0.3', 'markdown', 'markdown'],
  ['text/markdown;q=0.001', 'markdown', 'markdown'],
  ['text/markdown;Q=0', 'html', 'markdown'],
  ['text/markdown;q=high', 'html', 'markdown'],
  ['text/markdown;q=2, text/html', 'html', 'html'],
  ['text/markdown;q=-1', 'html', 'markdown'],
  ['text/markdown;q=', 'html', 'markdown'],
  ['application/x;note="text/markdown, text/markdown"', 'html', 'markdown'],
  ['application/x;note="a\\",b", text/markdown', 'markdown', 'markdown'],
  ['text/html;level=1;q=0.1, text/html, text/markdown;q=0.5', 'html', 'html'],
  ['text/html;level=1, text/html;q=0.1, text/markdown;q=0.5', 'markdown', 'markdown'],
  ['text/markdownish', 'html', 'markdown'],
  [',,;,;q=1,text/markdown', 'markdown', 'markdown'],
]

const codings: readonly [acceptEncoding: string | null, order: Coding[]][] = [
  [null, ['identity']],
  ['', ['identity']],
  ['gzip', ['gzip', 'identity']],
  ['x-gzip', ['gzip', 'identity']],
  ['gzip, deflate, br', ['br', 'gzip', 'identity']],
  ['gzip, deflate, br, zstd', ['br', 'gzip', 'identity']],
  ['GZIP', ['gzip', 'identity']],
  ['*', ['br', 'gzip', 'identity']],
  ['*;q=0', ['identity']],
  ['identity', ['identity']],
  ['identity;q=0, br', ['br', 'identity']],
  ['identity;q=0', ['identity']],
  ['br;q=0, *', ['gzip', 'identity']],
  ['br;q=0, gzip', ['gzip', 'identity']],
  ['br;q=0.1, gzip;q=0.9', ['gzip', 'br', 'identity']],
  ['gzip;q=0.8, zstd, br;q=0.8', ['br', 'gzip', 'identity']],
  ['identity, br;q=0.5', ['identity', 'br']],
  ['identity;q=0.5, br;q=0.5', ['br', 'identity']],
  ['br;q=junk, gzip', ['gzip', 'identity']],
  ['brotli', ['identity']],
]

describe('negotiation: a page’s format', () => {
  for (const [accept, page, missing] of forms) {
    test(`${accept ?? 'no Accept'} → ${page}, and ${missing} for a missing page`, () => {
      const preference = preferenceOf(accept, null)
      expect([preference.page, preference.missing]).toEqual([page, missing])
    })
  }
})

/** A deleted page gets the same response as a missing page, unless JSON is preferred. */
const goneForms: readonly [accept: string | null, gone: MissingForm][] = [
  [null, 'markdown'],
  ['*/*', 'markdown'],
  ['application/*', 'markdown'],
  [browser, 'html'],
  ['text/markdown', 'markdown'],
  ['application/json', 'problem'],
  ['Application/Problem+JSON', 'problem'],
  ['application/json;charset=utf-8', 'problem'],
  ['application/json, text/plain, */*', 'problem'],
  ['application/json;q=0.1, */*', 'problem'],
  ['application/json;q=0', 'markdown'],
  ['application/json, text/html', 'html'],
  ['application/json, text/markdown', 'markdown'],
  ['application/json;q=0.9, text/html;q=0.8', 'problem'],
  ['application/json;q=0.1, application/problem+json, text/html;q=0.8', 'problem'],
  ['application/json;q=0.8, application/xhtml+xml', 'html'],
]

describe('negotiation: a deleted page’s format', () => {
  for (const [accept, gone] of goneForms) {
    test(`${accept ?? 'no Accept'} → ${gone}`, () => {
      expect(preferenceOf(accept, null).missing).toBe(gone)
    })
  }
})

describe('negotiation: content coding', () => {
  for (const [header, order] of codings) {
    test(`${header ?? 'no Accept-Encoding'} → ${order.join(', ')}`, () => {
      expect([...preferenceOf(null, header).codings]).toEqual(order)
    })
  }
})

describe('negotiation: cached preferences', () => {
  test('equal the computed ones, and an absent header differs from the text null', () => {
    const cached = cachedPreferences(3)
    for (let round = 0; round < 2; round++) {
      for (const [accept] of forms) {
        for (const [encoding] of codings) {
          expect(cached(accept, encoding)).toEqual(preferenceOf(accept, encoding))
        }
      }
    }
  })

  test('headers over 512 characters aren’t cached, so no client fills the memory', () => {
    const cached = cachedPreferences()
    // With the line break and both `br`s, the headers have 512 and 513 characters.
    const [longest, tooLong] = ['a'.repeat(509), 'a'.repeat(510)]
    expect(cached(longest, 'br')).toBe(cached(longest, 'br'))
    expect(cached(tooLong, 'br')).not.toBe(cached(tooLong, 'br'))
  })

  test('a header that is too long for the cache is still parsed', () => {
    const long = `${'application/x, '.repeat(200)}text/markdown`
    expect(cachedPreferences()(long, 'br').page).toBe('markdown')
  })
})
