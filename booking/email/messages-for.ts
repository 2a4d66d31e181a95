// Which mail a change causes: one to the buyer, one to sales, and to nobody what is not theirs to
// know.
import type { Audience, Letter, LetterFacts, LetterKind } from './message.ts'
import { type DeskParts, newId } from '../context.ts'

export type About = Omit<LetterFacts, 'askedAt' | 'replyBy'> &
  Partial<Pick<LetterFacts, 'askedAt' | 'replyBy'>>

/** Where it is told without a word of who it was. */
export const nobody = {
  email: '',
  firstName: '',
  lastName: null,
  phone: null,
  company: null,
  note: null,
}

export function lettersAbout(parts: DeskParts, kind: LetterKind, about: About): Letter[] {
  const facts = factsIn(parts, about)
  const letter = (audience: Audience, more: Partial<LetterFacts> = {}): Letter => {
    return { id: newId(parts, 'mail'), audience, kind, facts: { ...facts, ...more } }
  }
  if (kind === 'disowned') {
    const toSales = letter('sales', nobody)
    // A calendar that holds the invitation must be told; who never had one is left in peace.
    return facts.before === null ? [toSales] : [letter('buyer'), toSales]
  }
  return [letter('buyer'), letter('sales')]
}

function factsIn(parts: DeskParts, about: About): LetterFacts {
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
