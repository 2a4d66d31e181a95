// What is said of video visits, each with its test.
import type { Proofs } from '../../proof.ts'

export const visits: Proofs = {
  'docs/visits.md': [
    [
      'The id is kept, the new start is claimed and the old one freed',
      'clinical/visits/reschedule.test.ts',
      'the visit keeps its id and status, and the old slot is free again',
    ],
    [
      'The link is stored nowhere',
      'sweeps/waiting-room.test.ts',
      'writes an audit row, and the link is in no log or table',
    ],
    [
      'Booking needs no consent; filing a case does',
      'clinical/visits/book.test.ts',
      'requires no consent',
    ],
    [
      'Any offset will do: the same moment is the same slot',
      'clinical/visits/book.test.ts',
      'starts_at may have any UTC offset',
    ],
    [
      'A visit may name a `case` of its patient',
      'clinical/visits/book.test.ts',
      'the visit may name a case of its patient, in any status',
    ],
    [
      'Of two callers who want one start, one gets it',
      'clinical/visits/races.test.ts',
      'bookVisit: of twenty concurrent bookings of one slot, one succeeds and nineteen get slot_unavailable',
    ],
    [
      'If the new one is taken, the visit stays where it was',
      'clinical/visits/reschedule.test.ts',
      'the new start is taken; the visit does not change',
    ],
    [
      'A visit keeps the state it was booked in',
      'clinical/visits/reschedule.test.ts',
      'the visit keeps its state after the patient moved to another',
    ],
    [
      'You learn that it is taken, and not by whom',
      'clinical/visits/shared-calendar.test.ts',
      'a start that one integration booked is free for no other one of the clinic',
    ],
    [
      "Slots are the hours of the clinic's clinicians who are licensed in the state",
      'clinical/visits/working-hours.test.ts',
      'are of clinicians who are licensed in the state until that day, and of no one else',
    ],
    [
      'a visit is booked at least an hour before its start',
      'clinical/visits/working-hours.test.ts',
      'is offered from an hour on, in the form and order of the sandbox',
    ],
    [
      'Two weeks hold 85 starts at most',
      'clinical/visits/slots.test.ts',
      'visit slots: any fourteen days have 83 to 85 slots, which fit one page of 100',
    ],
    [
      'The sandbox offers the same hours of the local clock every week, before and after a clock change',
      'clinical/visits/slots.test.ts',
      '%s around %s keeps its local hours',
    ],
    [
      'It names no patient, because a link can be passed on',
      'sweeps/waiting-room.test.ts',
      'contains no patient data',
    ],
    [
      'in live mode the patient enters with [the date of birth]',
      'sweeps/visit-entrance.test.ts',
      'the entrance asks for the date of birth, and shows nothing of the visit or the patient',
    ],
    [
      'Completion raises one charge of kind `video_visit`, and nothing else does',
      'clinical/billing/ledger.test.ts',
      'a visit whose charge is not written is not completed; moving it charges nothing',
    ],
    [
      'Both starts are free again, and neither was charged',
      'clinical/console/visits.test.ts',
      'a no-show and a canceled visit are not charged',
    ],
    [
      'Deleting a patient cancels what is still scheduled; a visit that has begun runs on',
      'clinical/visits/delete-patient.test.ts',
      'deletePatient: withdraws cases, then cancels scheduled visits in order of id, then deletes the patient',
    ],
    [
      '| `invalid_transition` on a second cancel | it is canceled already |',
      'clinical/visits/states.test.ts',
      'cancelVisit: repeating it is refused with a new key and replayed with the same key',
    ],
    [
      '| book | `visit.booked.v1` | null → `scheduled` |',
      'sweeps/table-claims.test.ts',
      'visits: the guide lists the move, the events and the statuses of each operation',
    ],
    [
      '| Saturday | 10, 11, 12 |',
      'sweeps/table-claims.test.ts',
      'visits: the guide lists the starts of each weekday of the sandbox',
    ],
    [
      'Nothing moves a visit on a timer',
      'database/console-role.test.ts',
      'nothing advances a live case on a timer: the worker may change none of what a clinic decides',
    ],
    [
      'In live mode a visit is begun and ended by the clinician, never by your calls',
      'clinical/sweeps/every-credential.test.ts',
      '${id} refuses a live key, whatever its scopes, organization or agreement',
    ],
    [
      'says who is expected, when, and in which zone',
      'sweeps/waiting-room.test.ts',
      'says who is expected, when, in the zone of the visit, and that it is a sandbox visit',
    ],
    [
      "The state of the address decides which clinician's calendar is asked",
      'clinical/visits/working-hours.test.ts',
      'are of clinicians who are licensed in the state until that day, and of no one else',
    ],
    [
      'Looking reserves nothing',
      'clinical/visits/races.test.ts',
      'bookVisit: of twenty concurrent bookings of one slot, one succeeds and nineteen get slot_unavailable',
    ],
    [
      'The other gets a 409, and nothing is written',
      'clinical/visits/races.test.ts',
      'bookVisit: of twenty concurrent bookings of one slot, one succeeds and nineteen get slot_unavailable',
    ],
    [
      'In the sandbox you do it, at any hour',
      'clinical/visits/states.test.ts',
      'sandbox controls work at any time, before and after the start',
    ],
    [
      "Its event comes right after the visit's",
      'clinical/billing/ledger.test.ts',
      'a completed visit is charged, and the event embeds the charge',
    ],
    [
      '| `slot_unavailable` | another caller was faster, or this is not a start |',
      'clinical/visits/book.test.ts',
      'the start is not a slot, is past, or is more than 60 days ahead',
    ],
    [
      '| `join_not_open` | it is too early, or too late |',
      'clinical/visits/join.test.ts',
      'is allowed from one hour before the start to half an hour after the end, to the millisecond',
    ],
    [
      'canceling the case leaves the visit standing',
      'clinical/visits/book.test.ts',
      '%s leaves the visit of the case standing',
    ],
    [
      '`time_zone` is the zone of most people of that state; show the local time and the',
      'clinical/visits/list-slots.test.ts',
      'lists the slots of fourteen days from now, with state, time zone, start and end',
    ],
    [
      'There is no list of visits: keep the ids that you booked, and follow [the',
      'sweeps/absence-claims.test.ts',
      'visits: no operation lists them',
    ],
    [
      'The id is a cursor and nothing more',
      'clinical/visits/list-slots.test.ts',
      'lists the slots of fourteen days from now',
    ],
  ],
}
