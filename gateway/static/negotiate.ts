// What a client asked for by Accept and Accept-Encoding, as RFC 9110 sections 12.4 and 12.5 read
// them.

import { Memory } from '#database/memory.ts'

export type PageForm = 'html' | 'markdown'

/** What was taken down is known by name, so a program that asks for JSON is told in JSON. */
export type GoneForm = PageForm | 'problem'

export type Coding = 'br' | 'zstd' | 'gzip' | 'identity'

export type Preference = {
  /** The form of a page that exists in both. */
  readonly page: PageForm
  /** The form of the page that says nothing is here. */
  readonly missing: PageForm
  /** The form of what says that a page was taken down. */
  readonly gone: GoneForm
  /** Every coding that may be sent, the best first; identity is always somewhere in it. */
  readonly codings: readonly Coding[]
}

type Range = { readonly name: string; readonly exact: boolean; readonly weight: number }

/** Equal weights go to the smaller answer: on our pages brotli, then zstd, then gzip. */
const ourOrder: readonly Coding[] = ['br', 'zstd', 'gzip', 'identity']

/** The grammar of RFC 9110 allows three decimals; more are harmless, so they are taken. */
const weightShape = /^(?:0(?:\.\d*)?|1(?:\.0*)?)$/

/** A quoted parameter may hold the commas and semicolons that otherwise separate. */
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

/** A range whose weight is no weight is left out: to read it as 0 or as 1 would be a guess. */
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

/** The weight that the named ranges give, or nothing when none of them is there. */
function weightNamed(all: readonly Range[], name: string): number | undefined {
  let best: number | undefined
  let bestIsExact = false
  for (const range of all) {
    if (range.name !== name) continue
    // `text/markdown;variant=GFM` still names markdown, but a range without a foreign parameter
    // says more.
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
 * Markdown is for a client that names it: a browser sends a wildcard too, and must never be given
 * source text. Between both, HTML needs the greater weight.
 */
function pageForm(all: readonly Range[]): PageForm {
  const markdown = weightNamed(all, 'text/markdown') ?? 0
  return markdown > 0 && markdown >= weightOfType(all, 'text/html') ? 'markdown' : 'html'
}

/** A client that does not ask for HTML by name is a program, and gets links it can follow. */
function missingForm(all: readonly Range[]): PageForm {
  if (pageForm(all) === 'markdown') return 'markdown'
  const html = Math.max(
    weightNamed(all, 'text/html') ?? 0,
    weightNamed(all, 'application/xhtml+xml') ?? 0,
  )
  return html > 0 ? 'html' : 'markdown'
}

/** JSON is for a client that names it, and wants it more than whatever else it names. */
function goneForm(all: readonly Range[]): GoneForm {
  const named = (...types: string[]) => Math.max(...types.map(type => weightNamed(all, type) ?? 0))
  const json = named('application/json', 'application/problem+json')
  const others = named('text/html', 'application/xhtml+xml', 'text/markdown')
  return json > others ? 'problem' : missingForm(all)
}

function codingsOf(header: string | null): readonly Coding[] {
  // No header permits anything, but the clients that send none are the ones that cannot decode.
  if (header === null) return ['identity']
  const all = ranges(header)
  const weight = (coding: Coding): number => {
    const named = weightNamed(all, coding)
    const alias = coding === 'gzip' ? weightNamed(all, 'x-gzip') : undefined
    return named ?? alias ?? weightNamed(all, '*') ?? 0
  }
  // Identity that nobody mentions is acceptable, and less wanted than whatever was mentioned.
  const mentioned = weightNamed(all, 'identity')
  const weights = new Map(ourOrder.map(coding => [coding, weight(coding)]))
  weights.set('identity', mentioned ?? 0)
  const wanted = ourOrder
    .filter(coding => (weights.get(coding) ?? 0) > 0)
    .sort((one, other) => (weights.get(other) ?? 0) - (weights.get(one) ?? 0))
  // Even a refused identity is sent when nothing else fits: section 12.5.3 prefers that to an
  // error.
  return wanted.includes('identity') ? wanted : [...wanted, 'identity']
}

export function preferenceOf(accept: string | null, acceptEncoding: string | null): Preference {
  const all = ranges(accept ?? '')
  return {
    page: pageForm(all),
    missing: missingForm(all),
    gone: goneForm(all),
    codings: codingsOf(acceptEncoding),
  }
}

/**
 * The same answers, remembered by the raw headers: the clients of a site send a few dozen pairs.
 * Headers longer than any browser's are worked out afresh, so that nobody can fill the memory.
 */
export function cachedPreferences(
  limit = 1024,
): (accept: string | null, acceptEncoding: string | null) => Preference {
  const known = new Memory<string, Preference>(limit)
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
