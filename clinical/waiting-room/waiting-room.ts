// Serves a join link's page. The link is the only credential until a browser is bound to it
// (entrance.ts): its encrypted ticket names the visit and its tenant, and row-level security limits
// queries to that tenant.

import { sql } from '#database/sql.ts'
import type { Connection } from '#database/pool.ts'
import {
  type AuditedCall,
  type Caller,
  insertAuditRows,
  refusedRow,
  unauthenticated,
} from '#auth/audit.ts'
import type { AppContext } from '../pipeline/perform.ts'
import { hasVideo } from '../modes.ts'
import { isJoinable, isPostponed } from '../rooms/room.ts'
import type { AskedFrom } from '#http/origins/own-origin.ts'
import { isForm } from '#http/html/form.ts'
import { BodyFault, readBody } from '#http/json-body.ts'
import type { HttpRequest } from '#http/http-request.ts'
import type { PlainEndpoint } from '#http/router.ts'
import {
  asksAtEntrance,
  bindLink,
  type Entrance,
  type Link,
  linkOf,
  readEntrance,
  tryDate,
} from './entrance.ts'
import { dateOf, entrancePage } from './entrance-page.ts'
import { limits } from '#contract/limits.ts'
import { openTenant, type TenantRow, type Ticket, waitingRoomPath } from '../visits/ticket.ts'
import { joinClosesAt, joinOpensAt, type VisitStatus } from '../visits/visit.ts'
import { type DeadLink, deadLinkPage, framing, type PageKind, policyOf } from './visit-document.ts'
import { visitCookie, type VisitCookie, type Visitor } from '../rooms/visit-cookie.ts'
import { waitingRoomPage } from './waiting-room-page.ts'

type VisitRow = {
  status: VisitStatus
  clinician: string | null
  time_zone: string
  starts_at: string
  ends_at: string
  opens_at: string
  closes_at: string
}

/** Reads the visit and inserts the read's audit row. */
const readVisit = (ticket: Ticket, caller: Caller, audited: AuditedCall) => sql`
  with found as materialized (
    select status, clinician_name as clinician, time_zone, iso(starts_at) as starts_at,
           iso(ends_at) as ends_at, iso(${joinOpensAt}) as opens_at,
           iso(${joinClosesAt}) as closes_at
      from visits
     where tenant = ${ticket.tenant}::bigint and id = ${ticket.visit}
       and patient = ${ticket.patient}
  ), audited as (${insertAuditRows(
    caller,
    audited,
    sql`select ${ticket.visit}::text, 'ok', 200::int2, null::text from found`,
  )})
  select * from found`

type Page = {
  readonly status: number
  readonly body: string
  readonly kind: PageKind
  /** The browser that the page binds with a cookie. */
  readonly bound?: Visitor
  readonly location?: string
}

const statuses: Record<DeadLink, number> = {
  unknown: 404,
  expired: 410,
  closed: 410,
  taken: 403,
  spent: 403,
  foreign: 403,
  away: 503,
}
const deadLink = (why: DeadLink): Page => ({
  status: statuses[why],
  body: deadLinkPage(why),
  kind: 'text',
})

type OpenedVisit = {
  readonly context: AppContext
  readonly cookie: VisitCookie
  readonly link: Link
  readonly visitor: Visitor | null
  readonly method: string
  readonly path: string
  readonly audited: AuditedCall
  /** The date in the submitted form, or `no date` if it has none; null for GET and HEAD. */
  readonly sent: string | 'no date' | null
}

/** A link's tenant, the tenant's time, and a connection set to the tenant. */
type Within = {
  readonly connection: Connection
  readonly tenant: TenantRow
  readonly caller: Caller
  readonly now: number
}

