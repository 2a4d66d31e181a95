// What the database refused, in words.

import type { RefusedClinicChange } from '#auth/clinics/staff.ts'
import type { RefusedGrantOfClinic } from '#auth/grants/grants.ts'

type Refusal = RefusedClinicChange | RefusedGrantOfClinic

const texts: Partial<Record<Refusal, string>> = {
  unknown_organization: 'You are no longer staff of this clinic.',
  admin_required: 'Only an administrator may do this.',
  last_admin: 'A clinic keeps at least one administrator: give another person that role first.',
  own_roles: 'Another administrator gives you a role: ask one of them.',
  own_license: 'Another administrator records your license: ask one of them.',
  already_staff: 'This person is on the staff already: change their roles instead.',
  already_connected: 'The clinic is connected to a pharmacy already: disconnect it first.',
  has_records: 'You have the role records: emergency access adds nothing to it.',
  already_started: 'Your emergency access has begun already.',
  too_soon:
    'You had emergency access within the last day. Ask another administrator to allow it again on this page, or wait until a day has passed.',
  own_access: 'Another administrator allows you emergency access again: ask one of them.',
  no_recipient:
    'No one would be notified: the clinic has no other administrator and no email address. Add an incident email in Settings first.',
  incident_email_required:
    'A live clinic needs an incident email: add one in Settings, and keep it there.',
  not_found: 'It was changed or decided meanwhile: this page shows it as it is now.',
  version_changed:
    'It changed since you opened this page, and nothing was saved. Read it again, then save.',
  too_many_invitations:
    'Fifty invitations were sent for this clinic within a day: send the next one tomorrow.',
  own_grant:
    'You belong to this integration, or asked for this grant: another administrator decides.',
  unknown_scope: 'Scopes must be at least one of those that were asked for.',
}

export const refusalText = (code: Refusal): string => texts[code] ?? `It was refused: ${code}.`
