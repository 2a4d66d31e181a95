// The site's A2A agent. The agent books a call if a data part has the person's name and email
// address, and replies to any other message with fixed text that lists the required details.
import type { Message, Part } from '@a2a-js/sdk'
import { a2aExample, a2aFields } from '#contract/site/a2a.ts'
import { consentVersion, say } from '#content/consent.ts'
import { emergencyNotice, soundsLikeEmergency } from '#content/ranking/emergency.ts'
import { confirmationOf, dryRunNotice } from '#booking/confirmation.ts'
import type { Booking, Buyer, BookingService, Fault } from '#booking/booking-service.ts'
import { isObject } from './envelope.ts'

/** The agent's reply: text for people, data for programs. */
export type AgentReply = {
  readonly text: string
  /** A second text part. */
  readonly more?: string
  readonly data?: Readonly<Record<string, unknown>>
  /** Whether a call was booked. If so, the same message gets the same reply. */
  readonly isDone?: boolean
  /** Whether the booking was a test, which sends and stores nothing. */
  readonly isDryRun?: boolean
}

type Form = Readonly<Record<string, unknown>>

const example = JSON.stringify(a2aExample)
const how = `Send one data part: ${example}. Optional fields: ${Object.entries(a2aFields)
  .filter(([, isRequired]) => !isRequired)
  .map(([name]) => name)
  .join(', ')}.`

/** Built once, because most replies include this text. */
const stated = say('stated')

/** The reply to a message that doesn't book a call. */
export const asksForDetails: AgentReply = {
  text: `I can book the call. Ask your user first. ${stated} ${how} ${say('not_medical')} ${say('no_health')}`,
}

/** The reply to a message that sounds like an emergency. */
export const leadsToHelp: AgentReply = {
  text: `${emergencyNotice} This agent only books calls with a company.`,
}

/** Whether a text part sounds like an emergency. */
export const isUrgent = (parts: readonly Part[]): boolean =>
  parts.some(
    ({ content }) => content?.$case === 'text' && soundsLikeEmergency(String(content.value)),
  )

type Caller = { readonly agent: string | null; readonly address: string | null }

/** A message's explicit consent statement; undefined if it has none. */
export function consentIn({ parts, metadata }: Message): boolean | undefined {
  const stated = [metadata, ...parts.map(({ content }) => content?.value)].flatMap(each => {
    const value = isObject(each) ? each['user_consent'] : undefined
    return value === undefined || value === null ? [] : [value]
  })
  return stated.length === 0 ? undefined : stated.every(value => value === true)
}

export const refused: AgentReply = {
  text: say('refused'),
  data: { status: 'refused', code: 'consent_required' },
}

/** The first data part that is an object. Details aren't extracted from text parts. */
export function formIn(parts: readonly Part[]): Form | undefined {
  for (const { content } of parts) {
    if (content?.$case !== 'data') continue
    if (isObject(content.value)) return content.value
  }
  return undefined
}

export async function bookFrom(
  bookingService: BookingService,
  form: Form,
  consent: boolean | undefined,
  caller: Caller,
): Promise<AgentReply> {
  const { texts, faults } = readForm(form)
  if (faults.length > 0) return asksAgain(faults)
  const { start, timezone: timeZone, notes: note } = texts
  const buyer = buyerOf(texts)
  const answer = await bookingService.book({
    buyer,
    via: {
      protocol: 'a2a',
      ...caller,
      wording: consentVersion,
      ...(consent === undefined ? {} : { consent }),
    },
    ...(start === undefined ? {} : { start }),
    ...(timeZone === undefined ? {} : { timeZone }),
    ...(note === undefined ? {} : { note }),
  })
  if (answer.kind === 'invalid') {
    return asksAgain(answer.faults.map(each => ({ ...each, field: nameOf(each.field) })))
  }
  if (answer.kind === 'slot_taken') {
    const free = answer.alternatives.map(({ start: at }) => at)
    return {
      text: `Not booked: this time is taken. The nearest open times are ${free.join(', ')}. ${how}`,
      more: stated,
      data: { status: 'slot_taken', code: 'slot_taken', alternatives: answer.alternatives },
    }
  }
  const replayed = answer.kind === 'booked' && answer.replayed
  const reply = { ...booked(buyer, answer.booking, replayed, form), isDone: true }
  if (answer.kind === 'booked') return reply
  return { ...reply, text: `${reply.text} ${dryRunNotice}`, isDryRun: true }
}

const textFields = Object.entries(a2aFields).filter(([name]) => name !== 'user_consent')

type Texts = Partial<Record<keyof typeof a2aFields, string>>
type InvalidField = { readonly field: string; readonly detail: string }

/** Every known string field; null counts as absent. */
function readForm(form: Form): { texts: Texts; faults: InvalidField[] } {
  const texts: Texts = {}
  const faults: InvalidField[] = []
  for (const [name, isRequired] of textFields) {
    const value = form[name] ?? undefined
    if (typeof value === 'string') texts[name as keyof Texts] = value
    else if (value !== undefined) faults.push({ field: name, detail: 'must be a string.' })
    else if (isRequired) faults.push({ field: name, detail: 'must be present.' })
  }
  return { texts, faults }
}

function buyerOf({ first_name = '', email = '', last_name, phone, company }: Texts): Buyer {
  return {
    firstName: first_name,
    email,
    ...(last_name === undefined ? {} : { lastName: last_name }),
    ...(phone === undefined ? {} : { phone }),
    ...(company === undefined ? {} : { company }),
  }
}

const nameOf = (field: Fault['field']) => (field === 'note' ? 'notes' : field)

function asksAgain(faults: readonly InvalidField[]): AgentReply {
  const named = faults.map(({ field, detail }) => `${field} ${detail}`)
  return {
    text: `Not booked. ${named.join(' ')} ${how}`,
    more: stated,
    data: {
      status: 'input_required',
      code: 'invalid_request',
      errors: faults.map(({ field, detail }) => ({ field, detail: `${field} ${detail}` })),
    },
  }
}

function booked(buyer: Buyer, booking: Booking, replayed: boolean, form: Form): AgentReply {
  const { id, slot, timeZone, url } = booking
  const ignored = Object.keys(form).filter(name => !Object.hasOwn(a2aFields, name))
  const notes = ignored.length > 0 ? ` Ignored: ${ignored.slice(0, 10).join(', ')}.` : ''
  return {
    text: confirmationOf(buyer, booking) + notes.slice(0, 300),
    more: stated,
    data: {
      booking_id: id,
      status: slot === null ? 'pick_a_time' : 'confirmed',
      start: slot?.start ?? null,
      end: slot?.end ?? null,
      timezone: timeZone,
      invitation_to: buyer.email,
      booking_url: url,
      replayed,
    },
  }
}
