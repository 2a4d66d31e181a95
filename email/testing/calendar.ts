// An email's calendar, read by an independent parser.
import ical from 'ical.js'
import type { Email } from 'postal-mime'

/** Returns null if the email has no calendar. */
export function calendarIn(email: Email) {
  const part = email.attachments.find(({ mimeType }) => mimeType === 'text/calendar')
  if (part === undefined) return null
  const text =
    typeof part.content === 'string' ? part.content : new TextDecoder().decode(part.content)
  const calendar = new ical.Component(ical.parse(text))
  const event = new ical.Event(calendar.getFirstSubcomponent('vevent') ?? undefined)
  return {
    text,
    method: calendar.getFirstPropertyValue('method'),
    uid: event.uid,
    sequence: event.sequence,
    start: event.startDate.toJSDate().toISOString(),
    end: event.endDate.toJSDate().toISOString(),
    status: event.component.getFirstPropertyValue('status'),
    attendees: event.attendees.map(one => String(one.getFirstValue()).toLowerCase()),
    organizer: event.organizer.toLowerCase(),
    event,
  }
}
