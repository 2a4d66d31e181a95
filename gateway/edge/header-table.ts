import { headersOf } from '../static/representation.ts'
import { mediaType, readRedirects, readSite } from '../static/files.ts'
import { layOut, type Placed } from '../static/layout.ts'

/** One response: the file, the status, and all headers except those that every server adds. */
export type Answer = { file: string; status: number; headers: Record<string, string> }

type TwoForms = { html: Answer; markdown: Answer }
type ThreeForms = TwoForms & { problem: Answer }

export type TableRow =
  | { kind: 'file'; path: string; file: Answer }
  | ({ kind: 'page'; path: string } & TwoForms)
  | ({ kind: 'gone'; path: string } & ThreeForms)
  | { kind: 'moved'; path: string; to: string; status: number }

export type SiteTable = { rows: TableRow[]; missing: ThreeForms }

/** Headers with the same value on every response. */
export const constantHeaders = [
  'api-version',
  'content-signal',
  'ratelimit-policy',
  'x-content-type-options',
  'referrer-policy',
]

/** Headers that vary by path. */
export const varyingHeaders = [
  'cache-control',
  'vary',
  'link',
  'content-security-policy',
  'access-control-allow-origin',
  'access-control-expose-headers',
  'x-markdown-tokens',
]

/** The gateway's responses for the built site, as data to configure other servers with. */
export function siteTable(folder: string): SiteTable {
  const { rows, missing } = layOut(readSite(folder), readRedirects(folder))
  const both = ({ html, markdown }: { html: Placed; markdown: Placed }) => ({
    html: answerOf(html),
    markdown: answerOf(markdown),
  })
  const table = [...rows].map(([path, row]): TableRow => {
    if (row.kind === 'moved') return { kind: 'moved', path, to: row.to, status: row.status }
    if (row.kind === 'file') return { kind: 'file', path, file: answerOf(row.only) }
    if (row.kind === 'page') return { kind: 'page', path, ...both(row) }
    return { kind: 'gone', path, ...both(row), problem: answerOf(row.problem) }
  })
  return {
    rows: table.toSorted((a, b) => (a.path < b.path ? -1 : 1)),
    missing: { ...both(missing), problem: answerOf(missing.problem) },
  }
}

function answerOf({ file, placement }: Placed): Answer {
  const headers: Record<string, string> = { 'content-type': mediaType(file.path) }
  for (const [name, value] of headersOf(file, placement)) headers[name] = value
  return { file: file.path, status: placement.status, headers }
}
