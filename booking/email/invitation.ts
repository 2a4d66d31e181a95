// The invitation as a calendar reads it (RFC 5545, RFC 5546): one UID for the whole life of a
// call, a higher SEQUENCE for each change, and moments in UTC, which every calendar shows in its
// own zone.
import ical, { ICalCalendarMethod, ICalEventStatus } from 'ical-generator'
import company from '#content/site.config.ts'
import type { Slot } from '../booking-service.ts'

export type Invitation = {
  readonly id: string
  readonly sequence: number
  readonly slot: Slot
  readonly isCancelled: boolean
  /** When it was written: the same at every try. */
  readonly stamp: string
  readonly organizer: string
  /** Whose calendar is asked; null for a copy that asks nobody. */
  readonly attendee: { readonly name: string; readonly email: string } | null
  readonly title: string
  readonly description: string
  readonly url: string
}

export type CalendarPart = { readonly method: string; readonly content: string }

export function invitationOf(invitation: Invitation): CalendarPart {
  const { id, sequence, slot, isCancelled, attendee } = invitation
  const operationRequest =
    attendee === null ? ICalCalendarMethod.PUBLISH : ICalCalendarMethod.REQUEST
  const method = isCancelled ? ICalCalendarMethod.CANCEL : operationRequest
  const calendar = ical({ prodId: { company: company.name, product: 'booking' }, method })
  calendar.createEvent({
    id: `${id}@${new URL(company.site).host}`,
    sequence,
    stamp: new Date(invitation.stamp),
    start: new Date(slot.start),
    end: new Date(slot.end),
    summary: invitation.title,
    description: invitation.description,
    location: company.booking.place,
    url: invitation.url,
    status: isCancelled ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED,
    organizer: { name: company.name, email: invitation.organizer },
    ...(attendee === null ? {} : { attendees: [{ ...attendee, rsvp: true }] }),
  })
  return { method, content: `${calendar.toString().trimEnd()}\r\n` }
}
