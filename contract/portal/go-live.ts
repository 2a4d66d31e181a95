import { everyRole, form, ownersOnly, page } from './row.ts'

export const goLive = {
  goLive: page('/go-live', 'Go live', { roles: everyRole, group: 'Account' }),
  agreement: page('/go-live/agreement', 'Business associate agreement', { roles: everyRole }),
  newAcceptance: page('/go-live/accept', 'Accept the agreement', {
    roles: ownersOnly,
    factor: 'fresh',
  }),
  acceptAgreement: form('/go-live/accept', 'Accept the agreement', {
    roles: ownersOnly,
    factor: 'fresh',
  }),
  acceptance: page('/go-live/agreements/{id}', 'Accepted agreement', { roles: everyRole }),
}
