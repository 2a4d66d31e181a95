import { policyFor, policyForSvg } from './content-security.ts'
import type { Coding, Preference } from './negotiate.ts'
import { isText, mediaType, type SiteFile } from './files.ts'
import { siteHeaders } from './site-headers.ts'
import type { Placement } from './layout.ts'

/**
 * One answer in one coding, finished once and copied for each request. Copying a finished Response
 * was a fifth to a third faster than building one, because its headers need no parsing again.
 */
type Answers = {
  readonly etag: string
  readonly whole: Response
  readonly head: Response
  readonly notModified: Response
}

/** A file in every coding it exists in. */
export type Representation = { answersIn(coding: Coding): Answers | undefined }

/**
 * Answers are finished when they are first asked for: of a thousand articles in two forms and four
 * codings most never are, and finishing them all cost half a second and a hundred megabytes.
 */
export function represent(file: SiteFile, placement: Placement): Representation {
  const type = mediaType(file.path)
  const finished = new Map<Coding, Answers>()
  let common: Headers | undefined
  return {
    answersIn(coding) {
      const before = finished.get(coding)
      if (before !== undefined) return before
      const bytes = coding === 'identity' ? file.bytes : file.smaller.get(coding)
      if (bytes === undefined) return undefined
      common ??= headersOf(file, placement)
      const answers = answersFor(coding, bytes, type, common, placement.status)
      finished.set(coding, answers)
      return answers
    },
  }
}

/** The best coding that exists; identity exists always and is in every list of codings. */
export function answer(
  representation: Representation,
  preference: Preference,
  isHead: boolean,
  ifNoneMatch: string | null,
): Response {
  for (const coding of preference.codings) {
    const answers = representation.answersIn(coding)
    if (answers === undefined) continue
    if (ifNoneMatch !== null && matches(ifNoneMatch, answers.etag))
      return answers.notModified.clone()
    return (isHead ? answers.head : answers.whole).clone()
  }
  throw new Error('Every representation has an identity coding, and every preference ends with it.')
}

/** RFC 9110 section 13.1.2: a list, compared weakly; a tag may hold a comma, so it is not split. */
export function matches(ifNoneMatch: string, etag: string): boolean {
  if (etag === '') return false
  if (ifNoneMatch === etag || ifNoneMatch.trim() === '*') return true
  for (const [tag] of ifNoneMatch.matchAll(/"[^"]*"/g)) if (tag === etag) return true
  return false
}

/** Every header of an answer but its tag, its type and its coding. */
export function headersOf(file: SiteFile, placement: Placement): Headers {
  const type = mediaType(file.path)
  const headers = new Headers(siteHeaders.map(([name, value]) => [name, value]))
  headers.set('cache-control', cacheFor(file.path, placement.status))
  const varies = [
    ...(placement.variesOnAccept ? ['Accept'] : []),
    ...(isText(type) || file.smaller.size > 0 ? ['Accept-Encoding'] : []),
  ]
  if (varies.length > 0) headers.set('vary', varies.join(', '))
  if (placement.links.length > 0) headers.set('link', placement.links.join(', '))
  if (type.startsWith('text/html')) {
    headers.set('content-security-policy', policyFor(new TextDecoder().decode(file.bytes)))
  } else {
    // Everything but a page is there for programs, and some of those run inside other sites' pages.
    headers.set('access-control-allow-origin', '*')
    headers.set('access-control-expose-headers', 'API-Version, ETag, Link, RateLimit-Policy')
  }
  if (type === 'image/svg+xml') headers.set('content-security-policy', policyForSvg)
  if (type.startsWith('text/markdown')) headers.set('x-markdown-tokens', tokens(file.bytes))
  return headers
}

/** The bundler's files carry eight characters of the hash of their bytes before the extension. */
const hashed = /^\/(?:_astro|assets)\/[^/]+\.[\w-]{8}\.\w+$/

/**
 * A hashed name never changes its bytes. A page is fresh for five minutes in a browser and an hour
 * at a CDN, which may go on serving it for a day while it fetches the next.
 */
function cacheFor(path: string, status: number): string {
  if (status === 404) return 'public, max-age=60'
  if (status === 410) return 'public, max-age=300'
  if (hashed.test(path)) return 'public, max-age=31536000, immutable'
  return 'public, max-age=300, s-maxage=3600, stale-while-revalidate=86400'
}

/** An estimate, a quarter of the characters, for a reader that must decide whether it fits. */
function tokens(bytes: Uint8Array): string {
  return String(Math.ceil(new TextDecoder().decode(bytes).length / 4))
}

function answersFor(
  coding: Coding,
  bytes: Uint8Array<ArrayBuffer>,
  type: string,
  common: Headers,
  status: Placement['status'],
): Answers {
  // A missing page is told from its own bytes by nobody, so only what exists is worth a tag.
  const etag = status === 200 ? etagOf(bytes, coding) : ''
  const conditional = new Headers(common)
  if (etag !== '') conditional.set('etag', etag)
  const headers = new Headers(conditional)
  headers.set('content-type', type)
  if (coding !== 'identity') headers.set('content-encoding', coding)
  const headHeaders = new Headers(headers)
  headHeaders.set('content-length', String(bytes.length))
  return {
    etag,
    whole: new Response(new Blob([bytes]), { status, headers }),
    head: new Response(null, { status, headers: headHeaders }),
    notModified: new Response(null, { status: 304, headers: conditional }),
  }
}

/** Of the bytes sent, so it is strong, and the same on every node that has the same build. */
function etagOf(bytes: Uint8Array, coding: Coding): string {
  const hash = new Bun.CryptoHasher('sha256').update(bytes).digest('base64url').slice(0, 22)
  return coding === 'identity' ? `"${hash}"` : `"${hash}-${coding}"`
}
