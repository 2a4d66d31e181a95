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
  description: 'IANA zone of the state; of a state with two, the zone of most of its people.',
})

export const Visit = named('Visit', 'A live video consult with a licensed clinician.', {
  id: idOf('visit', { description: 'Kept by a reschedule.' }),
  patient: idOf('patient'),
  case: nullable(idOf('case', { description: 'The case it belongs to, if any.' })),
  status: oneOf(visitStatuses),
  state: oneOf(states, { description: "The patient's state when it was booked." }),
  time_zone: timeZone,
  starts_at: moment(),
  ends_at: moment(),
  clinician_name: nullable(text(1, 200, { description: 'null until one is assigned.' })),
  join_opens_at: moment({ description: 'One hour before starts_at.' }),
  started_at: nullable(moment()),
  ended_at: nullable(
    moment({ description: 'When it was completed, cancelled or found to be a no-show.' }),
  ),
  created_at: moment(),
  updated_at: moment(),
})

export const SlotList = named(
  'SlotList',
  'The list envelope of bookable slot starts.',
  {
    data: Type.Array(
      Type.Object({
        id: idOf('slot', { description: 'A cursor and nothing more: booking sends starts_at.' }),
        state: oneOf(states),
        time_zone: timeZone,
        starts_at: moment({ description: 'What booking sends.' }),
        ends_at: moment(),
      }),
      { description: 'Slots in ascending order of id, and so of start.' },
    ),
    has_more: Type.Boolean({ description: 'Whether another page follows.' }),
  },
  { 'x-list': true },
)

export const JoinLink = named(
  'JoinLink',
  'A link to the waiting room, bound to the patient. It is made at join time and not stored.',
  {
    visit: idOf('visit'),
    patient: idOf('patient', { description: 'Whom the link is for.' }),
    url: Type.String({ format: 'uri', description: "Opened by the patient's browser." }),
    expires_at: moment({ description: '15 minutes after the answer.' }),
  },
)

const VisitCreate = closed({
  patient: idOf('patient'),
  starts_at: moment({ description: "A slot's start for the patient's state, in any offset." }),
  case: Type.Optional(
    nullable(idOf('case', { default: null, description: 'A case of this patient.' })),
  ),
})

const VisitReschedule = closed({
  starts_at: moment({
    description: "A slot's start for the visit's state, other than its own.",
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
    summary: 'List the starts that can be booked in a state.',
    description:
      `A window is at most ${limits.slotWindowDays} days, and a start at most ` +
      `${limits.bookableDays} days ahead. Looking reserves nothing.`,
    query: closed({
      ...page('slot'),
      state: oneOf(states, { description: "USPS code: the patient's state." }),
      from: Type.Optional(
        moment({ description: 'Inclusive. Left out, or past: the moment of the call.' }),
      ),
      to: Type.Optional(
        moment({
          description: `Exclusive, after from. Left out: ${limits.slotWindowDays} days after from.`,
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
      "It claims the start for the patient's state. Of two callers who want one start, one gets " +
      'it. No consent is asked for.',
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
    summary: 'Cancel a scheduled visit and free its start.',
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
    summary: 'Move a scheduled visit to another start.',
    description:
      'The new start is claimed and the old one freed at once; when the new one is taken, the ' +
      'visit stays where it was. The visit keeps the state that it was booked in.',
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
    summary: 'Make the link with which the patient joins.',
    description:
      `It is open from ${limits.joinOpensMinutesBefore} minutes before the start until ` +
      `${limits.joinClosesMinutesAfter} minutes after the end. Each call makes a new link that ` +
      `lives ${limits.joinLinkMinutes} minutes; an older one lives out its own.`,
    status: 200,
    returns: JoinLink,
    refuses: ['invalid_transition', 'join_not_open'],
  },
})
