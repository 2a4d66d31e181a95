// A call's page for its link's holder, and the pages that confirm a cancellation.
import company from '#content/site.config.ts'
import type { Slot } from '#contract/site/discovery-call.ts'
import type { Booking, BookingDetails, CallDetails } from '../booking-service.ts'
import { dayText, momentText } from '#http/html/times.ts'
import { calendarLinks } from './calendar.ts'
import { picked } from './confirm-page.ts'
import { address, markup, type Markup } from '#http/html/markup.ts'
import { hidden } from './times-page.ts'

type PageContent = { title: string; body: Markup }

const page = (title: string, ...body: (Markup | null)[]): PageContent => ({
  title,
  body: markup`<div class="frame booking">
    <header class="booking-head"><h1>${title}</h1></header>
    ${body.filter(part => part !== null)}
  </div>`,
})

export const callPage = (details: BookingDetails, key: string): PageContent =>
  details.kind === 'callback' ? callbackPage(details, key) : pagesOf[details.status](details, key)

const pagesOf: Record<CallDetails['status'], (call: CallDetails, key: string) => PageContent> = {
  confirmed: (call, key) =>
    page(
      call.firstName === null ? 'You’re booked' : `You’re booked, ${call.firstName}`,
      call.slot && picked(call.slot.start, call.timeZone),
      markup`<p>We emailed you the invitation. It may take a minute to arrive.</p>`,
      call.slot && calendarLinks(call.slot, key),
      markup`<p class="booking-actions">
        <a href="${address('/booking/times', { timezone: call.timeZone, key })}">Reschedule</a>
        <a href="${address('/booking/cancel', { key })}">Cancel the call</a>
      </p>`,
      origin(call, key),
    ),
  requested: (call, key) =>
    page(
      'Pick a time for your call',
      markup`<p class="booking-actions">
        <a class="button" href="${address('/booking/times', { timezone: call.timeZone, key })}"
          >Pick a time</a
        >
        <a href="${address('/booking/cancel', { key })}">Cancel the call</a>
      </p>`,
      origin(call, key),
    ),
  cancelled: (call, key) =>
    page(
      'Your call is canceled',
      call.firstName === null
        ? markup`<p>You don’t need to do anything. We erased your name and address.</p>`
        : markup`<p>
              You don’t need to do anything.
              ${call.slot === null ? '' : `It was planned for ${momentText(call.slot.start, call.timeZone)}.`}
            </p>
            <p>
              <a href="${address('/booking/times', { timezone: call.timeZone })}"
                >Book another call</a
              >
            </p>`,
      call.firstName === null ? null : origin(call, key),
    ),
  over: call =>
    page(
      'This call is over',
      markup`<p>
          ${call.slot === null ? 'No time was chosen.' : `It was on ${momentText(call.slot.start, call.timeZone)}.`}
        </p>
        <p><a href="/booking/times">Book another call</a></p>`,
    ),
}

const protocols = { acp: 'ACP', a2a: 'A2A', mcp: 'MCP', web: 'this page' } as const

type Origin = Pick<CallDetails, 'protocol' | 'agent' | 'askedAt'>

/** The request's origin, which the person has a right to see. */
function origin(
  { protocol, agent, askedAt, timeZone }: Origin & { readonly timeZone: string },
  key: string,
): Markup {
  // The same day as in the email, in the person's time zone.
  const day = dayText(askedAt, timeZone)
  const text =
    protocol === 'web'
      ? `Requested on our booking page on ${day}.`
      : `Requested by an assistant${agent === null ? '' : ` (${agent})`} through ${protocols[protocol]} on ${day}.`
  return markup`<p class="fine booking-origin">
    ${text} <a href="${address('/booking/not-me', { key })}">This wasn’t me</a>
  </p>`
}

function callbackPage(
  details: Extract<BookingDetails, { kind: 'callback' }>,
  key: string,
): PageContent {
  if (details.isErased) {
    return page(
      'Your request was withdrawn',
      markup`<p>You don’t need to do anything. We erased your name and address.</p>`,
    )
  }
  const { timeZone } = company.booking
  return page(
    'We’ll be in touch',
    markup`<p>
      We’ll reply by ${momentText(details.replyBy, timeZone)}. If we don’t, email
      <a href="mailto:${company.email.sales}">${company.email.sales}</a>.
    </p>`,
    origin({ ...details, timeZone }, key),
  )
}

