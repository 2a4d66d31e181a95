// The booking pages, which need no script and no account. A GET never changes anything, a form's
// POST does, and a link's key permits only that link's purpose. There is no cookie, so another
// site's page can neither act as the visitor nor use up the quota of the visitor's address.
import type { Endpoint } from '#http/endpoint.ts'
import { formOf, refuseOtherSites } from '#http/html/form.ts'
import { address } from '#http/html/markup.ts'
import { dateIn } from '#http/html/times.ts'
import type { BookingDetails } from '../booking-service.ts'
import { companyZone } from '../context.ts'
import { zoneNamed } from '../zones.ts'
import { bookCall, formPage } from './book-call.ts'
import {
  callPage,
  cancelPage,
  helpPage,
  invalidLinkPage,
  isOpenCall,
  notMePage,
  tooManyChangesPage,
  dryRunPage,
} from './call-pages.ts'
import { calendarFile } from './calendar.ts'
import { movePage } from './confirm-page.ts'
import {
  dryRunHeader,
  type PageParts,
  seeOther,
  show,
  startIn,
  type Values,
  zoneIn,
} from './page-parts.ts'
import { isTimeRefusal, timesPage } from './times-page.ts'
import { shownDays } from './weeks.ts'

export function pageEndpoints(parts: PageParts): Endpoint[] {
  const shows = (path: string, show: (parts: PageParts, values: Values) => Promise<Response>) =>
    endpoint(path, ['GET'], request => show(parts, request.url.searchParams))
  const asks = (
    path: string,
    show: (parts: PageParts, values: Values) => Promise<Response>,
    change: (parts: PageParts, values: Values, address: string | null) => Promise<Response>,
  ) =>
    endpoint(path, ['GET', 'POST'], async request => {
      if (request.method !== 'POST') return show(parts, request.url.searchParams)
      refuseOtherSites(request)
      return change(parts, await formOf(request), request.address)
    })
  return [
    shows('/booking/times', showTimes),
    shows('/booking/call', showCall),
    shows('/booking/call.ics', sendCalendar),
    asks('/booking/confirm', showConfirm, confirm),
    asks('/booking/cancel', showCancel, cancel),
    asks('/booking/not-me', showNotMe, reportAbuse),
  ]
}

const endpoint = (path: string, methods: string[], answer: Endpoint['answer']): Endpoint => ({
  path,
  methods,
  errorFormat: 'page',
  answer,
})

type OpenedLink = {
  readonly key: string
  readonly kept: BookingDetails
  /** Whether the link came by email, so only the email's recipient has the link. */
  readonly isFromEmail: boolean
}

const lost = (parts: PageParts) => show(parts, { ...invalidLinkPage(), status: 404 })
const dryRun = (parts: PageParts) => show(parts, { ...dryRunPage(null), headers: dryRunHeader })

/** Finds the call or callback for a key. Returns a page if the key is invalid or from a dry run. */
async function open(parts: PageParts, values: Values): Promise<OpenedLink | Response> {
  const key = values.get('key') ?? ''
  const opened = parts.links.read(key)
  if (opened === null) return lost(parts)
  if (opened.source === 'dry_run') return dryRun(parts)
  const kept = await parts.bookingService.find(opened.id)
  return kept === null ? lost(parts) : { key, kept, isFromEmail: opened.source === 'email' }
}

/** Finds a call that can still get a time. For any other call, returns the call's page. */
async function openCall(parts: PageParts, values: Values) {
  const opened = await open(parts, values)
  if (opened instanceof Response) return opened
  const { kept, key, isFromEmail } = opened
  return isOpenCall(kept) ? { key, call: kept, isFromEmail } : show(parts, callPage(kept, key))
}

