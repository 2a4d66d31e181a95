// GET /documents/{token}: the bytes of one document, by the link that a live bundle holds. A link
// is good for as long as its export is, and not a moment longer than the file, the clinic's grant
// and the agreement are there: each is asked for at every reading. It is no operation of /v1, and
// its refusal is the same 404 whatever is missing.

import type { Row } from '#database/pool.ts'
import { sql, type Statement } from '#database/sql.ts'
import { auditing } from '../audit/audit.ts'
import type { AppContext } from '../pipeline/perform.ts'
import { inTenant } from './in-tenant.ts'
import { filed } from '../storage/storage.ts'
import type { Named } from './tokens.ts'

/** Who asks, as far as the front door knows. */
export type Reader = { id: string; address: string | null }

type Document = Extract<Named, { kind: 'document' }>
type Found = Row & { object: string; filename: string; mime: string }

const common = {
  'cache-control': 'no-store',
  'content-security-policy': "sandbox; default-src 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

const text = (status: number, said: string, more: Record<string, string> = {}) =>
  new Response(`${said}\n`, {
    status,
    headers: { 'content-type': 'text/plain; charset=utf-8', ...common, ...more },
  })

const none = () => text(404, 'There is no such document, or no longer.')

export function documentEndpoint(context: AppContext) {
  return async (request: Request, token: string, reader: Reader): Promise<Response> => {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      return text(405, 'Send GET.', { allow: 'GET, HEAD' })
    }
    const named = context.files.tokens.open(token)
    if (named?.kind !== 'document') return none()
    const agent = request.headers.get('user-agent')?.slice(0, 256) ?? null
    const [found] = await inTenant(context, named, connection =>
      connection.run<Found>(finding(named, { ...reader, agent })),
    )
    const bytes = found && (await context.files.storage.read(filed(named.mode, found.object)))
    if (!bytes) return none()
    const headers = {
      ...common,
      'content-type': found.mime,
      'content-length': String(bytes.size),
      'content-disposition': `attachment; filename*=UTF-8''${encoded(found.filename)}`,
    }
    return new Response(request.method === 'HEAD' ? null : await bytes.open(), { headers })
  }
}

/** RFC 8187: what encodeURIComponent leaves and a header may not hold is encoded as well. */
const encoded = (name: string) =>
  encodeURIComponent(name).replaceAll(
    /['()*]/g,
    one => `%${one.charCodeAt(0).toString(16).toUpperCase()}`,
  )

/** The file while everything that its link stands on is there, and the audit row of its reading. */
function finding(named: Document, { id, address, agent }: Reader & { agent: string | null }) {
  const { mode, tenant, file, bundle } = named
  const caller = { mode, integration: null, organization: null, credential: null }
  const asked = {
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
     where f.tenant = ${tenant}::bigint and f.id = ${file} and f.status = 'attached'
       and e.expires_at > now() and ${granted(named)}
  ), audited as (${auditing(caller, asked, outcome)})
  select object, filename, mime from found`
}

const granted = ({ mode }: Document): Statement => sql`
  exists (select from auth.grants g
           where g.integration = s.integration and g.organization = s.organization
             and g.mode = ${mode} and g.status = 'active')
  and exists (select from auth.agreements a
               where a.integration = s.integration and a.terminated_at is null
                 and (a.ends_at is null or a.ends_at > now()))`
