// All emails to sales: what happened, to whom, when, and what to do next.
import company from '#content/site.config.ts'
import { placeName } from '#content/opening-hours.ts'
import type { Slot } from '#contract/site/discovery-call.ts'
import { momentText } from '#http/html/times.ts'
import type { EmailFacts, EmailKind } from './message.ts'
import { type EmailInput, type Line, momentLine, type Prose, unlinked } from './prose.ts'

type Texts = {
  /** Follows the name in the subject. */
  readonly subject: (facts: EmailFacts) => string
  readonly heading: string
  readonly what: (who: string, facts: EmailFacts) => string
  readonly next: string
}

const minutes = `${company.booking.minutes} minutes`

const inCompanyZone = (slot: Slot | null): string =>
  slot === null ? 'no time yet' : momentText(slot.start, company.booking.timeZone)

const answerBy = ({ replyBy }: EmailFacts): string =>
  replyBy === null ? 'soon' : `by ${momentText(replyBy, company.booking.timeZone)}`

const texts: Readonly<Record<Exclude<EmailKind, 'abuse_reported'>, Texts>> = {
  booked: {
    subject: ({ slot }) => `booked a call: ${inCompanyZone(slot)}`,
    heading: 'Call booked',
    what: who => `${who} booked a free call with us.`,
    next: 'We sent the invitation. Add the attached entry to your calendar, and email them the meeting link before the call, as the invitation promises.',
  },
  moved: {
    subject: ({ slot }) => `moved the call: ${inCompanyZone(slot)}`,
    heading: 'Call moved',
    what: (who, { before }) => `${who} moved the call. It was on ${inCompanyZone(before)}.`,
    next: 'We sent the new invitation. The attached entry replaces the one in your calendar.',
  },
  requested: {
    subject: () => 'asked for a call and hasn’t picked a time',
    heading: 'Call without a time',
    what: who => `${who} asked for a free call with us and hasn’t picked a time yet.`,
    next: 'We sent them a link to pick one. You’ll get another email when they do.',
  },
  cancelled: {
    subject: ({ before }) =>
      before === null
        ? 'canceled the request for a call'
        : `canceled the call on ${inCompanyZone(before)}`,
    heading: 'Call canceled',
    what: (who, { before }) =>
      before === null
        ? `${who} canceled the request for a call before picking a time.`
        : `${who} canceled the call on ${inCompanyZone(before)}. The attached update removes it from your calendar.`,
    next: 'The time is free again. You don’t need to do anything.',
  },
  callback: {
    subject: facts => `asked for a reply ${answerBy(facts)}`,
    heading: 'Contact request',
    what: (who, facts) =>
      `${who} asked us to get in touch. We promised to reply ${answerBy(facts)}.`,
    next: 'Reply to this email, or call if there is a phone number.',
  },
}

export const nameOf = ({ firstName, lastName }: EmailFacts): string =>
  unlinked([firstName, lastName].filter(Boolean).join(' '))

const ways = {
  acp: 'the checkout (ACP)',
  a2a: 'the agent (A2A)',
  mcp: 'the tools (MCP)',
  web: 'the booking page',
} as const

function origin({ protocol, agent, askedAt }: EmailFacts): string {
  const day = momentText(askedAt, company.booking.timeZone)
  if (protocol === 'web') return `They asked on ${ways.web} on ${day}.`
  const who = agent === null ? 'An assistant' : `An assistant (${unlinked(agent)})`
  return `${who} asked through ${ways[protocol]} on ${day}.`
}

export function toSales({ id, kind, facts }: EmailInput): Prose {
  if (kind === 'abuse_reported') return reported(id, facts)
  const who = nameOf(facts)
  const { subject, heading, what, next } = texts[kind]
  const { slot, timeZone } = facts
  const isElsewhere = slot !== null && timeZone !== company.booking.timeZone
  const lines: Line[] = [
    what(who, facts),
    ...(slot === null ? [] : [{ ...momentLine(slot, company.booking.timeZone), note: minutes }]),
    ...(isElsewhere
      ? [`Their time: ${momentText(slot.start, timeZone)} (${placeName(timeZone)}).`]
      : []),
    { rows: contact(facts) },
    next,
  ]
  return { subject: `${who} ${subject(facts)}`, heading, lines, foot: [origin(facts), record(id)] }
}

function contact({ email, phone, company: brand, note }: EmailFacts): [string, string][] {
  const rows: [string, string | null][] = [
    ['Email', email],
    ['Phone', phone],
    ['Company', brand && unlinked(brand)],
    ['Note', note && unlinked(note)],
  ]
  return rows.filter((row): row is [string, string] => row[1] !== null && row[1] !== '')
}

const record = (id: string) => `Record: ${id}`

function reported(id: string, facts: EmailFacts): Prose {
  const what = facts.before ? `the call on ${inCompanyZone(facts.before)}` : 'a request'
  return {
    subject: `Canceled and erased because the person didn’t request it: ${what}`,
    heading: 'This call wasn’t requested',
    lines: [
      `The person reported that they didn’t ask for this. We canceled ${what} and erased their details.`,
      'Don’t contact them about it. If many reports name the same assistant, contact the company behind it.',
    ],
    foot: [origin(facts), record(id)],
  }
}

export type DigestItem = EmailFacts & { readonly subject: string; readonly kind: EmailKind }

/** One email that replaces all emails beyond the hourly limit. */
export function digestToSales(items: readonly DigestItem[]): Prose {
  const count = items.length === 1 ? '1 more email' : `${items.length} more emails`
  return {
    subject: `${count} about calls, combined`,
    heading: `${count}, combined`,
    lines: [
      'Many calls were requested or changed in a short time, so we combined the later emails. All calls are recorded, and everyone got their own email.',
      ...items.flatMap(itemLines),
    ],
    foot: [],
  }
}

function itemLines(item: DigestItem): Line[] {
  if (item.kind === 'abuse_reported') {
    return [`A person reported that a request wasn’t theirs. ${origin(item)}`]
  }
  const rows: [string, string][] = [...contact(item), ['Record', item.subject]]
  return [`${nameOf(item)} ${texts[item.kind].subject(item)}`, { rows }]
}
