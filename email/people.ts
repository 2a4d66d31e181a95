// The text of emails to people about their account. A link is signed here from the id in the facts,
// so the queue holds none. Names were chosen by others: they stand in quotes, and make no link.
import company from '#content/site.config.ts'
import { dayText, monthText } from '#http/html/dates.ts'
import { moneyText } from '#http/html/money.ts'
import type { PersonLinks } from './links.ts'
import { type EmergencyFacts, emergencyTexts } from './emergency.ts'
import { moment, type PersonText, quoted, type To } from './person-text.ts'
import { type Line, type Prose, unlinked } from './prose.ts'

type Recovery = To & {
  readonly recovery: string
  /** From when the account can be set anew, ISO 8601. */
  readonly effective_at: string
}
/** For the owners of an integration of a person who recovers their account. */
type OfMember = To & {
  readonly member: string
  readonly integration: string
  readonly effective_at: string
}
/** For the owners of the integration of a key. */
type OfKey = To & {
  readonly integration: string
  readonly name: string
  /** The last four characters of the key. */
  readonly last4: string
}
type OfFactor = To & { readonly factor: string }

/** What each email is composed from. */
export type PersonFacts = EmergencyFacts & {
  verify_email: To & { readonly sign_up: string }
  already_registered: To
  /** To the new address of a person. */
  confirm_new_email: To & { readonly sign_up: string }
  /** To the address before. */
  email_changed: To & { readonly new_email: string }
  invitation: To & {
    readonly invitation: string
    readonly role: string
    readonly integration: string
    /** The name of the owner who invited; null: the operator. */
    readonly by: string | null
  }
  staff_invitation: To & {
    readonly invitation: string
    readonly roles: readonly string[]
    readonly organization: string
    /** The name of the administrator who invited; null: the operator. */
    readonly by: string | null
  }
  recovery_requested: To & { readonly recovery: string }
  recovery_begun: Recovery
  recovery_begun_by_member: OfMember
  recovery_cancelled: To
  recovered: To
  recovered_member: OfMember
  factor_added: OfFactor
  factor_removed: OfFactor
  recovery_code_used: To & { readonly left: number }
  recovery_codes_replaced: To
  password_changed: To
  account_closed: To
  key_reported: OfKey & { readonly mode: 'test' | 'live' }
  key_ends: OfKey & { readonly days: number; readonly ends_at: string }
  grant_decided: To & {
    readonly integration: string
    readonly organization: string
    readonly status: 'active' | 'declined' | 'revoked'
    readonly scopes: number
    /** Null: the grant was made without a request. */
    readonly requested: number | null
  }
  invoice_made: To & {
    readonly integration: string
    readonly number: string
    /** The first moment of its month, ISO 8601. */
    readonly month: string
    /** Minor units. */
    readonly total: number
    readonly due: number
    readonly currency: string
    readonly due_at: string
  }
  /** To the owners. */
  live_destination_added: To & {
    readonly integration: string
    readonly host: string
    readonly includes_resource: boolean
  }
  integration_closed: To & { readonly integration: string; readonly by: string | null }
}

export type PersonEmail = keyof PersonFacts

type Texts = { [K in PersonEmail]: (facts: PersonFacts[K], links: PersonLinks) => PersonText }

const ifNotYou = ({ origin }: PersonLinks): Line[] => [
  'If this was not you, change your password and end the sessions that you do not know.',
  { label: 'Your account', href: `${origin}/account` },
]

const grantVerbs = { active: 'granted', declined: 'declined', revoked: 'revoked' } as const

