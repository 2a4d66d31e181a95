// The words of every mail: a few lines, the facts, and links. What a person must be told beside
// them stands in `content/consent.json`.
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
  /** Smaller, below a rule. */
  readonly foot: readonly string[]
}

export type Said = {
  readonly id: string
  readonly kind: EmailKind
  readonly facts: EmailFacts
  readonly links: Links
}

export const proseFor = (audience: Audience, said: Said): Prose =>
  audience === 'sales' ? toSales(said) : toBuyer(said)

const minutes = `${company.booking.minutes} minutes`

function toBuyer(said: Said): Prose {
  const { subject, lines } = buyerWords[said.kind](said)
  const greeting = said.kind === 'disowned' ? 'Hello,' : `Hello ${said.facts.firstName},`
  return { subject, lines: [greeting, ...lines], foot: buyerFoot(said) }
}

type Words = (said: Said) => { subject: string; lines: Line[] }

const when = ({ slot, timeZone }: EmailFacts): string =>
  slot === null ? '' : momentText(slot.start, timeZone)
const whenBefore = ({ before, timeZone }: EmailFacts): string =>
  before === null ? '' : momentText(before.start, timeZone)

const links = ({ id, links }: Said): Line[] => [
  { label: 'Move it to another time', href: links.pick(id) },
  { label: 'Cancel it', href: links.cancel(id) },
]

const buyerWords: Record<EmailKind, Words> = {
  booked: said => ({
    subject: `Your call with ${company.name}: ${when(said.facts)}`,
    lines: [
      `Your free call with ${company.name} is on ${when(said.facts)}. It takes ${minutes}, and the invitation is attached.`,
      company.booking.place,
      ...links(said),
    ],
  }),
  moved: said => ({
    subject: `Your call with ${company.name} has moved: ${when(said.facts)}`,
    lines: [
      `Your call is now on ${when(said.facts)}, and not on ${whenBefore(said.facts)}. The new invitation is attached and replaces the old one.`,
      company.booking.place,
      ...links(said),
    ],
  }),
  requested: ({ id, links }) => ({
    subject: `Pick a time for your call with ${company.name}`,
    lines: [
      `A free call of ${minutes} with ${company.name} was asked for in your name. It has no time yet: pick the one that suits you, and the invitation follows.`,
      { label: 'Pick a time', href: links.pick(id) },
    ],
  }),
  cancelled: ({ facts, links }) => ({
    subject: `Cancelled: your call with ${company.name}`,
    lines: [
      facts.before === null
        ? `The call that was asked for in your name is cancelled. Nothing more will come.`
        : `Your call on ${whenBefore(facts)} is cancelled. Nothing more is needed from you.`,
      'Should you want one after all:',
      { label: 'Times that are free', href: links.times },
    ],
  }),
  disowned: ({ facts }) => ({
    subject: `Cancelled: the call with ${company.name} that was not yours`,
    lines: [
      `The call on ${whenBefore(facts)} is cancelled, and your name and address are erased here. This is the last mail about it; it takes the entry out of your calendar.`,
    ],
  }),
  callback: ({ facts }) => ({
    subject: `We will get back to you: ${company.name}`,
    lines: [
      `You asked ${company.name} to get in touch. We answer ${facts.replyBy === null ? 'soon' : `by ${momentText(facts.replyBy, facts.timeZone)}`}, at ${facts.phone ?? 'this address'}.`,
    ],
  }),
}

function buyerFoot({ id, kind, facts, links }: Said): string[] {
  if (kind === 'disowned') return []
  const values = { date: dayText(facts.askedAt, facts.timeZone), cancel_url: links.notMe(id) }
  return [
    say(facts.protocol === 'web' ? 'mail_footer_page' : 'mail_footer', values),
    say('not_medical'),
    say('privacy'),
  ]
}

const salesSubjects: Record<EmailKind, (who: string, facts: EmailFacts) => string> = {
  booked: (who, { slot }) => `Call booked: ${who}, ${inOurs(slot?.start)}`,
  moved: (who, { slot }) => `Call moved: ${who}, now ${inOurs(slot?.start)}`,
  requested: who => `Call asked for, no time yet: ${who}`,
  cancelled: (who, { before }) => `Call cancelled: ${who}, ${inOurs(before?.start)}`,
  disowned: (_, { before }) =>
    `Not theirs: ${before ? `the call on ${inOurs(before.start)}` : 'a request'} is cancelled and erased`,
  callback: who => `Please call back or write: ${who}`,
}

const inOurs = (moment: string | undefined): string =>
  moment === undefined ? 'without a time' : momentText(moment, company.booking.timeZone)

const protocolNames = { acp: 'ACP', a2a: 'A2A', mcp: 'MCP', web: 'the booking page' } as const

function toSales({ id, kind, facts }: Said): Prose {
  const who = [facts.firstName, facts.lastName].filter(Boolean).join(' ')
  const rows: [string, string | null][] = [
    ['When', facts.slot && inOurs(facts.slot.start)],
    ['For them', facts.slot && `${when(facts)} (${placeName(facts.timeZone)})`],
    ['Was', facts.before && inOurs(facts.before.start)],
    ['Answer by', facts.replyBy && inOurs(facts.replyBy)],
    ['Name', who],
    ['Email', facts.email],
    ['Phone', facts.phone],
    ['Company', facts.company],
    ['They say', facts.note],
    ['Asked by', `${protocolNames[facts.protocol]}${facts.agent ? `, ${facts.agent}` : ''}`],
    ['Asked on', inOurs(facts.askedAt)],
    ['Record', id],
  ]
  const known = rows.filter((row): row is [string, string] => row[1] !== null && row[1] !== '')
  const lines: Line[] = [{ rows: known }]
  if (kind === 'disowned') {
    lines.unshift('The person says that this was not them. Please do not write to them about it.')
  }
  return { subject: salesSubjects[kind](who, facts), lines, foot: [] }
}
