import { type Preference, cachedPreferences } from './negotiate.ts'
import { answer, part, refusal, type Representation, represent } from './representation.ts'
import { readRedirects, readSite } from './files.ts'
import { siteHeaders } from './site-headers.ts'
import type { FinishFiles } from './files.ts'
import { type Layout, layOut, type Placed, type Row } from './layout.ts'
import { Problem } from '#contract/problems.ts'
import { splitUrl } from '#http/split-url.ts'

/** A built site in memory. A Site never changes; a new build is a new Site. */
export type Site = {
  serve(request: Request): Response
  /** The response for a path that exists. */
  file(request: Request, path: string): Response | undefined
  /** Whether a request path exists, including redirects. */
  has(path: string): boolean
  readonly pages: readonly string[]
  /** The text of the file at exactly this path, such as `/blog/first-visit.md`. */
  text(path: string): string | undefined
}

type TwoForms = { readonly html: Representation; readonly markdown: Representation }
type ThreeForms = TwoForms & { readonly problem: Representation }

type Entry =
  | { readonly kind: 'file'; readonly file: Representation }
  | ({ readonly kind: 'page' } & TwoForms)
  | ({ readonly kind: 'gone' } & ThreeForms)
  | { readonly kind: 'moved'; readonly to: string; readonly status: 301 | 308 }

/** `finish` completes the build's files, for example with signatures. */
export function loadSite(folder: string, finish: FinishFiles = files => [...files]): Site {
  const files = finish(readSite(folder))
  if (!files.some(file => file.path === '/index.html')) {
    throw new Error(`There is no built site in ${folder}.`)
  }
  const layout = layOut(files, readRedirects(folder))
  const entries = new Map([...layout.rows].map(([path, row]) => [path, entryOf(row)]))
  const missing = allForms(layout.missing)
  const preferenceOf = cachedPreferences()

  const find = (path: string): Entry | undefined => {
    const entry = entries.get(path) ?? entries.get(decoded(path))
    if (entry !== undefined || path.length < 2 || !path.endsWith('/')) return entry
    // Redirects only to an existing path, because `//elsewhere.example/` must not redirect off this
    // site.
    const bare = path.slice(0, -1)
    const target = entries.get(bare) ?? entries.get(decoded(bare))
    if (target === undefined) return undefined
    return target.kind === 'moved' ? target : { kind: 'moved', to: bare, status: 308 }
  }

  const preferenceIn = (headers: Headers) =>
    preferenceOf(headers.get('accept'), headers.get('accept-encoding'))

  const file = (request: Request, path: string): Response | undefined => {
    const entry = find(path)
    if (entry === undefined) return undefined
    const { headers, method } = request
    const isHead = method === 'HEAD'
    if (method !== 'GET' && !isHead) return notAllowed()
    if (entry.kind === 'moved') return moved(entry.to + splitUrl(request.url).query, entry.status)
    const preference = preferenceIn(headers)
    const representation = chosen(entry, preference)
    const named = isHead ? undefined : part(representation, headers)
    return named ?? answer(representation, preference, isHead, headers)
  }

  const serve = (request: Request): Response => {
    const found = file(request, splitUrl(request.url).path)
    if (found !== undefined) return found
    const preference = preferenceIn(request.headers)
    const { method, headers } = request
    return answer(missing[preference.missing], preference, method === 'HEAD', headers)
  }

  const bytes = new Map(files.map(file => [file.path, file.bytes]))
  const text = (path: string): string | undefined => {
    const found = bytes.get(path)
    return found && new TextDecoder().decode(found)
  }
  const pages = [...entries].flatMap(([path, { kind }]) => (kind === 'page' ? [path] : []))
  return { serve, file, has: path => find(path) !== undefined, pages, text }
}

/** `decodeURI` keeps `%2F`, so an encoded slash never acts as a slash. */
function decoded(path: string): string {
  if (!path.includes('%')) return path
  try {
    return decodeURI(path)
  } catch {
    return ''
  }
}

function chosen(entry: Exclude<Entry, { kind: 'moved' }>, preference: Preference): Representation {
  if (entry.kind === 'file') return entry.file
  return entry.kind === 'gone' ? entry[preference.missing] : entry[preference.page]
}

const representationOf = ({ file, placement }: Placed) => represent(file, placement)

const bothForms = ({ html, markdown }: { html: Placed; markdown: Placed }): TwoForms => ({
  html: representationOf(html),
  markdown: representationOf(markdown),
})

const allForms = (forms: Layout['missing']): ThreeForms => ({
  ...bothForms(forms),
  problem: representationOf(forms.problem),
})

function entryOf(row: Row): Entry {
  if (row.kind === 'moved') return row
  if (row.kind === 'file') return { kind: 'file', file: representationOf(row.only) }
  if (row.kind === 'page') return { kind: 'page', ...bothForms(row) }
  return { kind: 'gone', ...allForms(row) }
}

const notAllowed = () =>
  refusal(
    new Problem('method_not_allowed', {
      detail: 'Pages and files of the site are read-only.',
      hint: 'Send GET or HEAD. Endpoints that accept other methods are in /openapi.json.',
      headers: { allow: 'GET, HEAD' },
    }),
  )

function moved(location: string, status: 301 | 308): Response {
  const headers = new Headers(siteHeaders.map(([name, value]) => [name, value]))
  headers.set('location', location)
  headers.set('cache-control', 'public, max-age=300')
  return new Response(null, { status, headers })
}

/** Copies the request, but requests uncompressed text. */
export function withoutCoding({ url, headers }: Request): Request {
  const accept = headers.get('accept')
  return new Request(url, accept === null ? {} : { headers: { accept } })
}