const within = (
  { context, link: { ticket } }: OpenedVisit,
  work: (at: Within) => Promise<Page>,
): Promise<Page> =>
  context.pools[ticket.mode].use(async connection => {
    const [tenant] = await connection.run<TenantRow>(openTenant(ticket.tenant))
    if (tenant === undefined) return deadLink('unknown')
    const { integration, organization, ahead } = tenant
    const caller = { ...unauthenticated, mode: ticket.mode, integration, organization }
    return work({ connection, tenant, caller, now: context.now() + ahead })
  })

/** A browser that entered may come back until the visit closes; any other browser needs an
 *  unexpired link. */
async function answerLink(opened: OpenedVisit, at: Within): Promise<Page> {
  const { link, visitor, cookie, method, sent } = opened
  const [entrance] = await at.connection.run<Entrance>(readEntrance(link, visitor))
  const { is_own = false, is_taken = false, tries = 0 } = entrance ?? {}
  if (is_own && visitor !== null) return visitPage(opened, at, visitor)
  if (link.ticket.expires <= at.now) return deadLink('expired')
  if (is_taken) return refuse(opened, at, 'taken')
  if (tries >= limits.joinTriesMax) return refuse(opened, at, 'spent')
  const comes = visitor ?? cookie.newVisitor()
  if (asksAtEntrance(link.ticket)) {
    if (sent !== null && sent !== 'no date') return enter(opened, at, comes, sent)
    const isFaulty = sent === 'no date'
    const body = entrancePage({ clinic: at.tenant.clinic, tries, isFaulty })
    return { status: isFaulty ? 422 : 200, body, kind: 'form' }
  }
  // HEAD returns the same page as GET, but binds nothing.
  if (method === 'HEAD') return visitPage(opened, at, comes)
  const bound = await at.connection.run(bindLink(link, comes))
  if (bound.length > 0) return { ...(await visitPage(opened, at, comes)), bound: comes }
  const [known] = await at.connection.run(readEntrance(link, null))
  return known === undefined ? deadLink('unknown') : refuse(opened, at, 'taken')
}

/** Someone may have tried a forwarded link, so the audit records the refusal. */
async function refuse(
  { audited }: OpenedVisit,
  { connection, caller }: Within,
  why: 'taken' | 'spent',
): Promise<Page> {
  await connection.run(insertAuditRows(caller, audited, refusedRow(403, `link_${why}`)))
  return deadLink(why)
}

/** Redirects to the link's page, which shows the result. */
async function enter(opened: OpenedVisit, at: Within, comes: Visitor, date: string): Promise<Page> {
  const { link, audited } = opened
  const [tried] = await at.connection.run<{ is_bound: boolean }>(
    tryDate(link, comes, date, at.caller, { ...audited, action: 'enterVisit' }),
  )
  const page: Page = { status: 303, body: '', kind: 'text', location: opened.path }
  return tried?.is_bound === true ? { ...page, bound: comes } : page
}

async function visitPage(opened: OpenedVisit, at: Within, visitor: Visitor): Promise<Page> {
  const { context, link, audited } = opened
  const { ticket } = link
  const { mode, tenant, patient } = ticket
  const [visit] = await at.connection.run<VisitRow>(readVisit(ticket, at.caller, audited))
  if (!visit) return deadLink('unknown')
  const closesAt = Date.parse(visit.closes_at)
  const joinable = isJoinable(visit.status)
  const isClosed = joinable && at.now > closesAt
  const seat = ticket.seat ?? 'patient'
  if (isClosed && seat === 'patient') return deadLink('closed')
  const opensAt = Date.parse(visit.opens_at)
  const isOpen = joinable && !isClosed && !isPostponed(visit.status, opensAt, at.now)
  const room = { kind: 'room', mode, tenant, visit: ticket.visit, patient, seat } as const
  const body = waitingRoomPage({
    visit: ticket.visit,
    status: visit.status,
    clinic: at.tenant.clinic,
    clinician: visit.clinician,
    timeZone: visit.time_zone,
    startsAt: Date.parse(visit.starts_at),
    endsAt: Date.parse(visit.ends_at),
    opensAt,
    closesAt,
    now: at.now,
    seat,
    roomTicket: hasVideo(mode)
      ? context.files.tokens.encrypt({ ...room, browser: visitor.digest, expires: closesAt })
      : null,
  })
  return { status: 200, body, kind: hasVideo(mode) && isOpen ? 'room' : 'text' }
}

