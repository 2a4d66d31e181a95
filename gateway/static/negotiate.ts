// Selects a response's format and encoding by Accept and Accept-Encoding (RFC 9110, section 12.5).

import { type Range, ranges, weightNamed, weightOfType } from '#http/accept.ts'

export type PageForm = 'html' | 'markdown'

/** The response format for a missing or deleted page. */
export type MissingForm = PageForm | 'problem'

export type Coding = 'br' | 'gzip' | 'identity'

export type Preference = {
  /** The format of a page that exists as HTML and Markdown. */
  readonly page: PageForm
  readonly missing: MissingForm
  /** Every acceptable encoding, best first. Always includes identity. */
  readonly codings: readonly Coding[]
}

/** Equal weights go to the smallest response: for HTML, that's brotli, then gzip. */
const codingsBySize: readonly Coding[] = ['br', 'gzip', 'identity']

/**
 * Markdown is for clients that list it or reject HTML. A browser sends a wildcard, and must never
 * get Markdown source. If a client lists both, it gets HTML only if HTML has the greater weight.
 */
function pageForm(all: readonly Range[]): PageForm {
  const markdown = weightNamed(all, 'text/markdown')
  if (weightNamed(all, 'text/html') === 0 && markdown !== 0) return 'markdown'
  if (markdown === undefined || markdown === 0) return 'html'
  return markdown >= weightOfType(all, 'text/html') ? 'markdown' : 'html'
}

/** A client that doesn't list HTML is a program, and gets Markdown with links. */
function textForm(all: readonly Range[]): PageForm {
  if (pageForm(all) === 'markdown') return 'markdown'
  const html = Math.max(
    weightNamed(all, 'text/html') ?? 0,
    weightNamed(all, 'application/xhtml+xml') ?? 0,
  )
  return html > 0 ? 'html' : 'markdown'
}

/** JSON is for clients that give it the greatest weight. */
function missingForm(all: readonly Range[]): MissingForm {
  const named = (...types: string[]) => Math.max(...types.map(type => weightNamed(all, type) ?? 0))
  const json = named('application/json', 'application/problem+json')
  const others = named('text/html', 'application/xhtml+xml', 'text/markdown')
  return json > others ? 'problem' : textForm(all)
}

function codingsOf(header: string | null): readonly Coding[] {
  // Without the header every encoding is allowed, but clients that don't send it usually can't
  // decode any.
  if (header === null) return ['identity']
  const all = ranges(header)
  const weight = (coding: Coding): number => {
    const named = weightNamed(all, coding)
    const alias = coding === 'gzip' ? weightNamed(all, 'x-gzip') : undefined
    return named ?? alias ?? weightNamed(all, '*') ?? 0
  }
  // Identity is acceptable even if the header doesn't list it, but comes after the listed
  // encodings.
  const mentioned = weightNamed(all, 'identity')
  const weights = new Map(codingsBySize.map(coding => [coding, weight(coding)]))
  weights.set('identity', mentioned ?? 0)
  const wanted = codingsBySize
    .filter(coding => (weights.get(coding) ?? 0) > 0)
    .sort((one, other) => (weights.get(other) ?? 0) - (weights.get(one) ?? 0))
  // Sends identity if nothing else is acceptable, even if the client rejects it, because RFC 9110,
  // section 12.5.3 prefers that to an error.
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
 * Caches preferences by the raw headers, because clients send only a few dozen pairs. Headers
 * longer than any browser's aren't cached, which limits memory use.
 */
export function cachedPreferences(
  limit = 1024,
): (accept: string | null, acceptEncoding: string | null) => Preference {
  const known = new Map<string | null, Map<string | null, Preference>>()
  let count = 0
  return (accept, acceptEncoding) => {
    const before = known.get(accept)?.get(acceptEncoding)
    if (before !== undefined) return before
    const preference = preferenceOf(accept, acceptEncoding)
    if (`${accept}\n${acceptEncoding}`.length > 512) return preference
    if (count++ % limit === 0) known.clear()
    known.set(accept, (known.get(accept) ?? new Map()).set(acceptEncoding, preference))
    return preference
  }
}
