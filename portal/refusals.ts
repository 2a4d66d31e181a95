// What the database refused, in words.
import type { RefusedMemberChange } from '#auth/accounts/members.ts'
import type { RefusedChange } from '#auth/administration.ts'
import type { RefusedAcceptance } from '#auth/agreements/agreements.ts'
import type { RefusedGrantChange } from '#auth/grants/grants.ts'

type Refusal = RefusedChange | RefusedMemberChange | RefusedGrantChange | RefusedAcceptance

const texts: Readonly<Record<Refusal, string>> = {
  unknown_integration: 'This integration is suspended. Write to support.',
  unknown_scope: 'Scopes must be some of those that are offered.',
  agreement_required:
    'Live mode needs the business associate agreement: accept it on the page Go live first.',
  grant_required:
    'Live mode needs a clinic that granted access: request a grant on the page Organizations first.',
  expired: 'The end must be in the future.',
  not_found: 'It does not exist any longer.',
  two_secrets: 'A client has two secrets at most: revoke one first.',
  already_accepted: 'This version of the agreement is accepted already.',
  owner_required: 'Only an owner may do this: ask one.',
  last_owner:
    'An integration keeps at least one owner: give another member the role of owner first.',
  already_member: 'This person is a member already: change their role instead.',
  other_address: 'The invitation was sent to another address: sign in with that one.',
  too_many_invitations:
    'Fifty invitations were sent for this integration within a day: send the next one tomorrow.',
  too_many_integrations: 'You own twenty integrations, which is the most that a person can have.',
  already_rotated: 'This key has a successor that works: rotate that one, or revoke it first.',
  already_sent:
    'This form was sent before, and nothing was done twice. What it made is in the list; a secret that you did not store is revoked there, and made again.',
  unknown_organization:
    'Clinic id must be that of a clinic that works here: ask the clinic for its id.',
  already_requested: 'This clinic has an open request or a grant of yours already.',
  own_grant: 'Who belongs to an integration may not decide its grant.',
  other_text:
    'This version was accepted with another text before. The operator publishes a new version.',
  incident_email_required: 'The clinic adds an incident email first.',
  unknown_person: 'There is no such account.',
}

export const refusalText = (code: Refusal): string => texts[code]
