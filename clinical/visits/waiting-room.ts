// Opens the waiting room for whoever holds a join link. There is no credential: what is sealed in
// the link names the visit, and the database admits the tenant that it names and no other.

import { Elysia } from 'elysia'
import { sql } from '#database/sql.ts'
import { type Asked, auditing, type Caller, nobody } from '../audit/audit.ts'
import type { AppContext } from '../pipeline/perform.ts'
import { isSandbox } from '../modes.ts'
import type { Visit as Visiting } from '../pipeline/http.ts'
import { type Ticket, waitingRoomPath } from './ticket.ts'
import { joinClosesAt, joinOpensAt, type VisitStatus } from './visit.ts'
import { type Dead, deadLinkPage, styleHash, waitingRoomPage } from './waiting-room-page.ts'

type Room = {
  integration: string
  organization: string
  clinic: string
}

type Seen = {
  status: VisitStatus
  clinician: string | null
  time_zone: string
  starts_at: string
  ends_at: string
  opens_at: string
  closes_at: string
}

/** Whose tenant a ticket is of, opened on this connection; none when it was emptied since. */
const openRoom = (tenant: string) => sql`
  select s.integration, s.organization, o.name as clinic,
         set_config('app.tenant', s.id::text, false) as opened
    from tenants s join auth.organizations o on o.id = s.organization
   where s.id = ${tenant}::bigint and s.retired_at is null`

/** The visit as its patient may see it, and the audit row that somebody did. */
const seeing = (ticket: Ticket, caller: Caller, asked: Asked) => sql`
  with found as materialized (
    select status, clinician_name as clinician, time_zone, iso(starts_at) as starts_at,
           iso(ends_at) as ends_at, iso(${joinOpensAt}) as opens_at,
           iso(${joinClosesAt}) as closes_at
      from visits
     where tenant = ${ticket.tenant}::bigint and id = ${ticket.visit}
       and patient = ${ticket.patient}
  ), audited as (${auditing(
    caller,
    asked,
    sql`select ${ticket.visit}::text, 'ok', 200::int2, null::text from found`,
  )})
  select * from found`

/** The page of a good ticket, or null when there is no such visit any more. */
async function pageOf(context: AppContext, ticket: Ticket, asked: Asked): Promise<string | null> {
  const { mode } = ticket
  return context.pools[mode].use(async connection => {
    const [room] = await connection.run<Room>(openRoom(ticket.tenant))
    if (!room) return null
    const { clinic, integration, organization } = room
    const caller = { ...nobody, mode, integration, organization }
    const [seen] = await connection.run<Seen>(seeing(ticket, caller, asked))
    if (!seen) return null
    return waitingRoomPage({
      visit: ticket.visit,
      status: seen.status,
      clinic,
      clinician: seen.clinician,
      timeZone: seen.time_zone,
      startsAt: Date.parse(seen.starts_at),
      endsAt: Date.parse(seen.ends_at),
      opensAt: Date.parse(seen.opens_at),
      closesAt: Date.parse(seen.closes_at),
      linkUntil: ticket.expires,
      now: context.now(),
      dryRun: isSandbox(mode),
    })
  })
}

const statuses: Record<Dead, number> = { unknown: 404, expired: 410, away: 503 }

type Page = { status: number; body: string }
const dead = (why: Dead): Page => ({ status: statuses[why], body: deadLinkPage(why) })

async function answer(context: AppContext, request: Request, visiting: Visiting): Promise<Page> {
  const written = new URL(request.url).pathname.slice(waitingRoomPath.length + 1)
  const ticket = context.files.tokens.open(written)
  if (ticket?.kind !== 'join') return dead('unknown')
  if (ticket.expires <= context.now()) return dead('expired')
  const asked: Asked = {
    surface: 'page',
    action: 'openWaitingRoom',
    target: ticket.visit,
    request: visiting.id,
    address: visiting.address,
    agent: request.headers.get('user-agent')?.slice(0, 256) ?? null,
  }
  try {
    const body = await pageOf(context, ticket, asked)
    return body === null ? dead('unknown') : { status: 200, body }
  } catch (failure) {
    context.onError(failure, asked)
    return dead('away')
  }
}

// Nothing is kept of the page, nothing is told of it, and nothing from elsewhere gets into it.
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

/** The waiting room at its path. `visitingOf` knows of a request what the front door does. HEAD is
 *  answered as GET is: the server leaves the body away. */
export function waitingRoom(context: AppContext, visitingOf: (request: Request) => Visiting) {
  const serve = async (request: Request) => {
    const visiting = visitingOf(request)
    const reading = request.method === 'GET' || request.method === 'HEAD'
    const { status, body } = reading ? await answer(context, request, visiting) : dead('unknown')
    const sent = {
      ...headers,
      'request-id': visiting.id,
      'content-length': String(Buffer.byteLength(body)),
      ...(status === 503 ? { 'retry-after': '5' } : {}),
      ...(reading ? {} : { allow: 'GET, HEAD' }),
    }
    return new Response(body, { status: reading ? status : 405, headers: sent })
  }
  return new Elysia({ strictPath: true }).all(
    `${waitingRoomPath}/:ticket`,
    ({ request }: { request: Request }) => serve(request),
    { parse: 'none' },
  )
}
