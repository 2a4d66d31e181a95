// The pages for clinicians and other care staff, and for the pharmacy.

import { consoleOperations } from './operations.ts'
import { by, form, page } from './page.ts'
import { staffRoles } from './row.ts'

const of = consoleOperations

export const carePages = {
  search: page('/search', 'Search', { roles: staffRoles }),
  work: page('/work', 'Your work', { roles: staffRoles }),
  queue: page('/queue', 'Queue', { ...by(of.listQueue), group: 'Care' }),
  decided: page('/decided', 'Decided cases', { ...by(of.listDecided), parent: 'queue' }),
  messages: page('/messages', 'Messages', { ...by(of.listUnanswered), group: 'Care' }),
  takeNext: form('/queue/next', 'Take the next case', {
    ...by(of.findNextCase),
    page: '/queue',
  }),
  case: page('/cases/{id}', 'Case', { ...by(of.readChart), parent: 'queue' }),
  claim: form('/cases/{id}/claim', 'Claim a case', { ...by(of.claimCase), page: '/cases/{id}' }),
  unclaim: form('/cases/{id}/unclaim', 'Release a case', {
    ...by(of.unclaimCase),
    page: '/cases/{id}',
  }),
  skip: form('/cases/{id}/skip', 'Skip a case', { ...by(of.findNextCase), page: '/cases/{id}' }),
  passkeyOptions: page('/confirm/passkey.json', 'Passkey options', by(of.findNextCase)),
  approve: form('/cases/{id}/approve', 'Sign a plan', {
    ...by(of.approveCase),
    page: '/cases/{id}',
  }),
  decline: form('/cases/{id}/decline', 'Decline a case', {
    ...by(of.declineCase),
    page: '/cases/{id}',
  }),
  ask: form('/cases/{id}/question', 'Ask a question', {
    ...by(of.askQuestion),
    page: '/cases/{id}',
  }),
  write: form('/cases/{id}/messages', 'Write a message', {
    ...by(of.writeMessage),
    page: '/cases/{id}',
  }),
  dismiss: form('/cases/{id}/messages/dismiss', 'Mark messages as needing no reply', {
    ...by(of.dismissMessages),
    page: '/cases/{id}',
  }),
  writeNote: form('/cases/{id}/note', 'Write a note', {
    ...by(of.signCaseNote),
    page: '/cases/{id}',
  }),
  diagnoses: page('/diagnoses.json', 'Diagnosis codes', by(of.findDiagnoses)),
  addAddendum: form('/cases/{id}/addenda', 'Add an addendum', {
    ...by(of.addAddendum),
    page: '/cases/{id}',
  }),
  thread: page('/cases/{id}/thread', 'Messages', by(of.readChart)),
  patients: page('/patients', 'Patients', { ...by(of.findPatients), group: 'Care' }),
  patient: page('/patients/{id}', 'Patient', by(of.readPatient)),
  exportRecord: form('/patients/{id}/export', 'Export a record', {
    ...by(of.exportRecord),
    page: '/patients/{id}',
  }),
}
