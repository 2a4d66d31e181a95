// The pages of administrators, and the activity, which records and auditors read too.

import { consoleOperations } from './operations.ts'
import { by, definePages } from './page.ts'

const roles = ['admin'] as const
/** A change of the clinic needs a fresh factor, and so does the page of its form. */
const change = { roles, factor: 'fresh' } as const

const grant = '/{organization}/grants/{id}'
const member = '/{organization}/staff/{id}'

export const administrationPages = definePages({
  grants: {
    method: 'GET',
    path: '/{organization}/grants',
    title: 'Grants',
    roles,
    group: 'Clinic',
  },
  grant: { method: 'GET', path: grant, title: 'Grant', ...change },
  decideGrant: {
    method: 'POST',
    path: '/{organization}/grants/{id}/decide',
    title: 'Decide a grant',
    ...change,
    page: grant,
  },
  revokeGrant: {
    method: 'POST',
    path: '/{organization}/grants/{id}/revoke',
    title: 'Revoke a grant',
    ...change,
    page: grant,
  },
  staff: { method: 'GET', path: '/{organization}/staff', title: 'Staff', roles, group: 'Clinic' },
  newStaffInvitation: {
    method: 'GET',
    path: '/{organization}/staff/invite',
    title: 'Invite a person',
    ...change,
  },
  inviteStaff: {
    method: 'POST',
    path: '/{organization}/staff/invite',
    title: 'Invite a person',
    ...change,
  },
  cancelStaffInvitation: {
    method: 'POST',
    path: '/{organization}/staff/invitations/{id}/cancel',
    title: 'Cancel an invitation',
    ...change,
    page: '/{organization}/staff',
  },
  staffMember: { method: 'GET', path: member, title: 'Member of staff', ...change },
  changeStaff: {
    method: 'POST',
    path: '/{organization}/staff/{id}/roles',
    title: 'Change a member of staff',
    ...change,
    page: member,
  },
  setLicense: {
    method: 'POST',
    path: '/{organization}/staff/{id}/licenses',
    title: 'Record a license',
    ...change,
    page: member,
  },
  removeLicense: {
    method: 'POST',
    path: '/{organization}/staff/{id}/licenses/remove',
    title: 'Remove a license',
    ...change,
    page: member,
  },
  deactivateStaff: {
    method: 'POST',
    path: '/{organization}/staff/{id}/deactivate',
    title: 'Deactivate a member of staff',
    ...change,
    page: member,
  },
  formulary: {
    method: 'GET',
    path: '/{organization}/formulary',
    title: 'Formulary',
    ...change,
    group: 'Clinic',
  },
  changeFormulary: {
    method: 'POST',
    path: '/{organization}/formulary',
    title: 'Change the formulary',
    ...change,
  },
  pharmacy: {
    method: 'GET',
    path: '/{organization}/pharmacy',
    title: 'Pharmacy',
    ...change,
    group: 'Clinic',
  },
  connectPharmacy: {
    method: 'POST',
    path: '/{organization}/pharmacy',
    title: 'Connect a pharmacy',
    ...change,
  },
  rotatePharmacySecret: {
    method: 'POST',
    path: '/{organization}/pharmacy/{id}/rotate',
    title: 'Replace the secret of the pharmacy',
    ...change,
    page: '/{organization}/pharmacy',
  },
  disconnectPharmacy: {
    method: 'POST',
    path: '/{organization}/pharmacy/{id}/disconnect',
    title: 'Disconnect the pharmacy',
    ...change,
    page: '/{organization}/pharmacy',
  },
  activity: {
    method: 'GET',
    path: '/{organization}/activity',
    title: 'Activity',
    ...by(consoleOperations.listActivity),
    group: 'Clinic',
  },
  activityCsv: {
    method: 'GET',
    path: '/{organization}/activity.csv',
    title: 'Activity as CSV',
    ...by(consoleOperations.listActivity),
  },
  emergencyAccess: {
    method: 'GET',
    path: '/{organization}/emergency-access',
    title: 'Emergency access',
    ...change,
    group: 'Clinic',
  },
  startEmergencyAccess: {
    method: 'POST',
    path: '/{organization}/emergency-access',
    title: 'Start emergency access',
    ...change,
  },
  endEmergencyAccess: {
    method: 'POST',
    path: '/{organization}/emergency-access/{id}/end',
    title: 'End emergency access',
    ...change,
    page: '/{organization}/emergency-access',
  },
  clinicSettings: {
    method: 'GET',
    path: '/{organization}/settings',
    title: 'Settings',
    ...change,
    group: 'Clinic',
  },
  changeClinicSettings: {
    method: 'POST',
    path: '/{organization}/settings',
    title: 'Change the settings',
    ...change,
  },
})
