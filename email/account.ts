// Emails to people about their own account. Links are signed here from the ID in the facts, so the
// queue contains no links.
import company from '#content/site.config.ts'
import type { MailLinks } from './links.ts'
import { moment, quoted, rolesText, type TextsOf, type To } from './person-text.ts'
import { type Line, unlinked } from './prose.ts'

type Recovery = To & {
  readonly recovery: string
  /** When a new password can first be set, ISO 8601. */
  readonly effective_at: string
}

export type AccountFacts = {
  verify_email: To & { readonly sign_up: string }
  already_registered: To
  /** Sent to the person's new address. */
  confirm_new_email: To & { readonly sign_up: string }
  /** Sent to the person's previous address. */
  email_changed: To & { readonly new_email: string }
  invitation: To & {
    readonly invitation: string
    readonly role: string
    readonly integration: string
    /** The name of the owner who sent the invitation; null means the operator. */
    readonly by: string | null
  }
  staff_invitation: To & {
    readonly invitation: string
    readonly roles: readonly string[]
    readonly organization: string
    /** The name of the administrator who sent the invitation; null means the operator. */
    readonly by: string | null
  }
  recovery_requested: To & { readonly recovery: string }
  recovery_begun: Recovery
  recovery_cancelled: To
  recovered: To
  factor_added: To & { readonly factor: string }
  factor_removed: To & { readonly factor: string }
  recovery_code_used: To & { readonly left: number }
  recovery_codes_replaced: To
  password_changed: To
  account_closed: To
}

const ifNotYou: Line = 'If this wasn’t you, change your password and sign out everywhere.'
const replyIfNotYou: Line = 'If this wasn’t you, reply to this email right away.'
const isYours = 'this is your account’s email address.'

const accountButton = ({ origin }: MailLinks) => ({
  label: 'Review your account',
  href: `${origin}/account`,
})

