// What the database refused, in words.
import type { RefusedChange } from '#auth/administration.ts'

const texts: Readonly<Record<RefusedChange, string>> = {
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
}

export const refusalText = (code: RefusedChange): string => texts[code]
