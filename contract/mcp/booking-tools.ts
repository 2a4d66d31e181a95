// The three tools about the discovery call. The sentences that a person must read before agreeing
// are passed in, because the pages and the agent share them.

import { Type } from 'typebox'
import { phonePattern, closed, moment, nullable, oneOf, text, whole } from '../shapes.ts'
import { readsOnly } from './content-tools.ts'
import type { Hints, ToolDefinition } from './tool.ts'

/** A sentence from content/consent.json with its values filled in. */
export type Say = (sentence: 'not_medical' | 'no_health') => string

export const callMinutes = 30
const daysAhead = { default: 7, max: 14 } as const

/** Hints for tools that create a booking and send email. Repeating a call returns the first
 *  result. */
const reachesOut: Hints = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: true,
}

const uri = Type.String({ format: 'uri' })
const timezone = (options: object = {}) => Type.String({ maxLength: 64, ...options })
const agreed = (description: string) =>
  Type.Unsafe<true>({ type: 'boolean', const: true, description })

const person = (names: { first: string; email: string }) => ({
  first_name: text(1, 80, { description: names.first }),
  last_name: Type.Optional(Type.String({ maxLength: 80 })),
  email: Type.String({ format: 'email', maxLength: 254, description: names.email }),
})

const retryKey = Type.Optional(
  text(8, 255, {
    description: 'Retries never book twice.',
  }),
)

const getAvailability = {
  name: 'get_availability',
  title: 'Open times for a discovery call',
  description: `Open ${callMinutes}-minute times for the free discovery call. Only booking reserves a time.`,
  input: closed({
    from: Type.Optional(Type.String({ format: 'date', description: 'First day. Default: today.' })),
    days: Type.Optional(whole(1, daysAhead.max, { default: daysAhead.default })),
    timezone: Type.Optional(
      timezone({ default: 'UTC', description: "The user's IANA time zone." }),
    ),
  }),
  output: closed({
    timezone: Type.String(),
    duration_minutes: Type.Unsafe<number>({ type: 'integer', const: callMinutes }),
    slots: Type.Array(closed({ start: moment(), end: moment() }), { maxItems: 200 }),
    booking_url: uri,
    as_of: moment(),
  }),
  hints: readsOnly,
} as const satisfies ToolDefinition

const bookDiscoveryCall = (say: Say) =>
  ({
    name: 'book_discovery_call',
    title: 'Book the free discovery call',
    description: `Books a free ${callMinutes}-minute sales call about the product for the user. Call only after the user, in this conversation, agreed to this booking and gave their own name and email. A calendar invitation is sent to that email. No test mode. ${say('not_medical')}`,
    input: closed({
      ...person({
        first: "The user's real name, as given.",
        email: "The user's own email. Never make one up.",
      }),
      user_consent: agreed(
        'true only if the user said yes to: a booking in their name, an invitation to this email, and the company keeping name and email to arrange the call.',
      ),
      start: Type.Optional(
        moment({
          description: 'From get_availability. Without it, the user picks at booking_url.',
        }),
      ),
      timezone: Type.Optional(timezone()),
      company: Type.Optional(Type.String({ maxLength: 120 })),
      notes: Type.Optional(
        Type.String({
          maxLength: 1000,
          description: `What they want to talk about. ${say('no_health')}`,
        }),
      ),
      idempotency_key: retryKey,
    }),
    output: closed({
      booking_id: Type.String(),
      status: oneOf(['confirmed', 'pick_a_time']),
      start: nullable(moment()),
      end: nullable(moment()),
      timezone: nullable(Type.String()),
      invitation_to: Type.String(),
      booking_url: uri,
      replayed: Type.Boolean(),
    }),
    hints: reachesOut,
  }) as const satisfies ToolDefinition

const requestCallback = (say: Say) =>
  ({
    name: 'request_callback',
    title: 'Request a callback',
    description:
      'Asks the company to email or call back. Call only after the user agreed and gave their own name and email. Not for medical questions or emergencies. No test mode.',
    input: closed({
      ...person({
        first: "The user's real name, as given.",
        email: "The user's own email.",
      }),
      phone: Type.Optional(
        Type.String({
          pattern: phonePattern,
          description: 'E.164; only if the user wants a phone call.',
        }),
      ),
      user_consent: agreed(
        'true only if the user agreed to be contacted at these details about the product.',
      ),
      topic: Type.Optional(Type.String({ maxLength: 500, description: say('no_health') })),
      idempotency_key: retryKey,
    }),
    output: closed({
      request_id: Type.String(),
      status: Type.Unsafe<'received'>({ type: 'string', const: 'received' }),
      reply_to: Type.String(),
      reply_by: moment(),
      replayed: Type.Boolean(),
    }),
    hints: reachesOut,
  }) as const satisfies ToolDefinition

export const bookingTools = (say: Say) => ({
  get_availability: getAvailability,
  book_discovery_call: bookDiscoveryCall(say),
  request_callback: requestCallback(say),
})