export const accountTexts: TextsOf<AccountFacts> = {
  verify_email: ({ sign_up: id }, links) => ({
    subject: 'Confirm your email address',
    lines: [
      `Confirm this address to finish signing up for ${company.name}. The link works once, for 24 hours.`,
    ],
    button: { label: 'Confirm email', href: links.to('sign_up', id) },
    because: 'someone signed up with this address. If it wasn’t you, ignore this email.',
  }),
  already_registered: (_facts, { origin }) => ({
    subject: 'You already have an account',
    lines: [
      `Someone entered this address at ${company.name}, but it already has an account. If it was you, sign in.`,
      { label: 'Forgot your password?', href: `${origin}/recover` },
    ],
    button: { label: 'Sign in', href: `${origin}/account` },
    because: 'someone entered this address. If it wasn’t you, ignore this email: nothing changed.',
  }),
  confirm_new_email: ({ sign_up: id }, links) => ({
    subject: 'Confirm your new email address',
    lines: [
      `Confirm this address to use it for your ${company.name} account. The link works once, for 24 hours.`,
    ],
    button: { label: 'Confirm email', href: links.to('sign_up', id) },
    because: 'someone entered this as their new address. If it wasn’t you, ignore this email.',
  }),
  email_changed: ({ new_email: address }, { origin }) => ({
    subject: 'Your email address was changed',
    lines: [
      `Your account’s email is now ${unlinked(address)}. You can no longer sign in with this one.`,
      replyIfNotYou,
    ],
    button: { label: 'Sign in', href: `${origin}/account` },
    because: 'this was your account’s email address.',
  }),
  invitation: ({ invitation: id, role, integration, by }, links) => ({
    subject: `You’re invited to a team at ${company.name}`,
    lines: [
      `${by === null ? company.name : quoted(by)} invited you to join ${quoted(integration)}. ${rolesText([role])} The link works once, for seven days.`,
    ],
    button: { label: 'View invitation', href: links.to('invitation', id) },
    because:
      'someone invited this address. If you don’t recognize the invitation, ignore this email.',
  }),
  staff_invitation: ({ invitation: id, roles, organization, by }, links) => ({
    subject: `You’re invited to a clinic’s staff at ${company.name}`,
    lines: [
      `${by === null ? company.name : quoted(by)} invited you to join the staff of ${quoted(organization)}. ${rolesText(roles)} The link works once, for seven days.`,
    ],
    button: { label: 'View invitation', href: links.to('invitation', id) },
    because:
      'someone invited this address. If you don’t recognize the invitation, ignore this email.',
  }),
  recovery_requested: ({ recovery: id }, links) => ({
    subject: 'Recover your account',
    lines: ['You asked to recover your account. The link works for one hour.'],
    button: { label: 'Recover account', href: links.to('recovery', id) },
    because:
      'someone asked to recover the account with this address. If it wasn’t you, ignore this email: nothing changed.',
  }),
  recovery_begun: ({ recovery: id, ...facts }, links) => ({
    subject: 'Someone started recovering your account',
    lines: [
      `Starting ${moment(facts.effective_at, facts)}, you’ll have seven days to set a new password and second factor. Your current ones work until then.`,
      'If this wasn’t you, stop it now. Someone else may be reading your email.',
      { label: 'Stop the recovery', href: links.to('cancel_recovery', id) },
    ],
    button: { label: 'Set a new password', href: links.to('recovery', id) },
    because: isYours,
  }),
  recovery_cancelled: (_facts, links) => ({
    subject: 'Account recovery stopped',
    lines: ['Account recovery was stopped. Your password and second factors are unchanged.'],
    button: accountButton(links),
    because: isYours,
  }),
  recovered: (_facts, { origin }) => ({
    subject: 'Your account was recovered',
    lines: [
      'Your account has a new password. Its authenticator app, passkeys and recovery codes were removed, and every session, agent and device was signed out.',
      'If you work at a clinic, an administrator there has to confirm it’s you before you can use the console.',
      replyIfNotYou,
    ],
    button: { label: 'Sign in', href: `${origin}/account` },
    because: isYours,
  }),
  factor_added: ({ factor }, links) => ({
    subject: 'New sign-in method added',
    lines: [
      `You can now sign in with ${unlinked(factor)}.`,
      'If this wasn’t you, remove it, then change your password and sign out everywhere.',
    ],
    button: accountButton(links),
    because: isYours,
  }),
  factor_removed: ({ factor }, links) => ({
    subject: 'Sign-in method removed',
    lines: [`You can no longer sign in with ${unlinked(factor)}.`, ifNotYou],
    button: accountButton(links),
    because: isYours,
  }),
  recovery_code_used: ({ left }, links) => ({
    subject: 'Recovery code used',
    lines: [
      `Someone used one of your account’s recovery codes. You have ${left} left.${left < 3 ? ' Create new ones before you run out.' : ''}`,
      ifNotYou,
    ],
    button: accountButton(links),
    because: isYours,
  }),
  recovery_codes_replaced: (_facts, links) => ({
    subject: 'New recovery codes created',
    lines: [
      'Your account has ten new recovery codes. The old ones no longer work.',
      'If this wasn’t you, create new codes, then change your password and sign out everywhere.',
    ],
    button: accountButton(links),
    because: isYours,
  }),
  password_changed: (_facts, { origin }) => ({
    subject: 'Your password was changed',
    lines: [
      'Your account’s password was changed, and your other sessions were signed out.',
      'If this wasn’t you, recover your account.',
    ],
    button: { label: 'Recover account', href: `${origin}/recover` },
    because: isYours,
  }),
  account_closed: () => ({
    subject: 'Your account is closed',
    lines: [
      'Your account is closed. Every session, agent and device was signed out, and you left every team and clinic.',
      replyIfNotYou,
    ],
    because: 'this was your account’s email address.',
  }),
}
