// Serves the waiting room for a join link. There is no other credential: the link's encrypted
// ticket names the visit and its tenant, and row-level security limits the queries to that tenant.

import { sql } from '#database/sql.ts'
import { type AuditContext, insertAuditRows, type Caller, unauthenticated } from '#auth/audit.ts'
import type { AppContext } from '../pipeline/perform.ts'
import { isSandbox } from '../modes.ts'
import type { RequestContext } from '#http/request-context.ts'
import type { PlainEndpoint } from '#http/router.ts'
import { type Ticket, waitingRoomPath } from './ticket.ts'
import { joinClosesAt, joinOpensAt, type VisitStatus } from './visit.ts'
import { type DeadLink, deadLinkPage, styleHash, waitingRoomPage } from './waiting-room-page.ts'

type TenantRow = {
  integration: string
  organization: string
  clinic: string
  /** By how many milliseconds its clock is ahead of real time. */
  ahead: number
}

type VisitRow = {
  status: VisitStatus
  clinician: string | null
  time_zone: string
  starts_at: string
  ends_at: string
  opens_at: string
  closes_at: string
}

/** Sets the connection to the ticket's tenant; no row when a reset has retired the tenant. */
const openTenant = (tenant: string) => sql`
  select s.integration, s.organization, o.name as clinic, s.ahead_ms::float8 as ahead,
         set_config('app.tenant', s.id::text, false) as opened
    from tenants s join auth.organizations o on o.id = s.organization
   where s.id = ${tenant}::bigint and s.retired_at is null`

/** Reads the visit and inserts the audit row of the read. */
const readVisit = (ticket: Ticket, caller: Caller, auditContext: AuditContext) => sql`
  with found as materialized (
    select status, clinician_name as clinician, time_zone, iso(starts_at) as starts_at,
           iso(ends_at) as ends_at, iso(${joinOpensAt}) as opens_at,
           iso(${joinClosesAt}) as closes_at
      from visits
     where tenant = ${ticket.tenant}::bigint and id = ${ticket.visit}
       and patient = ${ticket.patient}
  ), audited as (${insertAuditRows(
    caller,
    auditContext,
    sql`select ${ticket.visit}::text, 'ok', 200::int2, null::text from found`,
  )})
  select * from found`

/** The page of a ticket, or why there is none: its visit is gone, or it expired by the clock of its
 *  sandbox. */
async function pageOf(
  context: AppContext,
  ticket: Ticket,
  auditContext: AuditContext,
): Promise<{ page: string } | DeadLink> {
  const { mode } = ticket
  return context.pools[mode].use(async connection => {
    const [room] = await connection.run<TenantRow>(openTenant(ticket.tenant))
    if (!room) return 'unknown'
    const { clinic, integration, organization } = room
    const now = context.now() + room.ahead
    if (ticket.expires <= now) return 'expired'
    const caller = { ...unauthenticated, mode, integration, organization }
    const [visit] = await connection.run<VisitRow>(readVisit(ticket, caller, auditContext))
    if (!visit) return 'unknown'
    const page = waitingRoomPage({
      visit: ticket.visit,
      status: visit.status,
      clinic,
      clinician: visit.clinician,
      timeZone: visit.time_zone,
      startsAt: Date.parse(visit.starts_at),
      endsAt: Date.parse(visit.ends_at),
      opensAt: Date.parse(visit.opens_at),
      closesAt: Date.parse(visit.closes_at),
      linkUntil: ticket.expires,
      now,
      dryRun: isSandbox(mode),
    })
    return { page }
  })
}

const statuses: Record<DeadLink, number> = { unknown: 404, expired: 410, away: 503 }

type Page = { status: number; body: string }
const deadLink = (why: DeadLink): Page => ({ status: statuses[why], body: deadLinkPage(why) })

async function answer(context: AppContext, call: RequestContext): Promise<Page> {
  const written = call.path.slice(waitingRoomPath.length + 1)
  const ticket = context.files.tokens.open(written)
  if (ticket?.kind !== 'join') return deadLink('unknown')
  if (ticket.expires <= context.now()) return deadLink('expired')
  const auditContext: AuditContext = {
    surface: 'page',
    action: 'openWaitingRoom',
    target: ticket.visit,
    request: call.id,
    address: call.address,
    agent: call.request.headers.get('user-agent')?.slice(0, 256) ?? null,
  }
  try {
    const made = await pageOf(context, ticket, auditContext)
    return typeof made === 'string' ? deadLink(made) : { status: 200, body: made.page }
  } catch (failure) {
    context.onError(failure, auditContext)
    return deadLink('away')
  }
}

// The page must not be cached, indexed, framed or named in a referrer, and must load no resources.
const headers = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex, nofollow, noarchive',
  'content-security-policy':
    `default-src 'none'; style-src '${styleHash}'; base-uri 'none'; form-action 'none'; ` +
    "frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
}

/** The waiting room at its path. HEAD gets the answer of GET, whose body the server drops. */
export const waitingRoom = (context: AppContext): PlainEndpoint => ({
  path: `${waitingRoomPath}/:ticket`,
  async answer(call) {
    const reading = call.request.method === 'GET' || call.request.method === 'HEAD'
    const { status, body } = reading ? await answer(context, call) : deadLink('unknown')
    const sent = {
      ...headers,
      'request-id': call.id,
      'content-length': String(Buffer.byteLength(body)),
      ...(status === 503 ? { 'retry-after': '5' } : {}),
      ...(reading ? {} : { allow: 'GET, HEAD' }),
    }
    return new Response(body, { status: reading ? status : 405, headers: sent })
  },
})
