// GET /documents/{token} serves one document through a link in a live bundle. The link is valid as
// long as its export, the file, the clinic's grant and the agreement are; every read checks each of
// them. A document that wasn't scanned or was refused has no valid link. This isn't an operation of
// /v1, and every refusal is the same 404.

import type { Row } from '#database/pool.ts'
import { sql, type Statement } from '#database/sql.ts'
import { insertAuditRows, unauthenticated } from '#auth/audit.ts'
import { hasAgreement } from '#auth/guard.ts'
import { tenantNow } from '../pipeline/clock.ts'
import type { AppContext } from '../pipeline/perform.ts'
import { inTenant } from './in-tenant.ts'
import { documentKey } from '../storage/storage.ts'
import type { TokenPayload } from '../tokens.ts'

/** The request's ID and client address. */
export type Reader = { id: string; address: string | null }

type Document = Extract<TokenPayload, { kind: 'document' }>
type DocumentRow = Row & { object: string; filename: string; mime: string }

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
    if (named?.kind !== 'document') return notFound()
    const agent = request.headers.get('user-agent')?.slice(0, 256) ?? null
    const [found] = await inTenant(context, named, connection =>
      connection.run<DocumentRow>(findDocument(named, { ...reader, agent })),
    )
    const bytes = found && (await context.files.storage.read(documentKey(named.mode, found.object)))
    if (!bytes) return notFound()
    const headers = {
      ...commonHeaders,
      'content-type': found.mime,
      'content-length': String(bytes.size),
      'content-disposition': `attachment; filename*=UTF-8''${encoded(found.filename)}`,
    }
    return new Response(request.method === 'HEAD' ? null : await bytes.open(), { headers })
  }
}

/** Encodes a filename by RFC 8187, which also escapes four characters that encodeURIComponent
 *  doesn't. */
const encoded = (name: string) =>
  encodeURIComponent(name).replaceAll(
    /['()*]/g,
    one => `%${one.charCodeAt(0).toString(16).toUpperCase()}`,
  )

/** Selects the file if its link is still valid, and inserts the read's audit row. */
function findDocument(named: Document, { id, address, agent }: Reader & { agent: string | null }) {
  const { mode, tenant, file, bundle } = named
  const caller = { ...unauthenticated, mode }
  const audited = {
    surface: 'rest' as const,
    action: 'readDocument',
    target: file,
    request: id,
    address,
    agent,
  }
  const outcome = sql`
    select null::text, case when count(*) > 0 then 'ok' else 'refused' end,
           case when count(*) > 0 then 200::int2 else 404::int2 end,
           case when count(*) > 0 then null else 'not_found' end from found`
  return sql`
  with found as materialized (
    select f.object, f.filename, f.mime
      from files f
      join exports e on e.tenant = f.tenant and e.patient = f.patient and e.object = ${bundle}
      join patients p on p.tenant = f.tenant and p.id = f.patient and p.deleted_at is null
      join tenants s on s.id = f.tenant and s.retired_at is null
     where f.tenant = ${tenant}::bigint and f.id = ${file} and f.status = 'attached' and f.scan = 'clean'
       and e.expires_at > ${tenantNow} and ${isGranted(named)}
  ), audited as (${insertAuditRows(caller, audited, outcome)})
  select object, filename, mime from found`
}

const isGranted = ({ mode }: Document): Statement => sql`
  exists (select from auth.grants g
           where g.integration = s.integration and g.organization = s.organization
             and g.mode = ${mode} and g.status = 'active')
  and ${hasAgreement(sql`s.integration`)}`
