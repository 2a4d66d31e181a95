// All emails to buyers. The footer's legal notices come from `content/consent.json`.
import { say } from '#content/consent.ts'
import company from '#content/site.config.ts'
import { dayText, momentText } from '#http/html/times.ts'
import type { EmailFacts, EmailKind } from './message.ts'
import { type EmailInput, type Line, momentLine, type Prose, unlinked } from './prose.ts'

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
  { label: 'Reschedule', href: links.pick(id), isMain: true },
  { label: 'Cancel the call', href: links.cancel(id) },
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
      `Your call with ${company.name} has a new time. It was on ${whenBefore(input.facts)}. The attached invitation replaces the old one.`,
      ...time(input.facts),
      ...changes(input),
    ],
  }),
  requested: ({ id, links }) => ({
    subject: `Pick a time for your call with ${company.name}`,
    heading: 'Pick a time for your call',
    lines: [
      `You have a free ${company.booking.minutes}-minute call with ${company.name}. Pick a time and we’ll send the invitation.`,
      { label: 'Pick a time', href: links.pick(id), isMain: true },
    ],
  }),
  cancelled: ({ facts, links }) => ({
    subject: `Canceled: your call with ${company.name}`,
    heading: 'Your call is canceled',
    lines: [
      facts.before === null
        ? `The call requested in your name is canceled. We won’t email you about it again.`
        : `Your call on ${whenBefore(facts)} is canceled. You don’t need to do anything.`,
      { label: 'Book another call', href: links.times, isMain: true },
    ],
  }),
  abuse_reported: ({ facts }) => ({
    subject: `Canceled: a call with ${company.name} you didn’t book`,
    heading: 'The call is canceled',
    lines: [
      `The call on ${whenBefore(facts)} is canceled, and we erased your name and address. This is our last email about it. The attached update removes the calendar entry.`,
    ],
  }),
  callback: ({ facts }) => ({
    subject: `${company.name}: we’ll get back to you`,
    heading: 'We’ll get back to you',
    lines: [
      `You asked ${company.name} to get in touch. We’ll reply ${facts.replyBy === null ? 'soon' : `by ${momentText(facts.replyBy, facts.timeZone)}`}, at ${facts.phone ?? 'this address'}.`,
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
