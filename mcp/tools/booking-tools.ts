// The three tools for the discovery call. The booking service makes all decisions, the same for
// every protocol. These tools convert the service's answers to text that an assistant can act on.

import type { Static } from 'typebox'
import { bookingTools, callMinutes } from '#contract/mcp/booking-tools.ts'
import type { Booking, Buyer, BookingService, Invalid, Slot, Via } from './booking-service.ts'
import { spokenMoment, inZone } from '#contract/moments.ts'
import { isPlaceholderName } from './placeholder-names.ts'
import { answer, type Fault, refusal, type ToolResult } from '../protocol/result.ts'
import { type Caller, type Precheck, type Tool, tool } from '../protocol/tool.ts'

type Sentence =
  | 'ask'
  | 'ask_callback'
  | 'stated'
  | 'refused'
  | 'confirmed'
  | 'pick_a_time'
  | 'not_medical'
  | 'no_health'

export type BookingParts = {
  readonly bookingService: BookingService
  /** Returns a sentence from content/consent.json, with its values filled in. */
  say(sentence: Sentence, values?: Readonly<Record<string, string>>): string
  /** The version of the consent text, stored with every booking. */
  readonly wording: string
  /** Returns a time zone in IANA's spelling, or null for an unknown name. */
  zoneNamed(name: string): string | null
  /** Milliseconds since 1970. */
  now(): number
  /** The public page with free times. */
  readonly bookingUrl: string
}

export function openBookingTools(parts: BookingParts): Tool[] {
  const { get_availability, book_discovery_call, request_callback } = bookingTools(parts.say)
  const askBooking = requirePerson(() => parts.say('refused'))
  const askCallback = requirePerson(() => parts.say('refused', { ask: parts.say('ask_callback') }))
  return [
    tool(get_availability, query => availability(parts, query)),
    tool(book_discovery_call, (input, caller) => book(parts, input, caller), askBooking),
    tool(request_callback, (input, caller) => callBack(parts, input, caller), askCallback),
  ]
}

type Input<Name extends keyof ReturnType<typeof bookingTools>> = Static<
  ReturnType<typeof bookingTools>[Name]['input']
>

async function availability(
  { bookingService, zoneNamed, now, bookingUrl }: BookingParts,
  { from, days, timezone = 'UTC' }: Input<'get_availability'>,
): Promise<ToolResult> {
  const timeZone = zoneNamed(timezone)
  if (timeZone === null) return noSuchZone
  const slots = await bookingService.availability({
    ...(from && { from }),
    ...(days && { days }),
    timeZone,
  })
  const none = 'No open times on these days. Call again with days 14 or a later from.'
  const value = {
    timezone: timeZone,
    duration_minutes: callMinutes,
    slots: slots.slice(0, slotsMax).map(slot => localSlot(slot, timeZone)),
    booking_url: bookingUrl,
    as_of: new Date(now()).toISOString(),
  }
  return answer(value, ...(slots.length === 0 ? [none] : []))
}

async function book(
  parts: BookingParts,
  input: Input<'book_discovery_call'>,
  caller: Caller,
): Promise<ToolResult> {
  const { start, notes, timezone } = input
  const timeZone = timezone === undefined ? undefined : parts.zoneNamed(timezone)
  if (timeZone === null) return noSuchZone
  const request = {
    buyer: buyerOf(input),
    via: viaOf(parts, caller),
    ...(start && { start }),
    ...(timeZone && { timeZone }),
    ...(notes && { note: notes }),
  }
  const found = await parts.bookingService.book(request)
  if (found.kind === 'invalid') return invalidOf(found, 'book_discovery_call', 'notes')
  if (found.kind === 'dry_run') return realEmailRequired
  if (found.kind === 'slot_taken') return taken(found.alternatives, timeZone ?? 'UTC')
  return booked(parts, found.booking, found.replayed, input)
}

async function callBack(
  parts: BookingParts,
  input: Input<'request_callback'>,
  caller: Caller,
): Promise<ToolResult> {
  const { topic } = input
  const found = await parts.bookingService.requestCallback({
    buyer: buyerOf(input),
    via: viaOf(parts, caller),
    ...(topic && { note: topic }),
  })
  if (found.kind === 'invalid') return invalidOf(found, 'request_callback', 'topic')
  if (found.kind === 'dry_run') return realEmailRequired
  const value = {
    request_id: found.id,
    status: 'received',
    reply_to: input.email,
    reply_by: found.replyBy,
    replayed: found.replayed,
  }
  return answer(value, parts.say('stated', { ask: parts.say('ask_callback') }))
}

