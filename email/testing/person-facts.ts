// What the emails to people are composed from, one of each kind.
import type { PersonEmail, PersonFacts } from '../people.ts'

const email = 'ada@example.com'
const at = '2027-03-08T15:00:00.000Z'
const integration = 'Ada Health'

export const samples: { [K in PersonEmail]: PersonFacts[K] } = {
  verify_email: { email, sign_up: 'sup_1' },
  already_registered: { email },
  confirm_new_email: { email, sign_up: 'sup_1' },
  email_changed: { email, new_email: 'ada@example.org' },
  invitation: { email, invitation: 'invt_1', role: 'developer', integration, by: 'Ben' },
  recovery_requested: { email, recovery: 'rcv_1' },
  recovery_begun: { email, recovery: 'rcv_1', effective_at: at },
  recovery_begun_by_member: { email, member: 'ben@example.com', integration, effective_at: at },
  recovery_cancelled: { email },
  recovered: { email },
  recovered_member: { email, member: 'ben@example.com', integration, effective_at: at },
  factor_added: { email, factor: 'the passkey My phone' },
  factor_removed: { email, factor: 'an authenticator app' },
  recovery_code_used: { email, left: 1 },
  recovery_codes_replaced: { email },
  password_changed: { email },
  account_closed: { email },
  key_reported: { email, integration, name: 'Checkout', last4: 'X9de', mode: 'live' },
  key_ends: { email, integration, name: 'Nightly', last4: 'X9de', days: 7, ends_at: at },
  staff_invitation: {
    email,
    invitation: 'invt_1',
    roles: ['clinician', 'admin'],
    organization: 'River Clinic',
    by: 'Ben',
  },
  emergency_access_started: {
    email,
    name: 'Ben',
    organization: 'River Clinic',
    ends_at: at,
  },
  recovery_begun_by_staff: {
    email,
    member: 'ben@example.com',
    organization: 'River Clinic',
    effective_at: at,
  },
  recovered_staff: {
    email,
    member: 'ben@example.com',
    organization: 'River Clinic',
    effective_at: at,
  },
  operator_access_approved: {
    email,
    organization: 'River Clinic',
    asked_by: 'Ada',
    approved_by: 'Ben',
    ends_at: at,
  },
  grant_decided: {
    email,
    integration,
    organization: 'River Clinic',
    status: 'active',
    scopes: 2,
    requested: 3,
  },
  invoice_made: {
    email,
    integration,
    number: 'INV-000001',
    month: '2027-02-01T00:00:00.000Z',
    total: 9800,
    due: 4900,
    currency: 'USD',
    due_at: at,
  },
  live_destination_added: {
    email,
    integration,
    host: 'hooks.example.com',
    includes_resource: true,
  },
  integration_closed: { email, integration, by: 'Ben' },
}
