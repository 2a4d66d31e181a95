// Messages for database errors.

import type { RefusedClinicChange } from '#auth/clinics/staff.ts'
import type { RefusedGrantOfClinic } from '#auth/grants/grants.ts'

type Refusal = RefusedClinicChange | RefusedGrantOfClinic

const texts: Partial<Record<Refusal, string>> = {
  unknown_organization: 'You no longer work at this clinic.',
  admin_required: 'Only an administrator can do this.',
  last_admin: 'A clinic needs at least one administrator. Give someone else that role first.',
  own_roles: 'You can’t change your own roles. Ask another administrator.',
  own_license: 'You can’t record your own license. Ask another administrator.',
  already_staff: 'This person already works here. Change their roles instead.',
  already_sent:
    'This form was already sent, and the secret was replaced once. If you didn’t save it, open this page again and rotate the secret.',
  already_connected: 'The clinic is already connected to a pharmacy. Disconnect it first.',
  has_records: 'Your records role can already open every chart.',
  already_started: 'Your emergency access has already started.',
  too_soon:
    'You had emergency access within the last day. Ask another administrator to allow it again on this page, or wait a day.',
  own_access: 'You can’t allow your own emergency access again. Ask another administrator.',
  no_recipient:
    'No one would be notified, because the clinic has no other administrator and no incident email. Add one in Settings first.',
  incident_email_required: 'A live clinic needs an incident email. Add one in Settings.',
  not_found: 'Someone else changed or decided this. The page now shows the current version.',
  version_changed:
    'Someone changed this after you opened the page, so nothing was saved. Review it, then save again.',
  too_many_invitations: 'This clinic sent 50 invitations today. Send the next one tomorrow.',
  own_grant:
    'You’re a member of this integration or requested this grant. Ask another administrator to decide.',
  unknown_scope: 'Choose at least one requested scope.',
}

export const refusalText = (code: Refusal): string =>
  texts[code] ?? `This change wasn’t saved (${code}). Try again.`
