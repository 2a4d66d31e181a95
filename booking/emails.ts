// The emails a change causes: usually one to the buyer and one to sales.
import {
  type Audience,
  type EmailFacts,
  type EmailKind,
  type EmailMessage,
  noPerson,
} from '#email/message.ts'
import { type BookingContext, newId } from './context.ts'

export type About = Omit<EmailFacts, 'askedAt' | 'replyBy'> &
  Partial<Pick<EmailFacts, 'askedAt' | 'replyBy'>>

export function emailsAbout(parts: BookingContext, kind: EmailKind, about: About): EmailMessage[] {
  const facts = factsIn(parts, about)
  const message = (audience: Audience, more: Partial<EmailFacts> = {}): EmailMessage => {
    return { id: newId('mail'), audience, kind, facts: { ...facts, ...more } }
  }
  if (kind === 'abuse_reported') {
    const toSales = message('sales', noPerson)
    // The buyer gets an email only if their calendar has an invitation that must be canceled.
    return facts.before === null ? [toSales] : [message('buyer'), toSales]
  }
  return [message('buyer'), message('sales')]
}

function factsIn(parts: BookingContext, about: About): EmailFacts {
  return {
    email: about.email,
    firstName: about.firstName,
    lastName: about.lastName,
    phone: about.phone,
    company: about.company,
    note: about.note,
    slot: about.slot,
    before: about.before,
    timeZone: about.timeZone,
    protocol: about.protocol,
    agent: about.agent,
    askedAt: about.askedAt ?? new Date(parts.now()).toISOString(),
    replyBy: about.replyBy ?? null,
  }
}