async function showTimes(parts: PageParts, values: Values): Promise<Response> {
  const isKeyed = values.has('key')
  const opened = isKeyed ? await openCall(parts, values) : null
  if (opened instanceof Response) return opened
  const chosen = zoneNamed(values.get('timezone') ?? '')
  const timeZone = chosen ?? opened?.call.timeZone ?? companyZone
  const isChosen = chosen !== null || timeZone !== companyZone
  const days = shownDays(parts.opening, parts.now(), timeZone, values.get('from'))
  const slots = await parts.bookingService.availability({
    from: days.from,
    days: days.count,
    timeZone,
  })
  const isMoving = opened?.call.status === 'confirmed'
  const key = opened?.key
  const given = values.get('refused')
  const refused = isTimeRefusal(given) ? given : null
  return show(parts, timesPage({ slots, timeZone, isChosen, ...days, key, isMoving, refused }))
}

async function showCall(parts: PageParts, values: Values): Promise<Response> {
  if (!values.has('key')) return show(parts, helpPage())
  const opened = await open(parts, values)
  return opened instanceof Response ? opened : show(parts, callPage(opened.kept, opened.key))
}

async function sendCalendar(parts: PageParts, values: Values): Promise<Response> {
  const opened = await openCall(parts, values)
  if (opened instanceof Response) return opened
  const { id, sequence, slot } = opened.call
  const { key } = opened
  if (slot === null) return seeOther(address('/booking/call', { key }))
  const { links, organizer } = parts
  const stamp = new Date(parts.now()).toISOString()
  const url = address(links.help, { key })
  return calendarFile({ id, sequence, slot, stamp, organizer, url })
}

async function showConfirm(parts: PageParts, values: Values): Promise<Response> {
  const timeZone = zoneIn(values)
  const start = startIn(values)
  const key = values.get('key') ?? undefined
  if (start === null) return seeOther(address('/booking/times', { timezone: timeZone, key }))
  if (key !== undefined) {
    const opened = await openCall(parts, values)
    if (opened instanceof Response) return opened
    return show(parts, movePage({ start, timeZone, key }, opened.call.slot))
  }
  return show(parts, formPage(parts, { start, timeZone }))
}

const confirm = (parts: PageParts, values: Values, caller: string | null): Promise<Response> =>
  values.has('key') ? move(parts, values) : bookCall(parts, values, caller)

async function move(parts: PageParts, values: Values): Promise<Response> {
  const opened = await openCall(parts, values)
  if (opened instanceof Response) return opened
  const { key, call, isFromEmail } = opened
  const timeZone = zoneIn(values)
  const answer = await parts.bookingService.move(call.id, values.get('start') ?? '', timeZone)
  if (isFromEmail && answer.kind === 'moved') await parts.bookingService.confirmPerson(call.id)
  if (answer.kind === 'too_many_changes') {
    return show(parts, { ...tooManyChangesPage(key), status: 409 })
  }
  if (answer.kind === 'moved' || answer.kind === 'closed') {
    return seeOther(address('/booking/call', { key }))
  }
  // The free times from that day on are shown, with the reason.
  const start = startIn(values)
  const from = start === null ? undefined : dateIn(start, timeZone)
  const refused = answer.kind
  return seeOther(address('/booking/times', { from, timezone: timeZone, refused, key }))
}

async function showCancel(parts: PageParts, values: Values): Promise<Response> {
  const opened = await openCall(parts, values)
  if (opened instanceof Response) return opened
  const { key, call } = opened
  return show(parts, cancelPage(call.slot, call.timeZone, key))
}

async function cancel(parts: PageParts, values: Values): Promise<Response> {
  const opened = await openCall(parts, values)
  if (opened instanceof Response) return opened
  await parts.bookingService.cancel(opened.call.id)
  return seeOther(address('/booking/call', { key: opened.key }))
}

async function showNotMe(parts: PageParts, values: Values): Promise<Response> {
  const opened = await open(parts, values)
  if (opened instanceof Response) return opened
  const { kept, key } = opened
  const isErased = kept.kind === 'call' ? kept.firstName === null : kept.isErased
  return show(parts, isErased ? callPage(kept, key) : notMePage(kept, key))
}

async function reportAbuse(parts: PageParts, values: Values): Promise<Response> {
  const opened = await open(parts, values)
  if (opened instanceof Response) return opened
  await parts.bookingService.reportAbuse(opened.kept.id)
  return seeOther(address('/booking/call', { key: opened.key }))
}
