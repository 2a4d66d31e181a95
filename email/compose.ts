// Turns a queue row into an email. Every attempt produces the same email, including its Message-ID.
import company from '#content/site.config.ts'
import type { EmailFacts, EmailKind } from './message.ts'
import type { CallLinks, MailLinks } from './links.ts'
import { invitationOf } from './calendar-invitation.ts'
import { type FailureFacts, type FailureKind, proseOfFailure } from './failures.ts'
import { proseOfMalware } from './malware.ts'
import { htmlOf, textOf } from './body.ts'
import { toBuyer } from './buyer.ts'
import { type PersonEmail, type PersonFacts, proseToPerson } from './people.ts'
import { headerText, type Prose, unlinked } from './prose.ts'
import { type DigestItem, digestToSales, nameOf, toSales } from './sales.ts'
import type { QueuedRow } from './queue.ts'

export type Addresses = { readonly from: string; readonly sales: string }

export type Mail = {
  readonly id: string
  readonly from: { readonly name: string; readonly address: string }
  readonly to: { readonly name: string; readonly address: string }
  readonly replyTo: string
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly messageId: string
  readonly date: Date
  readonly headers: Readonly<Record<string, string>>
  readonly icalEvent?: {
    readonly method: string
    readonly content: string
    readonly filename: string
  }
  readonly attachments?: readonly {
    readonly filename: string
    readonly content: string
    readonly contentType: string
  }[]
}

/** `links` lead to a call's pages, `people` to account, portal and console pages. */
export function compose(
  row: QueuedRow,
  addresses: Addresses,
  { links, people }: { links: CallLinks; people: MailLinks },
): Mail {
  if (row.audience === 'developers') return toDevelopers(row, addresses, people)
  if (row.audience === 'person') return toPerson(row, addresses, people)
  if (row.kind === 'digest') return digest(row, addresses)
  const facts = JSON.parse(row.facts) as EmailFacts
  const { audience } = row
  const kind = row.kind as EmailKind
  const isToSales = audience === 'sales'
  const prose = (isToSales ? toSales : toBuyer)({ id: row.subject, kind, facts, links })
  const buyer = { name: headerText(unlinked(facts.firstName)), address: facts.email }
  return {
    ...headersOf(row, prose, addresses),
    to: isToSales ? salesOf(addresses) : buyer,
    replyTo: isToSales && facts.email !== '' ? facts.email : addresses.sales,
    ...calendarOf(row, facts, addresses, links),
  }
}

const salesOf = ({ sales }: Addresses) => ({ name: company.name, address: sales })

function digest(row: QueuedRow, addresses: Addresses): Mail {
  const { items } = JSON.parse(row.facts) as { items: DigestItem[] }
  const prose = digestToSales(items)
  return {
    ...headersOf(row, prose, addresses),
    to: salesOf(addresses),
    replyTo: addresses.sales,
  }
}

function toDevelopers(row: QueuedRow, addresses: Addresses, people: MailLinks): Mail {
  const facts = JSON.parse(row.facts) as FailureFacts
  const prose =
    row.kind === 'malware_found'
      ? proseOfMalware(row.subject)
      : proseOfFailure(row.subject, row.kind as FailureKind, facts, people)
  const to = { name: '', address: facts.email }
  return { ...headersOf(row, prose, addresses), to, replyTo: addresses.sales }
}

function toPerson(row: QueuedRow, addresses: Addresses, people: MailLinks): Mail {
  const kind = row.kind as PersonEmail
  const facts = JSON.parse(row.facts) as PersonFacts[PersonEmail]
  const prose = proseToPerson(kind, facts as PersonFacts[typeof kind], people)
  const to = { name: '', address: facts.email }
  return { ...headersOf(row, prose, addresses), to, replyTo: addresses.sales }
}

const headersOf = (row: QueuedRow, prose: Prose, { from }: Addresses) => ({
  id: row.id,
  from: { name: company.name, address: from },
  subject: headerText(prose.subject),
  text: textOf(prose),
  html: htmlOf(prose),
  messageId: `<${row.id}@${from.split('@').at(-1) ?? ''}>`,
  date: new Date(row.created_at),
  // RFC 3834: prevents automatic replies.
  headers: { 'Auto-Submitted': 'auto-generated' },
})

/** The buyer gets an invitation, and sales gets a copy that requests no reply. */
function calendarOf(
  row: QueuedRow,
  facts: EmailFacts,
  { sales }: Addresses,
  links: CallLinks,
): Pick<Mail, 'icalEvent' | 'attachments'> {
  const isCancelled = row.kind === 'cancelled' || row.kind === 'abuse_reported'
  const slot = isCancelled ? facts.before : facts.slot
  if (slot === null) return {}
  const isToSales = row.audience === 'sales'
  const who = nameOf(facts)
  // Only the buyer's link proves that its holder reads the buyer's email.
  const url = links.call(row.subject, isToSales ? 'answer' : 'email')
  const calendar = invitationOf({
    id: row.subject,
    sequence: row.sequence,
    slot,
    isCancelled,
    stamp: row.created_at,
    organizer: sales,
    attendee: isToSales ? null : { name: who, email: facts.email },
    title: isToSales && who !== '' ? `Call with ${who}` : `Call with ${company.name}`,
    description: `A free ${company.booking.minutes}-minute call. To reschedule or cancel: ${url}`,
    url,
  })
  if (!isToSales) return { icalEvent: { ...calendar, filename: 'invitation.ics' } }
  const contentType = `text/calendar; charset=utf-8; method=${calendar.method}`
  return { attachments: [{ filename: 'call.ics', content: calendar.content, contentType }] }
}
