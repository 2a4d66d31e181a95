import type { EmailFacts } from '../message.ts'

/** Facts about a rescheduled call, as its emails use them. */
export const callFacts: EmailFacts = {
  email: 'zoe@rivera-clinic.com',
  firstName: 'Zoë',
  lastName: 'Rivera',
  phone: null,
  company: null,
  note: null,
  slot: { start: '2027-03-08T18:00:00.000Z', end: '2027-03-08T18:30:00.000Z' },
  before: { start: '2027-03-05T18:00:00.000Z', end: '2027-03-05T18:30:00.000Z' },
  timeZone: 'America/New_York',
  protocol: 'acp',
  agent: 'Agent/2',
  askedAt: '2027-03-04T15:00:00.000Z',
  replyBy: null,
}
