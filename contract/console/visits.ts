// A clinic's visits with patients, for its staff.

import { Type } from 'typebox'
import { Visit } from '../api/visits.ts'
import { limits } from '../limits.ts'
import { closed, idOf, listOf, moment, whole } from '../shapes.ts'
import type { visitTransitions } from '../states.ts'
import { CodeList, Note } from './notes.ts'
import { carers, chartReaders, defineConsole, readRow, version, writeRow } from './row.ts'

const ClinicVisit = Type.Object({
  ...Visit.properties,
  integration: Type.Object({ id: Type.String(), name: Type.String() }),
  patient_name: Type.String(),
  /** Whether the caller is the visit's clinician. */
  is_own: Type.Boolean(),
  has_draft: Type.Boolean({ description: 'Whether the caller has an unsigned note.' }),
})

/** The earliest time for each transition, in minutes from the visit's start. Null means any time.
 *  The sandbox's controls ignore the time. */
export const visitMoveOpens = {
  reschedule: null,
  cancel: null,
  join: -limits.joinOpensMinutesBefore,
  start: -limits.joinOpensMinutesBefore,
  complete: null,
  miss: limits.noShowMinutesAfter,
} as const satisfies Record<keyof typeof visitTransitions, number | null>

const move = {
  ...writeRow,
  roles: ['clinician'],
  body: closed({ version }),
  returns: Visit,
  refuses: ['invalid_transition', 'version_changed'],
} as const

export const visitRows = defineConsole({
  listClinicVisits: {
    ...readRow,
    path: '/console/visits',
    roles: chartReaders,
    summary: 'List the visits that start in a window.',
    query: closed({
      limit: Type.Optional(whole(1, limits.pageMax, { default: limits.pageMax })),
      starting_after: Type.Optional(idOf('visit', { 'x-cursor': true })),
      from: moment({ description: 'Inclusive.' }),
      to: moment({ description: 'Exclusive.' }),
    }),
    returns: listOf(ClinicVisit),
  },
  readClinicVisit: {
    ...readRow,
    path: '/console/visits/{id}',
    roles: chartReaders,
    summary: 'Read a visit and the times it could move to.',
    returns: Type.Object({
      ...ClinicVisit.properties,
      notes: Type.Array(Note),
      code_list: CodeList,
      free_times: Type.Array(moment(), {
        description:
          "Times in the next fourteen days, and the visit's own time if a colleague is free. Empty unless the visit is scheduled.",
      }),
    }),
  },
  joinClinicVisit: {
    ...readRow,
    path: '/console/visits/{id}/join',
    roles: ['clinician'],
    summary: "Create the clinician's link to a visit's video room.",
    returns: Type.Object({ visit: Type.String(), url: Type.String(), expires_at: moment() }),
    refuses: ['invalid_transition', 'join_not_open', 'license_required'],
  },
  startClinicVisit: {
    ...move,
    refuses: [...move.refuses, 'too_early', 'license_required', 'slot_unavailable'],
    path: '/console/visits/{id}/start',
    summary: "Start a visit, taking it over if it's a colleague's.",
    emits: ['visit.started.v1'],
  },
  completeClinicVisit: {
    ...move,
    path: '/console/visits/{id}/complete',
    summary: 'Complete a visit, which charges the integration.',
    emits: ['visit.completed.v1', 'charge.created.v1'],
  },
  missClinicVisit: {
    ...move,
    refuses: [...move.refuses, 'too_early'],
    path: '/console/visits/{id}/no_show',
    summary: 'Mark a visit as a no-show.',
    emits: ['visit.no_show.v1'],
  },
  cancelClinicVisit: {
    ...move,
    path: '/console/visits/{id}/cancel',
    roles: carers,
    summary: 'Cancel a visit.',
    emits: ['visit.cancelled.v1'],
  },
  moveClinicVisit: {
    ...move,
    path: '/console/visits/{id}/reschedule',
    roles: carers,
    summary: 'Move a visit to a time when a clinician is free, or to a colleague at the same time.',
    body: closed({ version, starts_at: moment() }),
    refuses: [...move.refuses, 'slot_unavailable'],
    emits: ['visit.rescheduled.v1'],
  },
})
