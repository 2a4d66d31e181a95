// The protocol between the platform and a clinic's pharmacy, in live mode: the transmission of each
// prescription, and the pharmacy's updates. Messages in both directions are signed according to
// Standard Webhooks. docs/pharmacies.md explains the protocol to a pharmacy's engineers.

import { Type } from 'typebox'
import { TrackingInput } from '../api/thread.ts'
import { closed, idOf, moment, oneOf, text } from '../shapes.ts'
import type { connectedTransitions } from '../states.ts'

export const pharmacyLimits = {
  /** Time limit of a transmission, from the DNS lookup to the last byte of the response. */
  attemptSeconds: 15,
  /** The maximum number of response bytes to read. */
  answerBytesMax: 16_384,
  /** The maximum size of an update. */
  updateBytesMax: 65_536,
  /** How far a signature's timestamp can be from the server's time. */
  toleranceSeconds: 300,
  /** How long a replaced secret is accepted. */
  secretGraceHours: 24,
  /** How long update IDs are remembered. */
  updateDays: 30,
} as const

/** Seconds between attempts. After the last attempt, a person decides. */
export const transmissionSchedule = [30, 120, 600, 1800, 3600, 7200, 14_400] as const

/** The type of every transmission. */
export const transmissionType = 'prescription.transmitted'

/** The transition for each type of update. */
export const updateMoves = {
  'order.at_pharmacy': 'accept',
  'order.blocked': 'block',
  'order.shipped': 'ship',
  'order.delivered': 'deliver',
  'order.failed': 'fail',
} as const satisfies Record<string, keyof typeof connectedTransitions>

export type UpdateType = keyof typeof updateMoves
export const updateTypes = Object.keys(updateMoves) as UpdateType[]

export const UpdateBody = closed({
  type: oneOf(updateTypes),
  timestamp: moment({ description: 'When it happened at the pharmacy.' }),
  data: closed({
    order: idOf('order'),
    tracking: Type.Optional(TrackingInput),
    reason: Type.Optional(text(1, 2000)),
  }),
})

const updateResults = ['applied', 'ignored'] as const
export type UpdateResult = (typeof updateResults)[number]
