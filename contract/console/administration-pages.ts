// Administrators' pages, and the activity pages, which the records and auditor roles also read.

import { consoleOperations } from './operations.ts'
import { by, form, page } from './page.ts'

const roles = ['admin'] as const
/** A form that changes the clinic needs a fresh second factor, and so does its page. */
const change = { roles, factor: 'fresh' } as const

export const administrationPages = {
  grants: page('/grants', 'Grants', { roles, group: 'Clinic' }),
  grant: page('/grants/{id}', 'Grant', change),
  decideGrant: form('/grants/{id}/decide', 'Decide grant', { ...change, page: '/grants/{id}' }),
  revokeGrant: form('/grants/{id}/revoke', 'Revoke grant', { ...change, page: '/grants/{id}' }),
  staff: page('/staff', 'Staff', { roles, group: 'Clinic' }),
  newStaffInvitation: page('/staff/invite', 'Invite staff', change),
  inviteStaff: form('/staff/invite', 'Invite staff', change),
  cancelStaffInvitation: form('/staff/invitations/{id}/cancel', 'Cancel invitation', {
    ...change,
    page: '/staff',
  }),
  staffMember: page('/staff/{id}', 'Staff member', change),
  changeStaff: form('/staff/{id}/roles', 'Edit staff member', {
    ...change,
    page: '/staff/{id}',
  }),
  setLicense: form('/staff/{id}/licenses', 'Record license', { ...change, page: '/staff/{id}' }),
  removeLicense: form('/staff/{id}/licenses/remove', 'Remove license', {
    ...change,
    page: '/staff/{id}',
  }),
  deactivateStaff: form('/staff/{id}/deactivate', 'Deactivate staff member', {
    ...change,
    page: '/staff/{id}',
  }),
  formulary: page('/formulary', 'Formulary', { ...change, group: 'Clinic' }),
  changeFormulary: form('/formulary', 'Edit formulary', change),
  pharmacy: page('/pharmacy', 'Pharmacy', { ...change, group: 'Clinic' }),
  connectPharmacy: form('/pharmacy', 'Connect pharmacy', change),
  rotatePharmacySecret: form('/pharmacy/{id}/rotate', 'Rotate pharmacy secret', {
    ...change,
    page: '/pharmacy',
  }),
  disconnectPharmacy: form('/pharmacy/{id}/disconnect', 'Disconnect pharmacy', {
    ...change,
    page: '/pharmacy',
  }),
  stopRecovery: form('/staff/{id}/recovery/stop', 'Stop recovery', {
    ...change,
    page: '/staff/{id}',
  }),
  confirmStaff: form('/staff/{id}/recovery/confirm', 'Confirm recovered account', {
    ...change,
    page: '/staff/{id}',
  }),
  activity: page('/activity', 'Activity', {
    ...by(consoleOperations.listActivity),
    group: 'Clinic',
  }),
  activityCsv: page('/activity.csv', 'Activity as CSV', by(consoleOperations.listActivity)),
  emergencyAccess: page('/emergency-access', 'Emergency access', { ...change, group: 'Clinic' }),
  startEmergencyAccess: form('/emergency-access', 'Start emergency access', change),
  endEmergencyAccess: form('/emergency-access/{id}/end', 'End emergency access', {
    ...change,
    page: '/emergency-access',
  }),
  allowEmergencyAccess: form('/emergency-access/{id}/allow', 'Allow emergency access again', {
    ...change,
    page: '/emergency-access',
  }),
  clinicSettings: page('/settings', 'Settings', { ...change, group: 'Clinic' }),
  changeClinicSettings: form('/settings', 'Edit settings', change),
}
