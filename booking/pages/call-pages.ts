// The page of one call for the holder of its link, and the pages that confirm a cancellation.
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
        <a href="${address('/booking/times', { timezone: call.timeZone, key })}">Move it</a>
        <a href="${address('/booking/cancel', { key })}">Cancel it</a>
      </p>`,
      origin(call, key),
    ),
  requested: (call, key) =>
    page(
      'Your call has no time yet',
      markup`<p class="booking-actions">
        <a class="button" href="${address('/booking/times', { timezone: call.timeZone, key })}"
          >Pick a time</a
        >
        <a href="${address('/booking/cancel', { key })}">Cancel it</a>
      </p>`,
      origin(call, key),
    ),
  cancelled: (call, key) =>
    page(
      'The call is canceled',
      call.firstName === null
        ? markup`<p>You do not need to do anything: your name and your address are erased.</p>`
        : markup`<p>
              You do not need to do anything.
              ${call.slot === null ? '' : `It was planned for ${momentText(call.slot.start, call.timeZone)}.`}
            </p>
            <p>
              <a href="${address('/booking/times', { timezone: call.timeZone })}"
                >Book another one</a
              >
            </p>`,
      call.firstName === null ? null : origin(call, key),
    ),
  over: call =>
    page(
      'This call is over',
      markup`<p>
          ${call.slot === null ? 'No time was picked for it.' : `It was on ${momentText(call.slot.start, call.timeZone)}.`}
        </p>
        <p><a href="/booking/times">Book another one</a></p>`,
    ),
}

const protocols = { acp: 'ACP', a2a: 'A2A', mcp: 'MCP', web: 'this page' } as const

type Origin = Pick<CallDetails, 'protocol' | 'agent' | 'askedAt'>

/** The origin of the request, which the person has a right to see. */
function origin(
  { protocol, agent, askedAt, timeZone }: Origin & { readonly timeZone: string },
  key: string,
): Markup {
  // The same day as in the email: in the person's time zone.
  const day = dayText(askedAt, timeZone)
  const text =
    protocol === 'web'
      ? `Requested on our booking page on ${day}.`
      : `Requested by an assistant${agent === null ? '' : ` (${agent})`} by ${protocols[protocol]} on ${day}.`
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
      'The request is withdrawn',
      markup`<p>You do not need to do anything: your name and your address are erased.</p>`,
    )
  }
  return page(
    'You asked us to get in touch',
    origin({ ...details, timeZone: company.booking.timeZone }, key),
  )
}

const confirmForm = (action: string, key: string, label: string): Markup =>
  markup`<form class="booking-form" method="post" action="${address(action, { key })}">
    ${hidden('key', key)}
    <p class="booking-actions">
      <button class="button button-danger">${label}</button>
      <a href="${address('/booking/call', { key })}">Leave it as it is</a>
    </p>
  </form>`

export const cancelPage = (slot: Slot | null, timeZone: string, key: string): PageContent =>
  page(
    'Cancel the call?',
    slot && picked(slot.start, timeZone),
    markup`<p>We email you an update that removes the entry from your calendar.</p>`,
    confirmForm('/booking/cancel', key, 'Cancel the call'),
  )

export const notMePage = (key: string): PageContent =>
  page(
    'Was this not you?',
    markup`<p>
      If you did not request this call, we cancel it and erase your name, your address and every
      other detail about you. The company learns only that it was not you.
    </p>`,
    confirmForm('/booking/not-me', key, 'Cancel it and erase my details'),
  )

/** Shows nothing about the call, because sending an address does not prove that one owns it. */
export const existingCallPage = (): PageContent =>
  page(
    'This address already has a call',
    markup`<p>
      One person has one call at a time. The email that we sent to this address has the links that
      move or cancel it. Nothing was changed, and nothing was sent again.
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
    markup`<p>We emailed you the invitation, with the links that move or cancel the call.</p>`,
  )

export const dryRunPage = (booking: Booking | null): PageContent =>
  page(
    'A test booking: nothing was stored',
    booking?.slot ? picked(booking.slot.start, booking.timeZone) : null,
    markup`<p>
        The email address is at a domain reserved for examples and tests (RFC 2606). The details were
        checked as for a real booking; nothing was sent and nothing was stored.
      </p>
      <p><a href="/booking/times">Back to the times</a></p>`,
  )

export const helpPage = (): PageContent =>
  page(
    'Your call',
    markup`<p>The links that move or cancel a call are in the email that confirmed it.</p>
      <p>No email? Write to <a href="mailto:${company.email.sales}">${company.email.sales}</a>.</p>
      <p><a href="/booking/times">Book a call</a></p>`,
  )

export const limitedPage = (): PageContent =>
  page(
    'Too many calls were booked from this network',
    markup`<p>
      Nothing was booked. Try again in an hour, or write to
      <a href="mailto:${company.email.sales}">${company.email.sales}</a>.
    </p>`,
  )

export const tooManyChangesPage = (key: string): PageContent =>
  page(
    'This call was moved too often',
    markup`<p>
      Its time stays as it is. Write to
      <a href="mailto:${company.email.sales}">${company.email.sales}</a> to move it again, or
      cancel it and book another one.
    </p>`,
    markup`<p><a href="${address('/booking/call', { key })}">Back to the call</a></p>`,
  )

export const invalidLinkPage = (): PageContent =>
  page(
    'This link is not valid',
    markup`<p>It may be incomplete. Open it from the email again.</p>
      <p><a href="/booking/times">Book a call</a></p>`,
  )