const viaOf = ({ wording }: BookingParts, { agent, address }: Caller): Via => ({
  protocol: 'mcp',
  agent,
  address,
  wording,
  consent: true,
})

/** The maximum in the output schema. */
const slotsMax = 200

/** Refuses a call without the person's consent, or with a placeholder name. */
function requirePerson(question: () => string): Precheck {
  return sent => {
    if (sent['user_consent'] === undefined || sent['user_consent'] === false) {
      return refusal({
        code: 'consent_required',
        detail: 'user_consent must be true. Nothing was booked or stored.',
        hint: question(),
      })
    }
    return isPlaceholderName(sent['first_name'], sent['email']) ? realNameRequired : undefined
  }
}

const realNameRequired = refusal({
  code: 'real_name_required',
  detail: 'first_name must be the name of a person, not a placeholder.',
  hint: 'Ask the user which first name to use, and pass it unchanged.',
  errors: [
    {
      pointer: '#/first_name',
      code: 'placeholder',
      message: "first_name must be the user's real name.",
    },
  ],
})

const realEmailRequired = refusal({
  code: 'real_email_required',
  detail: 'The domain of email is reserved for examples and tests.',
  hint: 'These tools make real bookings. For a test booking, complete a checkout session with this address (POST /api/acp/checkout_sessions): nothing is sent or stored.',
  errors: [
    {
      pointer: '#/email',
      code: 'reserved_domain',
      message: 'email must be an address that receives email.',
    },
  ],
})

const noSuchZone = refusal({
  code: 'invalid_request',
  detail: 'timezone must be an IANA time zone, such as America/New_York.',
  hint: 'Pass an IANA time zone, or omit timezone.',
  errors: [
    {
      pointer: '#/timezone',
      code: 'invalid_format',
      message: 'timezone must be an IANA time zone, such as America/New_York.',
    },
  ],
})

type Person = {
  readonly first_name: string
  readonly last_name?: string | undefined
  readonly email: string
  readonly phone?: string | undefined
  readonly company?: string | undefined
}

function buyerOf({ first_name, last_name, email, phone, company }: Person): Buyer {
  return {
    firstName: first_name,
    email,
    ...(last_name && { lastName: last_name }),
    ...(phone && { phone }),
    ...(company && { company }),
  }
}

/** Maps the service's field `note` to the tool's argument. */
function invalidOf({ faults }: Invalid, name: string, note: string): ToolResult {
  const errors = faults.map(({ field, code, detail }): Fault => {
    const argument = field === 'note' ? note : field
    return { pointer: `#/${argument}`, code, message: `${argument} ${detail}` }
  })
  const times = errors.some(({ pointer }) => pointer === '#/start')
    ? ' get_availability lists the open start times.'
    : ''
  return refusal({
    code: 'invalid_request',
    detail: "The person's details or the time are not valid.",
    hint: `Fix each entry in errors with the user and call ${name} again.${times}`,
    errors,
  })
}

function taken(alternatives: readonly Slot[], timeZone: string): ToolResult {
  const open = alternatives.map(slot => localSlot(slot, timeZone))
  const others = open.map(({ start }) => start).join(', ')
  return refusal({
    code: 'slot_taken',
    detail: 'This time is already taken. Nothing was booked.',
    hint: `Offer the user another time: ${others}. get_availability lists more.`,
    alternatives: open,
  })
}

function localSlot({ start, end }: Slot, timeZone: string): Slot {
  return { start: inZone(start, timeZone), end: inZone(end, timeZone) }
}

function booked(
  { say }: BookingParts,
  { id, slot, timeZone, url }: Booking,
  replayed: boolean,
  { first_name, email }: Person,
): ToolResult {
  const local = slot && localSlot(slot, timeZone)
  const values = { first_name, email, booking_url: url }
  const sentence = slot
    ? say('confirmed', { ...values, 'start, in timezone': spokenMoment(slot.start, timeZone) })
    : say('pick_a_time', values)
  const value = {
    booking_id: id,
    status: slot ? 'confirmed' : 'pick_a_time',
    start: local?.start ?? null,
    end: local?.end ?? null,
    timezone: timeZone,
    invitation_to: email,
    booking_url: url,
    replayed,
  }
  const again = 'Already booked; nothing was sent again. To reschedule, use booking_url.'
  return answer(value, sentence, say('stated'), ...(replayed ? [again] : []))
}
