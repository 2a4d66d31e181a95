import { type Preference, preferenceOf } from '../static/negotiate.ts'
import { siteHeaders } from '../static/site-headers.ts'
import type { Answer, SiteTable, TableRow } from './header-table.ts'
import { splitUrl } from '#http/split-url.ts'

type FetchFile = (file: string) => Promise<Response>
type Handler = (request: Request, fetchFile: FetchFile) => Promise<Response>

/**
 * The gateway's rules for a CDN that runs code at its edge: the same table, the same negotiation,
 * and the files from its own store. deploy/edge/worker.js is this file, bundled with the table of
 * one build.
 */
export function worker(table: SiteTable): Handler {
  const rows = new Map(table.rows.map(row => [row.path, row]))
  return async (request, fetchFile) => {
    const { path, query } = splitUrl(request.url)
    const row = find(rows, path)
    if (row?.kind === 'moved') return moved(row.to + query, row.status)
    const preference = preferenceOf(request.headers.get('accept'), null)
    const answer = answerOf(row, table, preference)
    const stored = await fetchFile(answer.file)
    return new Response(request.method === 'HEAD' ? null : stored.body, answer)
  }
}

function answerOf(
  row: Exclude<TableRow, { kind: 'moved' }> | undefined,
  { missing }: SiteTable,
  forms: Preference,
): Answer {
  if (row === undefined) return missing[forms.missing]
  if (row.kind === 'file') return row.file
  return row.kind === 'gone' ? row[forms.gone] : row[forms.page]
}

/** A path with a superfluous slash is redirected, when there is something without it. */
function find(rows: ReadonlyMap<string, TableRow>, path: string): TableRow | undefined {
  const row = rows.get(path)
  if (row !== undefined || path.length < 2 || !path.endsWith('/')) return row
  const bare = rows.get(path.slice(0, -1))
  if (bare === undefined || bare.kind === 'moved') return bare
  return { kind: 'moved', path, to: bare.path, status: 308 }
}

function moved(location: string, status: number): Response {
  const headers = new Headers(siteHeaders.map(([name, value]) => [name, value]))
  headers.set('location', location)
  headers.set('cache-control', 'public, max-age=300')
  return new Response(null, { status, headers })
}
