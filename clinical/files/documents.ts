// GET /documents/{token} serves one document through a link in a live bundle, or one file of a
// table export. The link is valid as long as its export, the file, the clinic's grant and the
// agreement are; every read checks each of them, and a table's link expires. A document that wasn't
// scanned or was refused has no valid link. This isn't an operation of /v1, and every refusal is
// the same 404.

import type { Row } from '#database/pool.ts'
import { sql, type Statement } from '#database/sql.ts'
import { type Caller, insertAuditRows, unauthenticated } from '#auth/audit.ts'
import { hasAgreement } from '#auth/guard.ts'
import { tenantNow } from '../pipeline/clock.ts'
import { waitsForAgreement } from '../modes.ts'
import type { AppContext } from '../pipeline/perform.ts'
import { bundleKey, documentKey } from '../storage/storage.ts'
import type { TokenPayload } from '../tokens.ts'
import { openTenant, type TenantRow } from '../visits/ticket.ts'

/** The request's ID and client address. */
export type Reader = { id: string; address: string | null }

type Document = Extract<TokenPayload, { kind: 'document' }>
type Table = Extract<TokenPayload, { kind: 'table' }>
type DocumentRow = Row & {
  object: string
  filename: string
  mime: string
  /** The position of a table's file in its object. */
  place?: { start: number; size_bytes: number; sha256: string }
}

const commonHeaders = {
  'cache-control': 'no-store',
  'content-security-policy': "sandbox; default-src 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

const text = (status: number, message: string, more: Record<string, string> = {}) =>
  new Response(`${message}\n`, {
    status,
    headers: { 'content-type': 'text/plain; charset=utf-8', ...commonHeaders, ...more },
  })

const notFound = () => text(404, 'This document does not exist or was removed.')

export function documentEndpoint(context: AppContext) {
  return async (request: Request, token: string, reader: Reader): Promise<Response> => {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      return text(405, 'Send GET.', { allow: 'GET, HEAD' })
    }
    const named = context.files.tokens.open(token)
    if (named?.kind !== 'document' && named?.kind !== 'table') return notFound()
    if (named.kind === 'table' && named.expires <= context.now()) return notFound()
    const agent = request.headers.get('user-agent')?.slice(0, 256) ?? null
    const [found] = await context.pools[named.mode].use(async connection => {
      const [tenant] = await connection.run<TenantRow>(openTenant(named.tenant))
      const { integration = null, organization = null } = tenant ?? {}
      const caller = { ...unauthenticated, mode: named.mode, integration, organization }
      const by = { ...reader, agent, caller }
      return connection.run<DocumentRow>(
        named.kind === 'table' ? findTable(named, by) : findDocument(named, by),
      )
    })
    return found ? serve(context, found, named, request) : notFound()
  }
}

/** Sends the file, or the part that a Range header requests, so a download can resume. */
async function serve(
  { files: { storage } }: AppContext,
  { object, filename, mime, place }: DocumentRow,
  { kind, mode }: Document | Table,
  { method, headers: requested }: Request,
): Promise<Response> {
  const key = kind === 'table' ? bundleKey(mode, object) : documentKey(mode, object)
  const size = place?.size_bytes ?? (await storage.stat(key))?.size
  if (size === undefined) return notFound()
  const etag = place && `"${place.sha256}"`
  const headers = {
    ...commonHeaders,
    'accept-ranges': 'bytes',
    'content-type': mime,
    'content-disposition': `attachment; filename*=UTF-8''${encoded(filename)}`,
    ...(etag === undefined ? {} : { etag }),
  }
  const ifRange = requested.get('if-range')
  const range = ifRange === null || ifRange === etag ? requested.get('range') : null
  const { first, last } = spanOf(range ?? '', size)
  if (first > 0 && first >= size) {
    return text(416, 'The file ends before this range.', { 'content-range': `bytes */${size}` })
  }
  const isPart = last - first + 1 < size
  const start = (place?.start ?? 0) + first
  const bytes = await storage.read(key, { start, end: start + last - first + 1 })
  if (!bytes) return notFound()
  return new Response(method === 'HEAD' ? null : await bytes.open(), {
    status: isPart ? 206 : 200,
    headers: {
      ...headers,
      'content-length': String(bytes.size),
      ...(isPart ? { 'content-range': `bytes ${first}-${last}/${size}` } : {}),
    },
  })
}

/** The positions of the first and last byte. Any range not of the form `bytes=1-2` or `bytes=1-`
 *  selects the whole file. */
function spanOf(range: string, size: number) {
  const [, from, to = ''] = /^bytes=(\d{1,15})-(\d{0,15})$/.exec(range.trim()) ?? []
  const [first, last] = [Number(from ?? 0), Math.min(to === '' ? size : Number(to), size - 1)]
  return first < size && last < first ? { first: 0, last: size - 1 } : { first, last }
}

/** Encodes a filename by RFC 8187, which also escapes four characters that encodeURIComponent
 *  doesn't. */
const encoded = (name: string) =>
  encodeURIComponent(name).replaceAll(
    /['()*]/g,
    one => `%${one.charCodeAt(0).toString(16).toUpperCase()}`,
  )

type Agent = Reader & { agent: string | null; caller: Caller }

/** Runs the select `found` for a link that may still be valid, and inserts the read's audit row. */
function audited(
  { id: request, address, agent, caller }: Agent,
  { action, target, found }: { action: string; target: string; found: Statement },
): Statement {
  const entry = { surface: 'rest' as const, action, target, request, address, agent }
  const outcome = sql`
    select null::text, case when count(*) > 0 then 'ok' else 'refused' end,
           case when count(*) > 0 then 200::int2 else 404::int2 end,
           case when count(*) > 0 then null else 'not_found' end from found`
  return sql`
    with found as materialized (${found}), audited as (${insertAuditRows(caller, entry, outcome)})
    select * from found`
}

const findDocument = (named: Document, by: Agent) =>
  audited(by, {
    action: 'readDocument',
    target: named.file,
    found: sql`
      select f.object, f.filename, f.mime
        from files f
        join exports e on e.tenant = f.tenant and e.patient = f.patient and e.object = ${named.bundle}
        join patients p on p.tenant = f.tenant and p.id = f.patient and p.deleted_at is null
        join tenants s on s.id = f.tenant and s.retired_at is null
       where f.tenant = ${named.tenant}::bigint and f.id = ${named.file} and f.status = 'attached'
         and f.scan = 'clean' and e.expires_at > ${tenantNow} and ${isGranted(named)}`,
  })

const findTable = (named: Table, by: Agent) =>
  audited(by, {
    action: 'readTable',
    target: named.export,
    found: sql`
      select e.object, ${`${named.table}.ndjson`}::text as filename,
             'application/x-ndjson' as mime, t.place
        from exports e
        join tenants s on s.id = e.tenant and s.retired_at is null
       cross join lateral json_array_elements(e.tables) as t (place)
       where e.tenant = ${named.tenant}::bigint and e.id = ${named.export}
         and e.expires_at > ${tenantNow} and t.place ->> 'name' = ${named.table}
         and ${isGranted(named)}`,
  })

/** The sandbox needs no agreement. */
const isGranted = ({ mode }: Document | Table): Statement => sql`
  exists (select from auth.grants g
           where g.integration = s.integration and g.organization = s.organization
             and g.mode = ${mode} and g.status = 'active')
  and ${waitsForAgreement(mode) ? hasAgreement(sql`s.integration`) : sql`true`}`
