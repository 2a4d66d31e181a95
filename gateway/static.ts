import { type Preference, rememberedPreferences } from './negotiate.ts'
import { answer, type Placement, type Representation, represent } from './representation.ts'
import { readSite, type SiteFile } from './site-files.ts'
import { siteHeaders } from './site-headers.ts'
import { canonicalPage, catalogItself, homeLinks, markdownTwin } from './site-links.ts'
import { siteProblem } from './site-problems.ts'

/** A built site in memory. It never changes: a new build is a new Site. */
export type Site = {
  serve(request: Request): Response
  /** Whether a request path names something here, redirects included. */
  has(path: string): boolean
}

type Entry =
  | { readonly kind: 'file'; readonly file: Representation }
  | { readonly kind: 'page'; readonly html: Representation; readonly markdown: Representation }
  | { readonly kind: 'moved'; readonly to: string }

type Missing = { readonly html: Representation; readonly markdown: Representation }

/** Served for what is not there, so they are not themselves addresses. */
const missingPages = new Set(['/404.html', '/404.md'])

export function loadSite(folder: string): Site {
  const files = new Map(readSite(folder).map(file => [file.path, file]))
  if (!files.has('/index.html')) throw new Error(`There is no built site in ${folder}.`)
  const entries = layOut(files)
  const missing = missingFrom(files)
  const preferenceOf = rememberedPreferences()

  const find = (path: string): Entry | undefined => {
    const entry = entries.get(path) ?? entries.get(decoded(path))
    if (entry !== undefined || path.length < 2 || !path.endsWith('/')) return entry
    // Only towards what exists: `//elsewhere.example/` must not become a redirect off this site.
    const bare = path.slice(0, -1)
    const target = entries.get(bare) ?? entries.get(decoded(bare))
    if (target === undefined) return undefined
    return target.kind === 'moved' ? target : { kind: 'moved', to: bare }
  }

  const serve = (request: Request): Response => {
    const { path, query } = pathOf(request.url)
    const { headers, method } = request
    const preference = preferenceOf(headers.get('accept'), headers.get('accept-encoding'))
    const isHead = method === 'HEAD'
    const entry = find(path)
    if (entry === undefined) return answer(missing[preference.missing], preference, isHead, null)
    if (method !== 'GET' && !isHead) return notAllowed()
    if (entry.kind === 'moved') return moved(entry.to + query)
    return answer(chosen(entry, preference), preference, isHead, headers.get('if-none-match'))
  }

  return { serve, has: path => find(path) !== undefined }
}

/** The URL is cut by hand: parsing it again took longer than finding the page. */
export function pathOf(url: string): { path: string; query: string } {
  const start = url.indexOf('/', url.indexOf('://') + 3)
  if (start < 0) return { path: '/', query: '' }
  const end = url.indexOf('?', start)
  if (end < 0) return { path: url.slice(start), query: '' }
  return { path: url.slice(start, end), query: url.slice(end) }
}

/** `decodeURI` leaves `%2F` alone, so an encoded slash is never taken for a real one. */
function decoded(path: string): string {
  if (!path.includes('%')) return path
  try {
    return decodeURI(path)
  } catch {
    return ''
  }
}

function chosen(entry: Exclude<Entry, { kind: 'moved' }>, preference: Preference): Representation {
  return entry.kind === 'file' ? entry.file : entry[preference.page]
}

/** Every address of the site. A page lives at its clean URL; its `.html` name leads there. */
function layOut(files: ReadonlyMap<string, SiteFile>): Map<string, Entry> {
  const entries = new Map<string, Entry>()
  const exists = (path: string) =>
    files.has(path) || files.has(`${path}.html`) || files.has(`${path}/index.html`)
  for (const file of files.values()) {
    if (missingPages.has(file.path)) continue
    if (file.path.endsWith('.html')) layOutPage(entries, files, file, exists)
    else
      entries.set(file.path, { kind: 'file', file: represent(file, placeFile(file.path, exists)) })
  }
  return entries
}

function layOutPage(
  entries: Map<string, Entry>,
  files: ReadonlyMap<string, SiteFile>,
  file: SiteFile,
  exists: (path: string) => boolean,
): void {
  const url = cleanUrl(file.path)
  const twin = files.get(`${url}.md`) ?? files.get(`${url === '/' ? '' : url}/index.md`)
  const own = url === '/' ? homeLinks(exists) : []
  const moved = { kind: 'moved', to: encodeURI(url) } as const
  entries.set(file.path, moved)
  if (file.path.endsWith('/index.html')) entries.set(file.path.slice(0, -'.html'.length), moved)
  if (twin === undefined) {
    const placement = { status: 200, variesOnAccept: false, links: own } as const
    entries.set(url, { kind: 'file', file: represent(file, placement) })
    return
  }
  const html: Placement = {
    status: 200,
    variesOnAccept: true,
    links: [...own, markdownTwin(twin.path)],
  }
  const markdown: Placement = { ...html, links: [canonicalPage(url)] }
  entries.set(url, {
    kind: 'page',
    html: represent(file, html),
    markdown: represent(twin, markdown),
  })
}

function placeFile(path: string, exists: (path: string) => boolean): Placement {
  const url = path.endsWith('.md') ? cleanUrl(path) : undefined
  const links = [
    ...(url !== undefined && (url === '/' || exists(url)) ? [canonicalPage(url)] : []),
    ...(path === '/.well-known/api-catalog' ? [catalogItself] : []),
  ]
  return { status: 200, variesOnAccept: false, links }
}

/** `/blog/x.html` and `/blog/x/index.html` are both the page `/blog/x`. */
function cleanUrl(path: string): string {
  const bare = path.slice(0, path.lastIndexOf('.'))
  if (bare === '/index') return '/'
  return bare.endsWith('/index') ? bare.slice(0, -'/index'.length) : bare
}

/** A build without these pages still has to say that there is nothing here. */
function missingFrom(files: ReadonlyMap<string, SiteFile>): Missing {
  const note = new TextEncoder().encode(
    '# Not found\n\nThere is no such page here. See [the home page](/) and [llms.txt](/llms.txt).\n',
  )
  const markdown = files.get('/404.md') ?? { path: '/404.md', bytes: note, smaller: new Map() }
  const html = files.get('/404.html') ?? markdown
  const placement = { status: 404, variesOnAccept: true, links: [] } as const
  return { html: represent(html, placement), markdown: represent(markdown, placement) }
}

function notAllowed(): Response {
  return siteProblem('method_not_allowed', {
    detail: 'A page or file of the site can only be read.',
    hint: 'Send GET or HEAD. The endpoints that take other methods are in /openapi.json.',
    headers: { allow: 'GET, HEAD' },
  })
}

function moved(location: string): Response {
  const headers = new Headers(siteHeaders.map(([name, value]) => [name, value]))
  headers.set('location', location)
  headers.set('cache-control', 'public, max-age=300')
  return new Response(null, { status: 308, headers })
}
