// What a join link carries: which visit, for whom, and until when, signed. It holds no detail of
// the patient, and nothing of it is stored.

import { prefixes, isId } from '#contract/ids.ts'
import type { Mode } from '#contract/operation.ts'
import { isSigned, type Sign } from '../signed.ts'

export type Ticket = {
  mode: Mode
  stream: string
  visit: string
  patient: string
  /** Milliseconds since 1970; it is good before this moment. */
  expires: number
}

const purpose = 'joining a visit'
/** Where the waiting room is; a ticket stands behind it. */
export const waitingRoomPath = '/visits/join'

const textOf = ({ mode, stream, visit, patient, expires }: Ticket) =>
  Buffer.from([mode, stream, visit, patient, expires].join(' ')).toString('base64url')

/** The ticket as it stands in the link. */
export function issue(sign: Sign, ticket: Ticket): string {
  const text = textOf(ticket)
  return `${text}.${sign(purpose, text)}`
}

/** The ticket that this house issued in these very characters, whether or not it is still good;
 *  null for anything else. */
export function readTicket(sign: Sign, written: string): Ticket | null {
  const [text = '', signature = '', ...more] = written.split('.')
  if (more.length > 0 || !isSigned(sign, purpose, text, signature)) return null
  const [mode, stream = '', visit = '', patient = '', until] = Buffer.from(text, 'base64url')
    .toString()
    .split(' ')
  const expires = Number(until)
  const known = (mode === 'test' || mode === 'live') && /^\d+$/.test(stream)
  if (!known || !isId(prefixes.visit, visit) || !Number.isSafeInteger(expires)) return null
  return { mode, stream, visit, patient, expires }
}
