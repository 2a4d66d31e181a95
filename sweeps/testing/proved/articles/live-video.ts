// The article about live video, each with its test.
import type { Proofs } from '../../proof.ts'

export const liveVideoArticle: Proofs = {
  'articles/live-video-when.md': [
    [
      'if another caller was faster the answer is 409 `slot_unavailable`',
      'clinical/visits/races.test.ts',
      'bookVisit: of twenty concurrent bookings of one slot, one succeeds and nineteen get slot_unavailable',
    ],
    [
      "Rescheduling keeps the visit's id and is only possible while it is `scheduled`",
      'clinical/visits/states.test.ts',
      '%s: %s',
    ],
    [
      'If the new slot is taken, the old one is kept',
      'clinical/visits/reschedule.test.ts',
      'the new start is taken; the visit does not change',
    ],
    [
      "in live mode with the patient's date of birth",
      'sweeps/visit-entrance.test.ts',
      'the entrance asks for the date of birth, and shows nothing of the visit or the patient',
    ],
    [
      'A completed visit raises a `video_visit` charge, and no other event does',
      'clinical/billing/ledger.test.ts',
      'a visit whose charge is not written is not completed; moving it charges nothing',
    ],
    [
      'It can name one, and it lives by itself',
      'clinical/visits/book.test.ts',
      'the visit may name a case of its patient, in any status',
    ],
    [
      'A second press fetches a second link, and the first one keeps working until it ends by itself',
      'clinical/visits/join.test.ts',
      'each call makes a new link and writes nothing but its audit row',
    ],
    [
      'The sandbox ignores the time of day, so a visit can be started, completed or marked as missed at any moment',
      'clinical/visits/states.test.ts',
      'sandbox controls work at any time, before and after the start',
    ],
    [
      'live mode has no call for it',
      'clinical/sweeps/every-credential.test.ts',
      '${id} refuses a live key, whatever its scopes, organization or agreement',
    ],
    [
      'In live mode it leads to the visit: sound and picture go from browser to browser',
      'clinical/rooms/providers.test.ts',
      'TURN: a user name with its end, the visit and the seat, and its password by HMAC',
    ],
    [
      'Our catalog holds no controlled substance, so this API cannot be used for one',
      'clinical/medications/catalog.test.ts',
      'every default quantity is within its own maximum, and no entry is controlled',
    ],
    ['Or it is `cancelled`, or `no_show`', 'clinical/visits/states.test.ts', 'a visit in $state'],
    [
      'The join link opens a waiting room',
      'sweeps/waiting-room.test.ts',
      'says who is expected, when, in the zone of the visit, and that it is a sandbox visit',
    ],
    ['We record nothing.', 'sweeps/absence-claims.test.ts', 'video: nothing records a visit'],
    [
      '`time_zone` is the main zone of the state.',
      'clinical/visits/list-slots.test.ts',
      'lists the slots of fourteen days from now, with state, time zone, start and end',
    ],
    [
      'A visit is `scheduled`, `started`, and then `completed`.',
      'clinical/visits/states.test.ts',
      'a visit in $state',
    ],
    [
      'A slot is not reserved by looking at it',
      'clinical/visits/races.test.ts',
      'bookVisit: of twenty concurrent bookings of one slot',
    ],
    [
      'A link that is put into the reminder email is dead by the time it is pressed',
      'clinical/visits/join.test.ts',
      'is allowed from one hour before the start',
    ],
  ],
}
