// The text of every email to buyers and sales: a few lines, the facts, and links. The legal
// notices in the footer come from `content/consent.json`.
import { say } from '#content/consent.ts'
import company from '#content/site.config.ts'
import { placeName } from '#content/opening-hours.ts'
import type { Audience, EmailFacts, EmailKind } from './message.ts'
import type { Links } from '../links.ts'
import { dayText, momentText } from '../times.ts'

export type Line =
  | string
  | { readonly label: string; readonly href: string }
  | { readonly rows: readonly (readonly [name: string, value: string])[] }

export type Prose = {
  readonly subject: string
  readonly lines: readonly Line[]
  /** The footer: smaller, below a rule. */
  readonly foot: readonly string[]
}

type EmailInput = {
  readonly id: string
  readonly kind: EmailKind
  readonly facts: EmailFacts
  readonly links: Links
}

export const proseFor = (audience: Audience, input: EmailInput): Prose =>
  audience === 'sales' ? toSales(input) : toBuyer(input)

const minutes = `${company.booking.minutes} minutes`

function toBuyer(input: EmailInput): Prose {
  const { subject, lines } = buyerWords[input.kind](input)
  const greeting = input.kind === 'abuse_reported' ? 'Hello,' : `Hello ${input.facts.firstName},`
  return { subject, lines: [greeting, ...lines], foot: buyerFoot(input) }
}

type Words = (input: EmailInput) => { subject: string; lines: Line[] }

const when = ({ slot, timeZone }: EmailFacts): string =>
  slot === null ? '' : momentText(slot.start, timeZone)
const whenBefore = ({ before, timeZone }: EmailFacts): string =>
  before === null ? '' : momentText(before.start, timeZone)

const links = ({ id, links }: EmailInput): Line[] => [
  { label: 'Move it to another time', href: links.pick(id) },
  { label: 'Cancel it', href: links.cancel(id) },
]

const buyerWords: Record<EmailKind, Words> = {
  booked: input => ({
    subject: `Your call with ${company.name}: ${when(input.facts)}`,
    lines: [
      `Your free call with ${company.name} is on ${when(input.facts)}. It takes ${minutes}, and the invitation is attached.`,
      company.booking.place,
      ...links(input),
    ],
  }),
  moved: input => ({
    subject: `Your call with ${company.name} has moved: ${when(input.facts)}`,
    lines: [
      `Your call is now on ${when(input.facts)}, not ${whenBefore(input.facts)}. The new invitation is attached and replaces the old one.`,
      company.booking.place,
      ...links(input),
    ],
  }),
  requested: ({ id, links }) => ({
    subject: `Pick a time for your call with ${company.name}`,
    lines: [
      `A free call of ${minutes} with ${company.name} was requested in your name. It has no time yet: pick one, and we send you the invitation.`,
      { label: 'Pick a time', href: links.pick(id) },
    ],
  }),
  cancelled: ({ facts, links }) => ({
    subject: `Canceled: your call with ${company.name}`,
    lines: [
      facts.before === null
        ? `The call that was requested in your name is canceled. We will not email you about it again.`
        : `Your call on ${whenBefore(facts)} is canceled. You do not need to do anything.`,
      'To book another call:',
      { label: 'Free times', href: links.times },
    ],
  }),
  abuse_reported: ({ facts }) => ({
    subject: `Canceled: the call with ${company.name} that you did not book`,
    lines: [
      `The call on ${whenBefore(facts)} is canceled, and we erased your name and address. This is our last email about it; it removes the entry from your calendar.`,
    ],
  }),
  callback: ({ facts }) => ({
    subject: `We will get back to you: ${company.name}`,
    lines: [
      `You asked ${company.name} to get in touch. We answer ${facts.replyBy === null ? 'soon' : `by ${momentText(facts.replyBy, facts.timeZone)}`}, at ${facts.phone ?? 'this address'}.`,
    ],
  }),
}

function buyerFoot({ id, kind, facts, links }: EmailInput): string[] {
  if (kind === 'abuse_reported') return []
  const values = { date: dayText(facts.askedAt, facts.timeZone), cancel_url: links.notMe(id) }
  return [
    say(facts.protocol === 'web' ? 'mail_footer_page' : 'mail_footer', values),
    say('not_medical'),
    say('privacy'),
  ]
}

const salesSubjects: Record<EmailKind, (who: string, facts: EmailFacts) => string> = {
  booked: (who, { slot }) => `Call booked: ${who}, ${inCompanyZone(slot?.start)}`,
  moved: (who, { slot }) => `Call moved: ${who}, now ${inCompanyZone(slot?.start)}`,
  requested: who => `Call requested, no time yet: ${who}`,
  cancelled: (who, { before }) => `Call canceled: ${who}, ${inCompanyZone(before?.start)}`,
  abuse_reported: (_, { before }) =>
    `Reported as not theirs: ${before ? `the call on ${inCompanyZone(before.start)}` : 'a request'} is canceled and erased`,
  callback: who => `Callback requested: ${who}`,
}

const inCompanyZone = (moment: string | undefined): string =>
  moment === undefined ? 'without a time' : momentText(moment, company.booking.timeZone)

const protocolNames = { acp: 'ACP', a2a: 'A2A', mcp: 'MCP', web: 'the booking page' } as const

function toSales({ id, kind, facts }: EmailInput): Prose {
  const who = [facts.firstName, facts.lastName].filter(Boolean).join(' ')
  const rows: [string, string | null][] = [
    ['When', facts.slot && inCompanyZone(facts.slot.start)],
    ['Their time', facts.slot && `${when(facts)} (${placeName(facts.timeZone)})`],
    ['Previous time', facts.before && inCompanyZone(facts.before.start)],
    ['Answer by', facts.replyBy && inCompanyZone(facts.replyBy)],
    ['Name', who],
    ['Email', facts.email],
    ['Phone', facts.phone],
    ['Company', facts.company],
    ['Note', facts.note],
    ['Requested by', `${protocolNames[facts.protocol]}${facts.agent ? `, ${facts.agent}` : ''}`],
    ['Requested on', inCompanyZone(facts.askedAt)],
    ['Record', id],
  ]
  const filled = rows.filter((row): row is [string, string] => row[1] !== null && row[1] !== '')
  const lines: Line[] = [{ rows: filled }]
  if (kind === 'abuse_reported') {
    lines.unshift(
      'The person reported that they did not request this. Do not contact them about it.',
    )
  }
  return { subject: salesSubjects[kind](who, facts), lines, foot: [] }
}
