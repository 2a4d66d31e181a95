// The text of every email to buyers. The legal notices in the footer come from
// `content/consent.json`.
import { say } from '#content/consent.ts'
import company from '#content/site.config.ts'
import { dayText, momentText } from '#http/html/times.ts'
import type { EmailFacts, EmailKind } from './message.ts'
import { type EmailInput, type Line, momentLine, type Prose, unlinked } from './prose.ts'

const minutes = `${company.booking.minutes} minutes`

export function toBuyer(input: EmailInput): Prose {
  const { lines, ...titles } = buyerWords[input.kind](input)
  const greeting =
    input.kind === 'abuse_reported' ? 'Hello,' : `Hello ${unlinked(input.facts.firstName)},`
  return { ...titles, lines: [greeting, ...lines], foot: buyerFoot(input) }
}

type Words = (input: EmailInput) => { subject: string; heading: string; lines: Line[] }

const when = ({ slot, timeZone }: EmailFacts): string =>
  slot === null ? '' : momentText(slot.start, timeZone)
const whenBefore = ({ before, timeZone }: EmailFacts): string =>
  before === null ? '' : momentText(before.start, timeZone)

const time = ({ slot, timeZone }: EmailFacts): Line[] =>
  slot === null ? [] : [momentLine(slot, timeZone)]

const changes = ({ id, links }: EmailInput): Line[] => [
  { label: 'Move it to another time', href: links.pick(id) },
  { label: 'Cancel it', href: links.cancel(id) },
]

const buyerWords: Record<EmailKind, Words> = {
  booked: input => ({
    subject: `Your call with ${company.name}: ${when(input.facts)}`,
    heading: 'You’re booked',
    lines: [
      `Your free call with ${company.name} is booked. The invitation is attached.`,
      ...time(input.facts),
      ...changes(input),
    ],
  }),
  moved: input => ({
    subject: `Your call with ${company.name} has moved: ${when(input.facts)}`,
    heading: 'Your call has moved',
    lines: [
      `Your call with ${company.name} has a new time. It was on ${whenBefore(input.facts)}. The new invitation is attached and replaces the old one.`,
      ...time(input.facts),
      ...changes(input),
    ],
  }),
  requested: ({ id, links }) => ({
    subject: `Pick a time for your call with ${company.name}`,
    heading: 'Pick a time for your call',
    lines: [
      `A free call of ${minutes} with ${company.name} was requested in your name. It has no time yet: pick one, and we send you the invitation.`,
      { label: 'Pick a time', href: links.pick(id), isMain: true },
    ],
  }),
  cancelled: ({ facts, links }) => ({
    subject: `Canceled: your call with ${company.name}`,
    heading: 'Your call is canceled',
    lines: [
      facts.before === null
        ? `The call that was requested in your name is canceled. We will not email you about it again.`
        : `Your call on ${whenBefore(facts)} is canceled. You do not need to do anything.`,
      { label: 'Book another call', href: links.times },
    ],
  }),
  abuse_reported: ({ facts }) => ({
    subject: `Canceled: the call with ${company.name} that you did not book`,
    heading: 'The call is canceled',
    lines: [
      `The call on ${whenBefore(facts)} is canceled, and we erased your name and address. This is our last email about it; it removes the entry from your calendar.`,
    ],
  }),
  callback: ({ facts }) => ({
    subject: `We will get back to you: ${company.name}`,
    heading: 'We will get back to you',
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