const confirmForm = (
  action: string,
  key: string,
  { label, keep }: { label: string; keep: string },
): Markup =>
  markup`<form class="booking-form" method="post" action="${address(action, { key })}">
    ${hidden('key', key)}
    <p class="booking-actions">
      <button class="button button-danger">${label}</button>
      <a href="${address('/booking/call', { key })}">${keep}</a>
    </p>
  </form>`

export const cancelPage = (slot: Slot | null, timeZone: string, key: string): PageContent =>
  page(
    'Cancel the call?',
    slot && picked(slot.start, timeZone),
    slot === null
      ? markup`<p>We’ll confirm by email.</p>`
      : markup`<p>We’ll email you an update that removes it from your calendar.</p>`,
    confirmForm('/booking/cancel', key, { label: 'Cancel call', keep: 'Keep the call' }),
  )

const notMeTexts = {
  call: {
    title: 'Didn’t book this call?',
    what: 'If you didn’t ask for this call, we’ll cancel it and erase',
    label: 'Cancel and erase my details',
    keep: 'Keep the call',
  },
  pastCall: {
    title: 'Didn’t book this call?',
    what: 'We’ll erase',
    label: 'Erase my details',
    keep: 'Back to the call',
  },
  callback: {
    title: 'Didn’t ask us to contact you?',
    what: 'We’ll withdraw the request and erase',
    label: 'Withdraw and erase my details',
    keep: 'Keep the request',
  },
} as const

/** Whether a call can still get a time, or be canceled. */
export const isOpenCall = (
  details: BookingDetails,
): details is Extract<BookingDetails, { kind: 'call' }> =>
  details.kind === 'call' && (details.status === 'requested' || details.status === 'confirmed')

export function notMePage(details: BookingDetails, key: string): PageContent {
  const isPast = details.kind === 'call' && !isOpenCall(details)
  const { title, what, ...buttons } = notMeTexts[isPast ? 'pastCall' : details.kind]
  return page(
    title,
    markup`<p>
      ${what} your name, address and every other detail about you. We’ll tell our team only that it
      wasn’t you.
    </p>`,
    confirmForm('/booking/not-me', key, buttons),
  )
}

/** Shows no details of the call, because anyone can send someone else's address. */
export const existingCallPage = (): PageContent =>
  page(
    'This address already has a call',
    markup`<p>
      You can have one call at a time. The email we sent to this address has links to reschedule or
      cancel it. Nothing changed, and we sent nothing new.
    </p>`,
    markup`<p>
      No email? Check your spam folder, or write to
      <a href="mailto:${company.email.sales}">${company.email.sales}</a>.
    </p>`,
  )

export const pickedPage = (slot: Slot, timeZone: string): PageContent =>
  page(
    'You’re booked',
    picked(slot.start, timeZone),
    markup`<p>We emailed you the invitation, with links to reschedule or cancel.</p>`,
  )

export const dryRunPage = (booking: Booking | null): PageContent =>
  page(
    'Test booking: nothing was stored',
    booking?.slot ? picked(booking.slot.start, booking.timeZone) : null,
    markup`<p>
        The email address is at a domain reserved for examples and tests (RFC 2606). We checked the
        details as for a real booking, but sent and stored nothing.
      </p>
      <p><a href="/booking/times">Back to available times</a></p>`,
  )

export const helpPage = (): PageContent =>
  page(
    'Your call',
    markup`<p>Your confirmation email has links to reschedule or cancel your call.</p>
      <p>No email? Contact <a href="mailto:${company.email.sales}">${company.email.sales}</a>.</p>
      <p><a href="/booking/times">Book a call</a></p>`,
  )

export const tooManyChangesPage = (key: string): PageContent =>
  page(
    'Too many reschedules',
    markup`<p>
      Your call keeps its time. Email
      <a href="mailto:${company.email.sales}">${company.email.sales}</a> to reschedule it, or cancel
      it and book another one.
    </p>`,
    markup`<p><a href="${address('/booking/call', { key })}">Back to the call</a></p>`,
  )

export const invalidLinkPage = (): PageContent =>
  page(
    'This link isn’t valid',
    markup`<p>It may be incomplete. Open it from your email again.</p>
      <p><a href="/booking/times">Book a call</a></p>`,
  )
