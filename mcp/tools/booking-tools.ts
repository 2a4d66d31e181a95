// The three tools about the discovery call. What a person holds is decided at the desk, which is
// the same for every protocol; here its answers become words that an assistant can act on.

import type { Static } from 'typebox'
import { bookingTools, callMinutes } from '#contract/mcp/booking-tools.ts'
import type { Booking, Buyer, BookingService, Invalid, Slot, Via } from './booking-service.ts'
import { spokenMoment, inZone } from '#contract/moments.ts'
import { isNobody } from './placeholder-names.ts'
import { answer, type Fault, refusal, type ToolResult } from '../protocol/result.ts'
import { type Caller, type First, type Tool, tool } from '../protocol/tool.ts'

export type Sentence =
  | 'ask'
  | 'ask_callback'
  | 'refused'
  | 'confirmed'
  | 'pick_a_time'
  | 'not_medical'
  | 'no_health'

export type BookingParts = {
  readonly bookingService: BookingService
  /** A sentence of content/consent.json, filled in. */
  say(sentence: Sentence, values?: Readonly<Record<string, string>>): string
  /** Which wording that is; kept with every booking. */
  readonly wording: string
  /** A time zone as IANA spells it, or null where there is none of this name. */
  zoneNamed(name: string): string | null
  /** Takes one booking of those that a place may make, and answers how to give it back. */
  take(address: string | null): Promise<() => Promise<unknown>>
  /** Milliseconds since 1970. */
  now(): number
  /** The page where everybody finds the open times. */
  readonly bookingUrl: string
}

export function openBookingTools(parts: BookingParts): Tool[] {
  const { get_availability, book_discovery_call, request_callback } = bookingTools(parts.say)
  const askBooking = personFirst(() => parts.say('refused'))
  const askCallback = personFirst(() => parts.say('refused', { ask: parts.say('ask_callback') }))
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
  const none = 'Nothing is free in these days. Ask again with days 14, or with a later from.'
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
  const giveBack = await parts.take(caller.address)
  const asked = {
    buyer: buyerOf(input),
    via: viaOf(parts, caller),
    ...(start && { start }),
    ...(timeZone && { timeZone }),
    ...(notes && { note: notes }),
  }
  const found = await parts.bookingService.book(asked).catch(async (failure: unknown) => {
    await giveBack()
    throw failure
  })
  if (found.kind !== 'booked' || found.replayed) await giveBack()
  if (found.kind === 'invalid') return invalidOf(found, 'book_discovery_call', 'notes')
  if (found.kind === 'rehearsed') return realEmailRequired
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
  if (found.kind === 'rehearsed') return realEmailRequired
  return answer({
    request_id: found.id,
    status: 'received',
    reply_to: input.email,
    reply_by: found.replyBy,
    replayed: found.replayed,
  })
}

const viaOf = ({ wording }: BookingParts, { agent }: Caller): Via => ({
  protocol: 'mcp',
  agent,
  wording,
  consent: true,
})

/** As many as the output schema allows. */
const slotsMax = 200

/** Without the person's own agreement, and without a person, nothing else is looked at. */
function personFirst(question: () => string): First {
  return given => {
    if (given['user_consent'] === undefined || given['user_consent'] === false) {
      return refusal({
        code: 'consent_required',
        detail: 'user_consent is not true. Nothing was done and nothing was kept.',
        hint: question(),
      })
    }
    return isNobody(given['first_name'], given['email']) ? realNameRequired : undefined
  }
}

const realNameRequired = refusal({
  code: 'real_name_required',
  detail: 'first_name is a placeholder, not the name of a person.',
  hint: 'Ask the user for the first name they want to be called by, and pass it as they give it.',
  errors: [{ pointer: '#/first_name', code: 'placeholder', message: 'first_name is a real name.' }],
})

const realEmailRequired = refusal({
  code: 'real_email_required',
  detail: 'The email is at a domain that is reserved for examples and tests.',
  hint: 'These tools book for real. To rehearse, complete a checkout session (POST /api/acp/checkout_sessions) with this address: it behaves the same and records nothing.',
  errors: [{ pointer: '#/email', code: 'reserved_domain', message: 'email receives mail.' }],
})

const noSuchZone = refusal({
  code: 'invalid_request',
  detail: 'timezone is no time zone that there is.',
  hint: 'Pass an IANA name such as America/New_York, or leave timezone out.',
  errors: [{ pointer: '#/timezone', code: 'invalid_format', message: 'timezone is an IANA name.' }],
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

/** The desk speaks of a note; each tool has its own name for it. */
function invalidOf({ faults }: Invalid, name: string, note: string): ToolResult {
  const errors = faults.map(({ field, code, detail }): Fault => {
    const argument = field === 'note' ? note : field
    return { pointer: `#/${argument}`, code, message: detail }
  })
  const times = errors.some(({ pointer }) => pointer === '#/start')
    ? ' get_availability lists the starts that are offered.'
    : ''
  return refusal({
    code: 'invalid_request',
    detail: 'Something about the person or the time cannot be taken.',
    hint: `Fix each entry of errors with the user and call ${name} again.${times}`,
    errors,
  })
}

function taken(alternatives: readonly Slot[], timeZone: string): ToolResult {
  const open = alternatives.map(slot => localSlot(slot, timeZone))
  const others = open.map(({ start }) => start).join(', ')
  return refusal({
    code: 'slot_taken',
    detail: 'This time was taken by somebody else. Nothing was booked.',
    hint: `Offer the user another start: ${others}. get_availability lists more.`,
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
  const again = 'Already booked; use booking_url to move it. Nothing was sent again.'
  return answer(value, sentence, ...(replayed ? [again] : []))
}