const dateBytes = { bytesMax: 1024, depthMax: 1, takesJsonSuffix: false, milliseconds: 10_000 }

async function sentWith(request: HttpRequest): Promise<string> {
  const bytes = await readBody(request.raw, dateBytes)
  if (bytes instanceof BodyFault) request.closesConnection ||= bytes.isUnread
  if (bytes instanceof BodyFault || !isForm(request)) return 'no date'
  return dateOf(new URLSearchParams(new TextDecoder().decode(bytes))) ?? 'no date'
}

const reads = (method: string) => method === 'GET' || method === 'HEAD'

async function answer(
  context: AppContext,
  cookie: VisitCookie,
  request: HttpRequest,
  ticket: Ticket,
): Promise<Page> {
  const { headers, method } = request
  const asked: AskedFrom = { method, header: name => headers.get(name) }
  if (!reads(method) && !cookie.isOwn(asked)) return deadLink('foreign')
  const audited: AuditedCall = {
    surface: 'page',
    action: 'openWaitingRoom',
    target: ticket.visit,
    request: request.id,
    address: request.address,
    agent: headers.get('user-agent')?.slice(0, 256) ?? null,
  }
  const opened: OpenedVisit = {
    context,
    cookie,
    link: linkOf(ticket, writtenIn(request)),
    visitor: cookie.visitorOf(asked),
    method,
    path: request.path,
    audited,
    sent: reads(method) ? null : await sentWith(request),
  }
  try {
    return await within(opened, at => answerLink(opened, at))
  } catch (failure) {
    context.onError(failure, audited)
    return deadLink('away')
  }
}

// The page must not be cached or indexed, and must load no resources. The policy isn't
// `no-referrer`, because browsers would then send the form with `Origin: null`.
const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'referrer-policy': 'same-origin',
  'x-robots-tag': 'noindex, nofollow, noarchive',
  'cross-origin-opener-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
}

const writtenIn = (request: HttpRequest) => request.path.slice(waitingRoomPath.length + 1)

/** Serves the page at its path. HEAD gets GET's response, and the server drops the body.
 *  `consoleOrigin` may frame a clinician's page. */
export const waitingRoom = (context: AppContext, consoleOrigin?: string): PlainEndpoint => {
  const cookie = visitCookie(context.base)
  return {
    path: `${waitingRoomPath}/:ticket`,
    async answer(request) {
      const { method } = request
      const opened = context.files.tokens.open(writtenIn(request))
      const ticket = opened?.kind === 'join' ? opened : null
      const asks = ticket !== null && asksAtEntrance(ticket)
      const isServed = reads(method) || (method === 'POST' && asks)
      const page =
        ticket === null || !isServed
          ? deadLink('unknown')
          : await answer(context, cookie, request, ticket)
      const { status, body, kind, bound, location } = page
      const headers = {
        ...pageHeaders,
        ...framing(policyOf(kind), ticket?.seat === 'clinician' ? consoleOrigin : undefined),
        'permissions-policy':
          kind === 'room' ? 'camera=(self), microphone=(self)' : 'camera=(), microphone=()',
        'request-id': request.id,
        'content-length': String(Buffer.byteLength(body)),
        ...(status === 503 ? { 'retry-after': '5' } : {}),
        ...(isServed ? {} : { allow: asks ? 'GET, HEAD, POST' : 'GET, HEAD' }),
        ...(bound === undefined ? {} : cookie.headers(bound)),
        ...(location === undefined ? {} : { location }),
      }
      return new Response(body, { status: isServed ? status : 405, headers })
    },
  }
}
