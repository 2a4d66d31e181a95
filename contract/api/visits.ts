// Video visits: free slots, booked visits and join links.

import { Type } from 'typebox'
import { limits } from '../limits.ts'
import { define } from '../operation.ts'
import { closed, idOf, moment, named, nullable, oneOf, text } from '../shapes.ts'
import { visitStatuses } from '../states.ts'
import { states } from './address.ts'
import { page } from './answers.ts'

const timeZone = Type.String({
  minLength: 1,
  maxLength: 64,
  description:
    'IANA time zone of the state. If a state has two, the one where most of its people live.',
})

export const Visit = named('Visit', 'A live video consult with a licensed clinician.', {
  id: idOf('visit', { description: 'Stays the same when the visit is rescheduled.' }),
  patient: idOf('patient'),
  case: nullable(idOf('case', { description: 'The case the visit belongs to, if any.' })),
  status: oneOf(visitStatuses),
  state: oneOf(states, { description: "The patient's state when the visit was booked." }),
  time_zone: timeZone,
  starts_at: moment(),
  ends_at: moment(),
  clinician_name: nullable(
    text(1, 200, { description: 'The clinician for the visit. null until one is assigned.' }),
  ),
  join_opens_at: moment({
    description: `${limits.joinOpensMinutesBefore} minutes before starts_at.`,
  }),
  started_at: nullable(moment()),
  ended_at: nullable(
    moment({ description: 'When the visit was completed, canceled or marked as a no-show.' }),
  ),
  created_at: moment(),
  updated_at: moment(),
})

export const SlotList = named(
  'SlotList',
  'A list of slots you can book.',
  {
    data: Type.Array(
      Type.Object({
        id: idOf('slot', { description: 'For pagination only. To book the slot, send starts_at.' }),
        state: oneOf(states),
        time_zone: timeZone,
        starts_at: moment({ description: 'Send this to book the slot.' }),
        ends_at: moment(),
      }),
      { description: 'Slots in ascending order of ID, and so of start time.' },
    ),
    has_more: Type.Boolean({ description: 'Whether there is another page.' }),
  },
  { 'x-list': true },
)

export const JoinLink = named(
  'JoinLink',
  "A link to the patient's waiting room, created on request and not stored.",
  {
    visit: idOf('visit'),
    patient: idOf('patient', { description: 'The patient the link is for.' }),
    url: Type.String({ format: 'uri', description: "Open this in the patient's browser." }),
    expires_at: moment({ description: `${limits.joinLinkMinutes} minutes after the response.` }),
  },
)

const VisitCreate = closed({
  patient: idOf('patient'),
  starts_at: moment({
    description: "The start of a slot in the patient's state, in any UTC offset.",
  }),
  case: Type.Optional(
    nullable(idOf('case', { default: null, description: "One of this patient's cases." })),
  ),
})

const VisitReschedule = closed({
  starts_at: moment({
    description: "The start of another slot in the visit's state.",
  }),
})

export const visits = define({
  listSlots: {
    method: 'GET',
    path: '/v1/visits/slots',
    tag: 'Visits',
    scope: 'visits:read',
    mode: 'both',
    tool: true,
    summary: 'List the slots you can book in a state.',
    description:
      `The window can span at most ${limits.slotWindowDays} days, and slots open ` +
      `${limits.bookableDays} days ahead. Listing slots reserves nothing.`,
    query: closed({
      ...page('slot'),
      state: oneOf(states, { description: "USPS code: the patient's state.", example: 'CA' }),
      from: Type.Optional(
        moment({
          description: 'Inclusive. The default, and the earliest, is the time of the request.',
        }),
      ),
      to: Type.Optional(
        moment({
          description: `Exclusive, after from. Default: ${limits.slotWindowDays} days after from.`,
        }),
      ),
    }),
    status: 200,
    returns: SlotList,
  },
  bookVisit: {
    method: 'POST',
    path: '/v1/visits',
    tag: 'Visits',
    scope: 'visits:write',
    mode: 'both',
    tool: true,
    summary: 'Book a visit.',
    description:
      "Books a slot in the patient's state. If two callers want the same slot, one gets it. No " +
      'consent is required.',
    body: VisitCreate,
    status: 201,
    returns: Visit,
    emits: ['visit.booked.v1'],
    refuses: ['slot_unavailable'],
  },
  getVisit: {
    method: 'GET',
    path: '/v1/visits/{id}',
    tag: 'Visits',
    scope: 'visits:read',
    mode: 'both',
    tool: true,
    summary: 'Read a visit.',
    status: 200,
    returns: Visit,
  },
  cancelVisit: {
    method: 'POST',
    path: '/v1/visits/{id}/cancel',
    tag: 'Visits',
    scope: 'visits:write',
    mode: 'both',
    tool: true,
    summary: 'Cancel a scheduled visit and free its slot.',
    body: 'none',
    status: 200,
    returns: Visit,
    emits: ['visit.cancelled.v1'],
    refuses: ['invalid_transition'],
  },
  rescheduleVisit: {
    method: 'POST',
    path: '/v1/visits/{id}/reschedule',
    tag: 'Visits',
    scope: 'visits:write',
    mode: 'both',
    tool: true,
    summary: 'Move a scheduled visit to another slot.',
    description:
      'Books the new slot and frees the old one together. If the new slot is taken, the visit does ' +
      'not change. The visit keeps the state it was booked in.',
    body: VisitReschedule,
    status: 200,
    returns: Visit,
    emits: ['visit.rescheduled.v1'],
    refuses: ['invalid_transition', 'slot_unavailable'],
  },
  getJoinLink: {
    method: 'GET',
    path: '/v1/visits/{id}/join',
    tag: 'Visits',
    scope: 'visits:read',
    mode: 'both',
    tool: true,
    summary: 'Create a link for the patient to join a visit.',
    description:
      `Available from ${limits.joinOpensMinutesBefore} minutes before the start until ` +
      `${limits.joinClosesMinutesAfter} minutes after the end. Each request creates a new link that ` +
      `expires after ${limits.joinLinkMinutes} minutes; earlier links stay valid until they expire. ` +
      'A link works in the first browser that enters. In live mode patients enter their date of birth.',
    status: 200,
    returns: JoinLink,
    refuses: ['invalid_transition', 'join_not_open'],
  },
})
