// The calendar invitation (RFC 5545, RFC 5546): one UID per call, a higher SEQUENCE for each
// change, and times in UTC, which every calendar shows in its own time zone.
import ical, { ICalCalendarMethod, ICalEventStatus } from 'ical-generator'
import company from '#content/site.config.ts'
import type { Slot } from '#contract/site/discovery-call.ts'
import { headerText } from './prose.ts'

type Invitation = {
  readonly id: string
  readonly sequence: number
  readonly slot: Slot
  readonly isCancelled: boolean
  /** When the email was queued, which is the same in every attempt. */
  readonly stamp: string
  readonly organizer: string
  /** The invited person; null for a copy without an invitation. */
  readonly attendee: { readonly name: string; readonly email: string } | null
  readonly title: string
  readonly description: string
  readonly url: string
}

type CalendarPart = { readonly method: string; readonly content: string }

export function invitationOf(invitation: Invitation): CalendarPart {
  const { id, sequence, slot, isCancelled, attendee } = invitation
  const requestMethod = attendee === null ? ICalCalendarMethod.PUBLISH : ICalCalendarMethod.REQUEST
  const method = isCancelled ? ICalCalendarMethod.CANCEL : requestMethod
  const calendar = ical({ prodId: { company: company.name, product: 'booking' }, method })
  calendar.createEvent({
    id: `${id}@${new URL(company.site).host}`,
    sequence,
    stamp: new Date(invitation.stamp),
    start: new Date(slot.start),
    end: new Date(slot.end),
    summary: headerText(invitation.title),
    description: invitation.description,
    location: company.booking.place,
    url: invitation.url,
    status: isCancelled ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED,
    organizer: { name: company.name, email: invitation.organizer },
    ...(attendee === null
      ? {}
      : { attendees: [{ ...attendee, name: headerText(attendee.name), rsvp: true }] }),
  })
  return { method, content: `${calendar.toString().trimEnd()}\r\n` }
}
