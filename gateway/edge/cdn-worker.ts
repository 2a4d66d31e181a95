import { type Preference, preferenceOf } from '../static/negotiate.ts'
import { contentRange, spanOf } from '../static/range.ts'
import { siteHeaders } from '../static/site-headers.ts'
import { strictTransport } from '#http/origins/strict-transport.ts'
import type { Answer, SiteTable, TableRow } from './header-table.ts'
import { splitUrl } from '#http/split-url.ts'

type FetchFile = (file: string) => Promise<Response>
type Handler = (request: Request, fetchFile: FetchFile) => Promise<Response>

/**
 * The gateway's rules for a CDN that runs code at its edge: the same table, the same negotiation,
 * and files from the CDN's own store. deploy/edge/worker.js is this file, bundled with one build's
 * table. `others`: other modules' hosts, where no site page may be served.
 */
export function worker(table: SiteTable, others: readonly string[] = []): Handler {
  const rows = new Map(table.rows.map(row => [row.path, row]))
  const answered: Handler = async (request, fetchFile) => {
    if (others.includes(new URL(request.url).hostname)) return misdirected()
    const { path, query } = splitUrl(request.url)
    const row = find(rows, path)
    if (row?.kind === 'moved') return moved(row.to + query, row.status)
    const preference = preferenceOf(request.headers.get('accept'), null)
    const answer = answerOf(row, table, preference)
    const stored = await fetchFile(answer.file)
    if (request.method === 'HEAD') return new Response(null, answer)
    return (await partOf(stored, answer, request.headers)) ?? new Response(stored.body, answer)
  }
  return async (request, fetchFile) => {
    const response = await answered(request, fetchFile)
    if (request.url.startsWith('https:')) {
      response.headers.set(strictTransport.name, strictTransport.value)
    }
    return response
  }
}

/** Without an entity tag, a client can't join a part to an older one, so If-Range gets the whole
 *  file. */
async function partOf(stored: Response, { status, headers }: Answer, requested: Headers) {
  const range = requested.get('range')
  if (range === null || status !== 200 || requested.has('if-range')) return undefined
  const bytes = await stored.clone().bytes()
  const span = spanOf(range, bytes.length)
  if (span === 'whole') return undefined
  const whole = `bytes */${bytes.length}`
  if (span === null) return new Response(null, { status: 416, headers: { 'content-range': whole } })
  const part = { ...headers, 'content-range': contentRange(span, bytes.length) }
  return new Response(bytes.slice(span.first, span.last + 1), { status: 206, headers: part })
}

function answerOf(
  row: Exclude<TableRow, { kind: 'moved' }> | undefined,
  { missing }: SiteTable,
  forms: Preference,
): Answer {
  if (row === undefined) return missing[forms.missing]
  if (row.kind === 'file') return row.file
  return row.kind === 'gone' ? row[forms.missing] : row[forms.page]
}

/** A path with an extra slash is redirected if a file exists at the path without it. */
function find(rows: ReadonlyMap<string, TableRow>, path: string): TableRow | undefined {
  const row = rows.get(path)
  if (row !== undefined || path.length < 2 || !path.endsWith('/')) return row
  const bare = rows.get(path.slice(0, -1))
  if (bare === undefined || bare.kind === 'moved') return bare
  return { kind: 'moved', path, to: bare.path, status: 308 }
}

function misdirected(): Response {
  const detail = "Only the site is served here. Route this host to its own module's port."
  const body = { type: 'about:blank', title: 'Misdirected Request', status: 421, detail }
  const headers = { 'content-type': 'application/problem+json', 'cache-control': 'no-store' }
  return Response.json(body, { status: 421, headers })
}

function moved(location: string, status: number): Response {
  const headers = new Headers(siteHeaders.map(([name, value]) => [name, value]))
  headers.set('location', location)
  headers.set('cache-control', 'public, max-age=300')
  return new Response(null, { status, headers })
}
