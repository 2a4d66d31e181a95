// Parses Accept and Accept-Encoding by RFC 9110, sections 12.4 and 12.5.

import { LRUCache } from 'lru-cache'

export type PageForm = 'html' | 'markdown'

/** The form of the answer for a page that does not exist or was deleted. */
export type MissingForm = PageForm | 'problem'

export type Coding = 'br' | 'zstd' | 'gzip' | 'identity'

export type Preference = {
  /** The format of a page that exists in both. */
  readonly page: PageForm
  /** The format of the answer for a page that does not exist or was deleted. */
  readonly missing: MissingForm
  /** Every acceptable coding, best first; always includes identity. */
  readonly codings: readonly Coding[]
}

type Range = { readonly name: string; readonly exact: boolean; readonly weight: number }

/** Equal weights go to the smallest answer: for HTML brotli, then zstd, then gzip. */
const codingsBySize: readonly Coding[] = ['br', 'zstd', 'gzip', 'identity']

/** RFC 9110 allows three decimals; more are accepted. */
const weightShape = /^(?:0(?:\.\d*)?|1(?:\.0*)?)$/

/** Commas and semicolons in a quoted parameter do not separate. */
function split(text: string, separator: ',' | ';'): string[] {
  if (!text.includes('"')) return text.split(separator)
  const parts: string[] = []
  let start = 0
  let quoted = false
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (quoted && character === '\\') at++
    else if (character === '"') quoted = !quoted
    else if (character === separator && !quoted) {
      parts.push(text.slice(start, at))
      start = at + 1
    }
  }
  parts.push(text.slice(start))
  return parts
}

/** Ranges with an invalid weight are ignored. */
function ranges(header: string): Range[] {
  const found: Range[] = []
  for (const part of split(header, ',')) {
    const [first = '', ...parameters] = split(part, ';')
    const name = first.trim().toLowerCase()
    if (name === '') continue
    let weight: number | undefined = 1
    let exact = true
    for (const parameter of parameters) {
      const text = parameter.trim().toLowerCase()
      if (/^q\s*=/.test(text)) weight = weightOf(text.slice(text.indexOf('=') + 1).trim())
      else if (text !== '' && text !== 'charset=utf-8' && text !== 'charset="utf-8"') exact = false
    }
    if (weight !== undefined) found.push({ name, exact, weight })
  }
  return found
}

function weightOf(text: string): number | undefined {
  return weightShape.test(text) ? Number(text) : undefined
}

/** The weight of the ranges with this name; undefined if there is none. */
function weightNamed(all: readonly Range[], name: string): number | undefined {
  let best: number | undefined
  let bestIsExact = false
  for (const range of all) {
    if (range.name !== name) continue
    // `text/markdown;variant=GFM` names Markdown too, but a range without other parameters takes
    // precedence.
    if (best === undefined || (range.exact && !bestIsExact)) best = range.weight
    else if (range.exact === bestIsExact) best = Math.max(best, range.weight)
    bestIsExact ||= range.exact
  }
  return best
}

function weightOfType(all: readonly Range[], type: string): number {
  const family = `${type.slice(0, type.indexOf('/'))}/*`
  return weightNamed(all, type) ?? weightNamed(all, family) ?? weightNamed(all, '*/*') ?? 0
}

/**
 * Markdown is for clients that name it: a browser sends a wildcard, and must never get source text.
 * If both are named, HTML needs the greater weight.
 */
function pageForm(all: readonly Range[]): PageForm {
  const markdown = weightNamed(all, 'text/markdown') ?? 0
  return markdown > 0 && markdown >= weightOfType(all, 'text/html') ? 'markdown' : 'html'
}

/** A client that does not name HTML is a program, and gets Markdown with links. */
function textForm(all: readonly Range[]): PageForm {
  if (pageForm(all) === 'markdown') return 'markdown'
  const html = Math.max(
    weightNamed(all, 'text/html') ?? 0,
    weightNamed(all, 'application/xhtml+xml') ?? 0,
  )
  return html > 0 ? 'html' : 'markdown'
}

/** JSON is for clients that name it with the greatest weight. */
function missingForm(all: readonly Range[]): MissingForm {
  const named = (...types: string[]) => Math.max(...types.map(type => weightNamed(all, type) ?? 0))
  const json = named('application/json', 'application/problem+json')
  const others = named('text/html', 'application/xhtml+xml', 'text/markdown')
  return json > others ? 'problem' : textForm(all)
}

function codingsOf(header: string | null): readonly Coding[] {
  // Without the header every coding is allowed, but clients that send none usually cannot decode.
  if (header === null) return ['identity']
  const all = ranges(header)
  const weight = (coding: Coding): number => {
    const named = weightNamed(all, coding)
    const alias = coding === 'gzip' ? weightNamed(all, 'x-gzip') : undefined
    return named ?? alias ?? weightNamed(all, '*') ?? 0
  }
  // Identity is acceptable if it is not mentioned, after the codings that are.
  const mentioned = weightNamed(all, 'identity')
  const weights = new Map(codingsBySize.map(coding => [coding, weight(coding)]))
  weights.set('identity', mentioned ?? 0)
  const wanted = codingsBySize
    .filter(coding => (weights.get(coding) ?? 0) > 0)
    .sort((one, other) => (weights.get(other) ?? 0) - (weights.get(one) ?? 0))
  // Identity is sent if nothing else is acceptable, even if it is refused: RFC 9110, section 12.5.3
  // prefers that to an error.
  return wanted.includes('identity') ? wanted : [...wanted, 'identity']
}

export function preferenceOf(accept: string | null, acceptEncoding: string | null): Preference {
  const all = ranges(accept ?? '')
  return {
    page: pageForm(all),
    missing: missingForm(all),
    codings: codingsOf(acceptEncoding),
  }
}

/**
 * Caches preferences by the raw headers, because clients send only a few dozen pairs. Headers that
 * are longer than any browser's are not cached, which bounds the memory.
 */
export function cachedPreferences(
  limit = 1024,
): (accept: string | null, acceptEncoding: string | null) => Preference {
  const known = new LRUCache<string, Preference>({ max: limit })
  return (accept, acceptEncoding) => {
    const key = `${accept}\n${acceptEncoding}`
    const before = known.get(key)
    if (before !== undefined) return before
    const preference = preferenceOf(accept, acceptEncoding)
    if (key.length > 512) return preference
    known.set(key, preference)
    return preference
  }
}
