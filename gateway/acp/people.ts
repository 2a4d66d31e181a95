// Converts the protocol's buyer to the booking service's, and the service's errors to the
// protocol's.
import type { Buyer, Fault as BookingFault } from '#booking/booking-service.ts'
import { isReservedEmail, readPerson } from '#booking/person.ts'
import { type Body, namesOf, readBuyer, type SentBuyer } from './read.ts'
import type { Fault } from './refusals.ts'

export function buyerOf(named: SentBuyer, company?: string): Buyer {
  const { email = '', phone_number: phone } = named
  return {
    ...namesOf(named),
    email,
    ...(phone === undefined ? {} : { phone }),
    ...(company === undefined ? {} : { company }),
  }
}

/** Whether a call is part of a dry run, which stores nothing. */
export const isDryRun = (body: Body): boolean => isReservedEmail(readBuyer(body).buyer?.email)

/** The errors that completion for this buyer would return. */
export function faultsOfBuyer(named: SentBuyer): Fault[] {
  const person = readPerson(buyerOf(named))
  return Array.isArray(person) ? person.map(faultOf) : []
}

const members: Readonly<Record<BookingFault['field'], string>> = {
  first_name: 'buyer.first_name',
  last_name: 'buyer.last_name',
  email: 'buyer.email',
  phone: 'buyer.phone_number',
  company: 'buyer.company.name',
  note: 'order_notes',
  start: 'metadata.start',
  timezone: 'timezone',
}

export function faultOf({ field, code, detail }: BookingFault): Fault {
  const member = members[field]
  const isMissing = code === 'required'
  return {
    code: isMissing ? 'missing' : 'invalid',
    param: `$.${member}`,
    message: `${member} ${detail}`,
  }
}
