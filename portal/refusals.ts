// Why the database refused a change, in words.
import type { RefusedMemberChange } from '#auth/accounts/members.ts'
import type { RefusedChange } from '#auth/administration.ts'
import type { RefusedAcceptance } from '#auth/agreements/agreements.ts'
import type { RefusedGrantChange } from '#auth/grants/grants.ts'

type Refusal = RefusedChange | RefusedMemberChange | RefusedGrantChange | RefusedAcceptance

const texts: Readonly<Record<Refusal, string>> = {
  unknown_integration: 'This account is suspended. Contact us.',
  unknown_scope: 'Choose from the scopes shown.',
  agreement_required: 'Accept the business associate agreement first, under Go live.',
  grant_required: 'You need a clinic’s access first. Request it under Clinics.',
  expired: 'Choose an expiration in the future.',
  not_found: 'This no longer exists.',
  two_secrets: 'A client can have two secrets. Revoke one first.',
  already_accepted: 'This version is already accepted.',
  owner_required: 'Only owners can do this. Ask an owner.',
  last_owner:
    'An account needs at least one owner. Make another member an owner first, or close the account under Settings.',
  already_member: 'This person is already a member. Change their role instead.',
  other_address: 'This invitation was sent to a different email. Sign in with that one.',
  too_many_invitations: 'You’ve sent 50 invitations today. Try again tomorrow.',
  too_many_integrations: 'You own 20 accounts, which is the limit.',
  already_rotated: 'This key was already rotated. Rotate its successor, or revoke that one first.',
  already_sent:
    'This form was already submitted, and nothing was created twice. If you didn’t save the secret, revoke it on its page and create a new one.',
  unknown_organization: 'No clinic has this ID. Ask the clinic for its ID.',
  already_requested: 'You already have access to this clinic or a pending request.',
  own_grant: 'You can’t decide a request from an account you belong to.',
  other_text: 'This version was accepted with a different text. Contact us.',
  incident_email_required: 'The clinic needs to add an incident email first.',
  unknown_person: 'Account not found.',
}

export const refusalText = (code: Refusal): string => texts[code]
