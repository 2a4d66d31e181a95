// Adds a booked call to a calendar without the invitation: links that open a new entry in a web
// calendar, and a file for all other calendars. The links have no key, because other companies see
// them.
import company from '#content/site.config.ts'
import type { Slot } from '#contract/site/discovery-call.ts'
import { invitationOf } from '#email/calendar-invitation.ts'
import { address, markup, type Markup } from '#http/html/markup.ts'

const title = `Call with ${company.name}`
const place = company.booking.place
const length = `A free ${company.booking.minutes}-minute call.`
const withoutKey = `${length} To reschedule or cancel, use the links in your email.`

/** Formats a timestamp as 20270308T180000Z. */
const compact = (moment: string) => moment.replace(/\.\d+/, '').replaceAll(/[-:]/g, '')

const google = ({ start, end }: Slot): string =>
  address('https://calendar.google.com/calendar/render', {
    action: 'TEMPLATE',
    text: title,
    dates: `${compact(start)}/${compact(end)}`,
    details: withoutKey,
    location: place,
  })

/** Outlook shows a plus sign as such. */
const outlook = (host: string, { start, end }: Slot): string =>
  address(`https://${host}/calendar/0/deeplink/compose`, {
    path: '/calendar/action/compose',
    rru: 'addevent',
    subject: title,
    startdt: start,
    enddt: end,
    body: withoutKey,
    location: place,
  }).replaceAll('+', '%20')

export function calendarLinks(slot: Slot, key: string): Markup {
  const others = [
    ['Google Calendar', google(slot)],
    ['Outlook.com', outlook('outlook.live.com', slot)],
    ['Microsoft 365', outlook('outlook.office.com', slot)],
  ] as const
  const links = others.map(
    ([label, href]) =>
      markup`<li><a href="${href}" target="_blank" rel="noreferrer">${label}</a></li>`,
  )
  return markup`<section class="booking-calendar" aria-labelledby="calendar">
    <h2 id="calendar">Add it to your calendar</h2>
    <ul>
      ${links}
      <li><a href="${address('/booking/call.ics', { key })}">Apple and others (.ics)</a></li>
    </ul>
  </section>`
}

type Entry = {
  readonly id: string
  readonly sequence: number
  readonly slot: Slot
  readonly stamp: string
  readonly organizer: string
  readonly url: string
}

/** Identical to the invitation's entry, so a calendar with both shows only one. */
export function calendarFile(entry: Entry): Response {
  const { content } = invitationOf({
    ...entry,
    isCancelled: false,
    attendee: null,
    title,
    description: `${length} To reschedule or cancel: ${entry.url}`,
  })
  return new Response(content, {
    headers: {
      'content-type': 'text/calendar; charset=utf-8; method=PUBLISH',
      'content-disposition': 'attachment; filename="call.ics"',
      'x-robots-tag': 'noindex',
    },
  })
}