const texts: Texts = {
  ...emergencyTexts,
  verify_email: ({ sign_up: id }, links) => ({
    subject: 'Confirm your email address',
    lines: [
      `This address was used to sign up at ${company.name}. If it was you, confirm it and choose a password. The link works once, for 24 hours.`,
      { label: 'Confirm this address', href: links.to('sign_up', id), isMain: true },
      'If it was not you, do nothing: there will be no account.',
    ],
  }),
  already_registered: (_facts, { origin }) => ({
    subject: 'You already have an account',
    lines: [
      `This address was used to sign up at ${company.name}, which has an account already. If it was you, sign in.`,
      { label: 'Sign in', href: `${origin}/sign-in`, isMain: true },
      { label: 'Recover your account', href: `${origin}/recover` },
      'If it was not you, do nothing: nothing was changed.',
    ],
  }),
  confirm_new_email: ({ sign_up: id }, links) => ({
    subject: 'Confirm your new email',
    lines: [
      `You asked to sign in to ${company.name} with this address. The link works once, for 24 hours.`,
      { label: 'Confirm email', href: links.to('sign_up', id), isMain: true },
    ],
  }),
  email_changed: ({ new_email: address }, links) => ({
    subject: 'Your email was changed',
    lines: [`You now sign in with ${unlinked(address)}.`, ...ifNotYou(links)],
  }),
  invitation: ({ invitation: id, role, integration, by }, links) => ({
    subject: `You are invited to an integration with ${company.name}`,
    lines: [
      `${by === null ? company.name : quoted(by)} invites you to ${quoted(integration)} as ${role}. The link works once, for seven days, with an account of this address.`,
      { label: 'See the invitation', href: links.to('invitation', id), isMain: true },
      'If you do not know the sender, do nothing.',
    ],
  }),
  staff_invitation: ({ invitation: id, roles, organization, by }, links) => ({
    subject: `You are invited to the staff of a clinic at ${company.name}`,
    lines: [
      `${by === null ? company.name : quoted(by)} invites you to the staff of ${quoted(organization)} as ${roles.join(', ')}. The link works once, for seven days, with an account of this address.`,
      { label: 'See the invitation', href: links.to('invitation', id), isMain: true },
      'If you do not know the sender, do nothing.',
    ],
  }),
  recovery_requested: ({ recovery: id }, links) => ({
    subject: 'Recover your account',
    lines: [
      'The recovery of the account of this address was requested. If it was you, open the link. It works for one hour.',
      { label: 'Recover your account', href: links.to('recovery', id), isMain: true },
      'If it was not you, do nothing: nothing was changed.',
    ],
  }),
  recovery_begun: ({ recovery: id, effective_at: at }, links) => ({
    subject: 'Your account is being recovered',
    lines: [
      `From ${moment(at)} you can set a new password and a new second factor with this link, for seven days. Your old ones work until then.`,
      { label: 'Set a new password', href: links.to('recovery', id), isMain: true },
      'If this was not you, stop it now. Another person may be reading your email.',
      { label: 'Stop the recovery', href: links.to('cancel_recovery', id) },
    ],
  }),
  recovery_begun_by_member: ({ member, integration, effective_at: at }, { origin }) => ({
    subject: 'A member is recovering their account',
    lines: [
      `${member}, a member of ${quoted(integration)}, asked to set a new password and a new second factor. They can do so from ${moment(at)}.`,
      'If you doubt that it is them, ask them by another way than email, and remove them from the integration until you know.',
      { label: 'Your account', href: `${origin}/account` },
    ],
  }),
  recovery_cancelled: () => ({
    subject: 'The recovery of your account was stopped',
    lines: ['The recovery of your account was stopped. Your password and factors are as before.'],
  }),
  recovered: (_facts, { origin }) => ({
    subject: 'Your account was recovered',
    lines: [
      'Your account has a new password. Its authenticator app, its passkeys and its recovery codes were removed, and every session, agent and device that acted for you has ended.',
      { label: 'Sign in', href: `${origin}/sign-in`, isMain: true },
      'If this was not you, write to us at once.',
    ],
  }),
  recovered_member: ({ member, integration }, { origin }) => ({
    subject: 'A member recovered their account',
    lines: [
      `${member}, a member of ${quoted(integration)}, set a new password. Every session, agent and device that acted for them has ended.`,
      { label: 'Your account', href: `${origin}/account` },
    ],
  }),
  factor_added: ({ factor }, links) => ({
    subject: 'A way to sign in was added to your account',
    lines: [`Your account has a new second factor: ${unlinked(factor)}.`, ...ifNotYou(links)],
  }),
  factor_removed: ({ factor }, links) => ({
    subject: 'A way to sign in was removed from your account',
    lines: [
      `A second factor of your account was removed: ${unlinked(factor)}.`,
      ...ifNotYou(links),
    ],
  }),
  recovery_code_used: ({ left }, links) => ({
    subject: 'A recovery code of your account was used',
    lines: [
      `A recovery code was used to sign in to your account. ${left === 1 ? 'One is' : `${left} are`} left.`,
      ...ifNotYou(links),
    ],
  }),
  recovery_codes_replaced: (_facts, links) => ({
    subject: 'Your account has new recovery codes',
    lines: [
      'Your account has ten new recovery codes. The old ones work no longer.',
      ...ifNotYou(links),
    ],
  }),
  password_changed: (_facts, { origin }) => ({
    subject: 'Your password was changed',
    lines: [
      'The password of your account was changed, and your other sessions have ended.',
      'If this was not you, recover your account.',
      { label: 'Recover your account', href: `${origin}/recover` },
    ],
  }),
  key_reported: ({ integration, name, last4, mode }) => ({
    subject: 'A key was reported as leaked, and is revoked',
    lines: [
      `The key ${quoted(name)} of ${quoted(integration)}, which ends in ${last4}, was found where it should not be, and reported to us. It is of ${mode} mode. It is revoked: every call with it is refused.`,
      'Make a new key for what used it. Then look in the request log for calls that were not yours, and find out how the key got out.',
      { label: 'Keys that leaked', href: `${company.site}/docs/authentication` },
    ],
  }),
  key_ends: ({ integration, name, last4, days, ends_at: at }) => ({
    subject: days === 1 ? 'A live key ends tomorrow' : `A live key ends in ${days} days`,
    lines: [
      `The key ${quoted(name)} of ${quoted(integration)}, which ends in ${last4}, is refused from ${moment(at)} on.`,
      'Rotate it in the portal: its successor works beside it until then.',
      { label: 'Rotating a key', href: `${company.site}/docs/authentication` },
    ],
  }),
  account_closed: () => ({
    subject: 'Your account is closed',
    lines: [
      'Your account is closed. Every session, agent and device that acted for you has ended.',
    ],
  }),
  grant_decided: ({ integration, organization, status, scopes, requested }) => ({
    subject: `A clinic ${grantVerbs[status]} access`,
    lines: [
      status === 'active'
        ? `${quoted(organization)} granted ${quoted(integration)} ${scopes} of the ${requested ?? scopes} scopes that it asked for. Calls for this clinic work in live mode while your agreement is in force.`
        : status === 'declined'
          ? `${quoted(organization)} declined the request of ${quoted(integration)}. Its note, if it left one, is in the portal.`
          : `${quoted(organization)} revoked what it granted ${quoted(integration)}. Calls for this clinic are refused from now on.`,
      'The page Organizations of the portal has the details.',
    ],
  }),
  invoice_made: ({ integration, number, month, total, due, currency, due_at: until }) => ({
    subject: `Invoice ${number} for ${monthText(month)}`,
    lines: [
      `${quoted(integration)} was charged ${moneyText(total, currency)} in ${monthText(month)}.`,
      due > 0
        ? `${moneyText(due, currency)} are payable until ${dayText(until)}. Name ${number} with the payment.`
        : 'Nothing is to be paid.',
      'The page Usage and invoices of the portal has it with each of its charges, as a page, PDF and CSV.',
    ],
  }),
  live_destination_added: ({ integration, host, includes_resource: isWhole }) => ({
    subject: 'New destination for live data',
    lines: [
      `${quoted(integration)} now sends live events to ${quoted(host)}, ${isWhole ? 'with the patient, case or order that each is about' : 'with IDs and statuses only'}.`,
      'If your team didn’t expect this, disable the endpoint in the portal under Webhooks, in live mode. The request log shows who created or changed it.',
    ],
  }),
  integration_closed: ({ integration, by }) => ({
    subject: 'An integration of yours is closed',
    lines: [
      `${by === null ? company.name : quoted(by)} closed ${quoted(integration)}. Its keys, clients and tokens work no longer, its webhooks are disabled, and its agreement and grants have ended.`,
      'What is on the record of a clinic stays with the clinic. If this was a mistake, write to us.',
    ],
  }),
}

export function proseToPerson<K extends PersonEmail>(
  kind: K,
  facts: PersonFacts[K],
  links: PersonLinks,
): Prose {
  const { subject, lines } = texts[kind](facts, links)
  return {
    subject,
    heading: subject,
    lines,
    foot: ['You receive this email because it is about an account with this address.'],
  }
}
