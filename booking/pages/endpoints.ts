// The booking pages, which need no script and no account. A GET never changes anything, a form's
// POST does, and a link's key permits only that link's purpose. There is no cookie, so another
// site's page can neither act as the visitor nor use up the quota of the visitor's address.
import { consentVersion } from '#content/consent.ts'
import { Problem } from '#contract/problems.ts'
import type { Endpoint } from '#http/endpoint.ts'
import { formOf, refuseOtherSites } from '#http/html/form.ts'
import type {
  BookingService,
  BookingManagement,
  BookingDetails,
  BookingRequest,
} from '../booking-service.ts'
import { type IdempotencyStore, noStore } from '../idempotency/store.ts'
import type { Links } from '../links.ts'
import type { Opening } from '../opening.ts'
import { isReservedEmail } from '../person.ts'
import { companyZone } from '../context.ts'
import { zoneNamed } from '../zones.ts'
import {
  callPage,
  cancelPage,
  helpPage,
  limitedPage,
  existingCallPage,
  invalidLinkPage,
  notMePage,
  pickedPage,
  tooManyChangesPage,
  dryRunPage,
} from './call-pages.ts'
import { bookOnce, newOnce } from './book-once.ts'
import { calendarFile } from './calendar.ts'
import { confirmPage, type ConfirmView, movePage } from './confirm-page.ts'
import { address } from '#http/html/markup.ts'
import type { Page, Layout } from './layout.ts'
import { timesPage } from './times-page.ts'
import { shownDays } from './weeks.ts'

type PageParts = {
  readonly bookingService: BookingService & BookingManagement
  readonly idempotencyStore: IdempotencyStore
  readonly links: Links
  readonly opening: Opening
  readonly layout: Layout
  /** The company's address in calendar entries. */
  readonly organizer: string
  now(): number
  randomBytes(count: number): Uint8Array
}

/** The header on pages for dry runs, which store and send nothing. */
const dryRunHeader = { 'service-dry-run': 'true' } as const

type Values = URLSearchParams

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

const zoneIn = (values: Values): string => zoneNamed(values.get('timezone') ?? '') ?? companyZone

/** The form's start as a timestamp. Null if the text isn't a start time. */
function startIn(values: Values): string | null {
  const given = values.get('start') ?? ''
  const moment = /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(given) ? Date.parse(given) : Number.NaN
  return Number.isNaN(moment) ? null : new Date(moment).toISOString()
}

type OpenedLink = {
  readonly key: string
  readonly kept: BookingDetails
  /** Whether the link came by email, so only the email's recipient has the link. */
  readonly isFromEmail: boolean
}

const show = (parts: PageParts, page: Page) => parts.layout(page)
const lost = (parts: PageParts) => show(parts, { ...invalidLinkPage(), status: 404 })
const dryRun = (parts: PageParts) => show(parts, { ...dryRunPage(null), headers: dryRunHeader })
const seeOther = (location: string) => new Response(null, { status: 303, headers: { location } })

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
  const isOpen = kept.kind === 'call' && ['requested', 'confirmed'].includes(kept.status)
  return isOpen ? { key, call: kept, isFromEmail } : show(parts, callPage(kept, key))
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
  return show(parts, timesPage({ slots, timeZone, isChosen, ...days, key, isMoving }))
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
  const entered = { firstName: '', email: '', note: '' }
  const once = newOnce(parts.randomBytes)
  const view = { start, timeZone, once, entered, faults: [], alternatives: null }
  return show(parts, confirmPage(view))
}

async function confirm(parts: PageParts, values: Values, caller: string | null): Promise<Response> {
  if (values.has('key')) return move(parts, values)
  return book(parts, values, caller).catch((failure: unknown) => {
    if (!(failure instanceof Problem && failure.code === 'rate_limited')) throw failure
    return show(parts, { ...limitedPage(), status: 429, headers: failure.content.headers ?? {} })
  })
}

async function book(parts: PageParts, values: Values, caller: string | null): Promise<Response> {
  const timeZone = zoneIn(values)
  const start = startIn(values)
  if (start === null) return seeOther(address('/booking/times', { timezone: timeZone }))
  const text = (name: string) => values.get(name) ?? ''
  const entered = { firstName: text('first_name'), email: text('email'), note: text('note') }
  const request: BookingRequest = {
    buyer: { firstName: entered.firstName, email: entered.email },
    // A browser's User-Agent reveals a lot about the person and nothing about the booking.
    via: {
      protocol: 'web',
      agent: null,
      address: caller,
      wording: consentVersion,
      consent: true,
    },
    start,
    timeZone,
    note: entered.note,
  }
  const store = isReservedEmail(entered.email) ? noStore : parts.idempotencyStore
  const answer = await bookOnce(store, { once: text('once'), email: entered.email }, () =>
    parts.bookingService.book(request),
  )
  const form = (more: Pick<ConfirmView, 'faults' | 'alternatives'>) =>
    confirmPage({ start, timeZone, once: newOnce(parts.randomBytes), entered, ...more })
  if (answer.kind === 'invalid') {
    return show(parts, { ...form({ faults: answer.faults, alternatives: null }), status: 422 })
  }
  if (answer.kind === 'slot_taken') {
    const { alternatives } = answer
    return show(parts, { ...form({ faults: [], alternatives }), status: 409 })
  }
  if (answer.kind === 'dry_run') {
    return show(parts, { ...dryRunPage(answer.booking), headers: dryRunHeader })
  }
  if (answer.replayed) return show(parts, existingCallPage())
  const { slot, url } = answer.booking
  // The link is shown only to the person who requested the call, not to someone who only set the
  // call's time.
  if (url === parts.links.help)
    return show(parts, slot === null ? helpPage() : pickedPage(slot, timeZone))
  return seeOther(address('/booking/call', { key: new URL(url).searchParams.get('key') ?? '' }))
}

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
  // The time was taken in the meantime, so the free times around it are shown.
  return seeOther(address('/booking/times', { timezone: timeZone, key }))
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
  return show(parts, isErased ? callPage(kept, key) : notMePage(key))
}

async function reportAbuse(parts: PageParts, values: Values): Promise<Response> {
  const opened = await open(parts, values)
  if (opened instanceof Response) return opened
  await parts.bookingService.reportAbuse(opened.kept.id)
  return seeOther(address('/booking/call', { key: opened.key }))
}
