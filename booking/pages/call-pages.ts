// The page of one call for whoever holds its link, and the questions before something is undone.
import company from '#content/site.config.ts'
import type { Booking, BookingDetails, CallDetails, Slot } from '../booking-service.ts'
import { dayText, momentText } from '../times.ts'
import { picked } from './confirm-page.ts'
import { address, markup, type Markup } from './markup.ts'
import { hidden } from './times-page.ts'

type Said = { title: string; body: Markup }

const page = (title: string, ...body: (Markup | null)[]): Said => ({
  title,
  body: markup`<div class="frame booking">
    <header class="booking-head"><h1>${title}</h1></header>
    ${body.filter(part => part !== null)}
  </div>`,
})

export const callPage = (kept: BookingDetails, key: string): Said =>
  kept.kind === 'callback' ? callbackPage(kept, key) : pagesOf[kept.status](kept, key)

const pagesOf: Record<CallDetails['status'], (call: CallDetails, key: string) => Said> = {
  confirmed: (call, key) =>
    page(
      call.firstName === null ? 'Your call' : `Your call, ${call.firstName}`,
      call.slot && picked(call.slot.start, call.timeZone),
      markup`<p class="booking-actions">
        <a class="button" href="${address('/booking/times', { timezone: call.timeZone, key })}"
          >Move it</a
        >
        <a href="${address('/booking/cancel', { key })}">Cancel it</a>
      </p>`,
      markup`<p>The invitation is in your mail. It may take a minute.</p>`,
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
      'The call is cancelled',
      call.firstName === null
        ? markup`<p>Nothing is left to do: your name and your address are erased here.</p>`
        : markup`<p>
              Nothing more is needed from you.
              ${call.slot === null ? '' : `It was to be on ${momentText(call.slot.start, call.timeZone)}.`}
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
          ${call.slot === null ? 'Nobody picked a time for it.' : `It was on ${momentText(call.slot.start, call.timeZone)}.`}
        </p>
        <p><a href="/booking/times">Book another one</a></p>`,
    ),
}

const protocols = { acp: 'ACP', a2a: 'A2A', mcp: 'MCP', web: 'this page' } as const

type Asked = Pick<CallDetails, 'protocol' | 'agent' | 'askedAt'>

/** Who asked in this person's name: the part of the record that they have a right to see. */
function origin(
  { protocol, agent, askedAt, timeZone }: Asked & { readonly timeZone: string },
  key: string,
): Markup {
  // The day as the mail says it: there, where this person is.
  const day = dayText(askedAt, timeZone)
  const asked =
    protocol === 'web'
      ? `Asked for on our booking page on ${day}.`
      : `Asked for by an assistant${agent === null ? '' : ` (${agent})`} by ${protocols[protocol]} on ${day}.`
  return markup`<p class="fine booking-origin">
    ${asked} <a href="${address('/booking/not-me', { key })}">This wasn’t me</a>
  </p>`
}

function callbackPage(kept: Extract<BookingDetails, { kind: 'callback' }>, key: string): Said {
  if (kept.isErased) {
    return page(
      'The request is withdrawn',
      markup`<p>Nothing is left to do: your name and your address are erased here.</p>`,
    )
  }
  return page(
    'You asked us to get in touch',
    origin({ ...kept, timeZone: company.booking.timeZone }, key),
  )
}

const operationRequest = (action: string, key: string, label: string): Markup =>
  markup`<form class="booking-form" method="post" action="${action}">
    ${hidden('key', key)}
    <p class="booking-actions">
      <button class="button button-danger">${label}</button>
      <a href="${address('/booking/call', { key })}">Leave it as it is</a>
    </p>
  </form>`

export const cancelPage = (slot: Slot | null, timeZone: string, key: string): Said =>
  page(
    'Cancel the call?',
    slot && picked(slot.start, timeZone),
    markup`<p>The entry in your calendar is taken back by mail.</p>`,
    operationRequest('/booking/cancel', key, 'Cancel the call'),
  )

export const notMePage = (key: string): Said =>
  page(
    'It wasn’t you?',
    markup`<p>
      Then the call is cancelled, and your name, your address and whatever was said about you are
      erased here. The company is told only that it was not you.
    </p>`,
    operationRequest('/booking/not-me', key, 'Cancel it and erase my details'),
  )

/** Whoever knows an address has not shown that it is theirs: nothing is said of the call. */
export const knownPage = (): Said =>
  page(
    'There is a call for this address already',
    markup`<p>
      One person has one call at a time. The mail that we sent to this address has the links that
      move or cancel it. Nothing was changed, and nothing was sent again.
    </p>`,
    markup`<p>
      No mail? Look where your program puts what it mistrusts, or write to
      <a href="mailto:${company.email.sales}">${company.email.sales}</a>.
    </p>`,
  )

export const pickedPage = (slot: Slot, timeZone: string): Said =>
  page(
    'Your call is booked',
    picked(slot.start, timeZone),
    markup`<p>The invitation is on its way to your mail, with the links that move or cancel it.</p>`,
  )

export const dryRunPage = (booking: Booking | null): Said =>
  page(
    'A rehearsal: nothing was recorded',
    booking?.slot ? picked(booking.slot.start, booking.timeZone) : null,
    markup`<p>
        The address belongs to a domain that is kept for examples and tests (RFC 2606). Everything
        was checked as for anybody else; nothing was booked, and no mail was sent.
      </p>
      <p><a href="/booking/times">Back to the times</a></p>`,
  )

export const helpPage = (): Said =>
  page(
    'Your call',
    markup`<p>The links that move or cancel a call are in the mail that confirmed it.</p>
      <p>No mail? Write to <a href="mailto:${company.email.sales}">${company.email.sales}</a>.</p>
      <p><a href="/booking/times">Book a call</a></p>`,
  )

export const lostPage = (): Said =>
  page(
    'This link opens nothing',
    markup`<p>It may have lost its end on the way: open it from the mail itself.</p>
      <p><a href="/booking/times">Book a call</a></p>`,
  )
