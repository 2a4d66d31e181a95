// Serves the waiting room for a join link. There is no other credential: the link's encrypted
// ticket names the visit and its tenant, and row-level security limits the queries to that tenant.

import { sql } from '#database/sql.ts'
import { type AuditContext, insertAuditRows, type Caller, unauthenticated } from '#auth/audit.ts'
import type { AppContext } from '../pipeline/perform.ts'
import { hasVideo } from '../modes.ts'
import { isJoinable } from '../rooms/room.ts'
import type { RequestContext } from '#http/request-context.ts'
import type { PlainEndpoint } from '#http/router.ts'
import { openTenant, type TenantRow, type Ticket, waitingRoomPath } from './ticket.ts'
import { joinClosesAt, joinOpensAt, type VisitStatus } from './visit.ts'
import { type DeadLink, deadLinkPage, policyOf, waitingRoomPage } from './waiting-room-page.ts'

type VisitRow = {
  status: VisitStatus
  clinician: string | null
  time_zone: string
  starts_at: string
  ends_at: string
  opens_at: string
  closes_at: string
}

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
): Promise<{ page: string; hasRoom: boolean } | DeadLink> {
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
      dryRun: !hasVideo(mode),
      seat: ticket.seat ?? 'patient',
    })
    return { page, hasRoom: hasVideo(mode) && isJoinable(visit.status) }
  })
}

const statuses: Record<DeadLink, number> = { unknown: 404, expired: 410, away: 503 }

type Page = { status: number; body: string; hasRoom: boolean }
const deadLink = (why: DeadLink): Page => ({
  status: statuses[why],
  body: deadLinkPage(why),
  hasRoom: false,
})

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
    if (typeof made === 'string') return deadLink(made)
    return { status: 200, body: made.page, hasRoom: made.hasRoom }
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
  'cross-origin-opener-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
}

/** The waiting room at its path. HEAD gets the answer of GET, whose body the server drops. */
export const waitingRoom = (context: AppContext): PlainEndpoint => ({
  path: `${waitingRoomPath}/:ticket`,
  async answer(call) {
    const reading = call.request.method === 'GET' || call.request.method === 'HEAD'
    const page = reading ? await answer(context, call) : deadLink('unknown')
    const { status, body, hasRoom } = page
    const sent = {
      ...headers,
      'content-security-policy': policyOf(hasRoom),
      'permissions-policy': hasRoom
        ? 'camera=(self), microphone=(self)'
        : 'camera=(), microphone=()',
      'request-id': call.id,
      'content-length': String(Buffer.byteLength(body)),
      ...(status === 503 ? { 'retry-after': '5' } : {}),
      ...(reading ? {} : { allow: 'GET, HEAD' }),
    }
    return new Response(body, { status: reading ? status : 405, headers: sent })
  },
})
