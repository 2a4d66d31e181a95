// Emails to an integration's people: its owners, and the address that gets its invoices.
import { limits } from '#contract/limits.ts'
import company from '#content/site.config.ts'
import { dayText, monthText } from '#http/html/dates.ts'
import { moneyText } from '#http/html/money.ts'
import type { MailLinks } from './links.ts'
import { moment, quoted, type TextsOf, type To } from './person-text.ts'

type OfIntegration = To & { readonly integration: string; readonly integration_id: string }
/** Facts for emails about a teammate who recovers their account. */
type OfMember = OfIntegration & { readonly member: string; readonly effective_at: string }
type OfKey = OfIntegration & {
  readonly key: string
  readonly name: string
  /** The key's last four characters. */
  readonly last4: string
}

export type IntegrationFacts = {
  recovery_begun_by_member: OfMember
  recovered_member: OfMember
  key_reported: OfKey & { readonly mode: 'test' | 'live' }
  key_ends: OfKey & { readonly days: number; readonly ends_at: string }
  grant_decided: OfIntegration & {
    readonly grant: string
    readonly organization: string
    readonly status: 'active' | 'declined' | 'revoked'
    readonly scopes: number
    /** Null if the grant was created without a request. */
    readonly requested: number | null
  }
  invoice_made: OfIntegration & {
    readonly invoice: string
    readonly number: string
    /** The start of the invoiced month, in ISO 8601. */
    readonly month: string
    /** In minor units. */
    readonly total: number
    readonly due: number
    readonly currency: string
    readonly due_at: string
  }
  live_destination_added: OfIntegration & {
    readonly endpoint: string
    readonly host: string
    readonly includes_resource: boolean
  }
  integration_closed: To & { readonly integration: string; readonly by: string | null }
}

const owners = (integration: string) => `you’re an owner of ${quoted(integration)}.`

/** The URL of a portal page. */
const pageOf = (
  { portal }: MailLinks,
  { integration_id: id }: OfIntegration,
  path: string,
  mode: 'test' | 'live' = 'live',
) => `${portal}/${id}/${mode}${path}`

const grantVerbs = { active: 'granted', declined: 'declined', revoked: 'revoked' } as const

export const integrationTexts: TextsOf<IntegrationFacts> = {
  recovery_begun_by_member: (facts, links) => ({
    subject: 'A teammate is recovering their account',
    lines: [
      `${facts.member} asked to set a new password and second factor. They can do so starting ${moment(facts.effective_at, facts)}.`,
      'Not sure it’s them? Call them, and remove them from the team until you’re sure.',
    ],
    button: { label: 'Review members', href: pageOf(links, facts, '/members') },
    because: owners(facts.integration),
  }),
  recovered_member: (facts, links) => ({
    subject: 'A teammate recovered their account',
    lines: [
      `${facts.member} set a new password. Their sessions, agents and devices were signed out.`,
    ],
    button: { label: 'Review members', href: pageOf(links, facts, '/members') },
    because: owners(facts.integration),
  }),
  key_reported: (facts, links) => ({
    subject: 'Leaked key revoked',
    lines: [
      `Someone found your ${facts.mode} key ${quoted(facts.name)}, ending in ${facts.last4}, in a public place and reported it. We revoked it, so requests with it now fail.`,
      'Create a new key for the systems that used it, check the request log for requests you didn’t make, and find out how the key leaked.',
    ],
    button: { label: 'View key', href: pageOf(links, facts, `/keys/${facts.key}`, facts.mode) },
    because: owners(facts.integration),
  }),
  key_ends: (facts, links) => ({
    subject:
      facts.days === 1 ? 'A live key expires tomorrow' : `A live key expires in ${facts.days} days`,
    lines: [
      `Your key ${quoted(facts.name)}, ending in ${facts.last4}, expires on ${moment(facts.ends_at, facts)}.`,
      `Rotate it to get a new one. You choose how long the old key keeps working, up to ${limits.keyOverlapDaysMax} days.`,
    ],
    button: { label: 'Rotate key', href: pageOf(links, facts, `/keys/${facts.key}`) },
    because: owners(facts.integration),
  }),
  grant_decided: (facts, links) => ({
    subject: `A clinic ${grantVerbs[facts.status]} access`,
    lines: [decisionOf(facts)],
    button: {
      label: facts.status === 'declined' ? 'View request' : 'View access',
      href: pageOf(links, facts, `/organizations/${facts.grant}`),
    },
    because: owners(facts.integration),
  }),
  invoice_made: (facts, links) => ({
    subject: `Invoice ${facts.number} for ${monthText(facts.month)}`,
    lines: [
      `${quoted(facts.integration)} has a new invoice for ${monthText(facts.month)}. Total: ${moneyText(facts.total, facts.currency)}.`,
      facts.due > 0
        ? `${moneyText(facts.due, facts.currency)} is due by ${dayText(facts.due_at)}. Pay by bank transfer and include ${facts.number}. For our bank details, reply to this email.`
        : 'Nothing is due.',
    ],
    button: {
      label: 'View invoice',
      href: pageOf(links, facts, `/usage/invoices/${facts.invoice}`),
    },
    because: `this address receives invoices for ${quoted(facts.integration)}.`,
  }),
  live_destination_added: (facts, links) => ({
    subject: 'New destination for live data',
    lines: [
      `${quoted(facts.integration)} now sends live events to ${quoted(facts.host)}, ${facts.includes_resource ? 'including the patient, case or order in each event' : 'including only IDs and statuses'}.`,
      'If your team didn’t expect this, disable the endpoint. The request log shows changes made through the API, with their credential. Any other change was made in the portal, by an owner or a developer whom an owner allowed to change live endpoints.',
    ],
    button: { label: 'View endpoint', href: pageOf(links, facts, `/webhooks/${facts.endpoint}`) },
    because: owners(facts.integration),
  }),
  integration_closed: ({ integration, by }) => ({
    subject: 'An account was closed',
    lines: [
      `${by === null ? company.name : quoted(by)} closed ${quoted(integration)}. Its keys, clients and tokens no longer work, its webhooks are disabled, and its agreement and grants have ended.`,
      'Clinics keep what’s in their records. If this was a mistake, reply to this email.',
    ],
    because: `you were an owner of ${quoted(integration)}.`,
  }),
}

function decisionOf(facts: IntegrationFacts['grant_decided']): string {
  const [clinic, brand] = [quoted(facts.organization), quoted(facts.integration)]
  const asked = facts.requested ?? facts.scopes
  if (facts.status === 'declined') {
    return `${clinic} declined the request from ${brand}. If the clinic left a note, you’ll see it with the request. You can request access again.`
  }
  if (facts.status === 'revoked') {
    return `${clinic} revoked access for ${brand}. Requests for this clinic now fail.`
  }
  const what =
    facts.scopes === asked
      ? 'every requested scope'
      : `${facts.scopes} of ${asked} requested scopes`
  return `${clinic} granted ${brand} ${what}. Live requests for this clinic work while your agreement is in effect.`
}
