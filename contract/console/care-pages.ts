// The pages of those who care for patients, and of the pharmacy.

import { consoleOperations } from './operations.ts'
import { by, definePages } from './page.ts'

const of = consoleOperations
const review = '/{organization}/cases/{id}'

export const carePages = definePages({
  queue: {
    method: 'GET',
    path: '/{organization}/queue',
    title: 'Queue',
    ...by(of.listQueue),
    group: 'Care',
  },
  case: { method: 'GET', path: review, title: 'Case', ...by(of.readChart), parent: 'queue' },
  claim: {
    method: 'POST',
    path: '/{organization}/cases/{id}/claim',
    title: 'Claim a case',
    ...by(of.claimCase),
    page: review,
  },
  unclaim: {
    method: 'POST',
    path: '/{organization}/cases/{id}/unclaim',
    title: 'Release a case',
    ...by(of.unclaimCase),
    page: review,
  },
  approve: {
    method: 'POST',
    path: '/{organization}/cases/{id}/approve',
    title: 'Sign a plan',
    ...by(of.approveCase),
    page: review,
  },
  decline: {
    method: 'POST',
    path: '/{organization}/cases/{id}/decline',
    title: 'Decline a case',
    ...by(of.declineCase),
    page: review,
  },
  ask: {
    method: 'POST',
    path: '/{organization}/cases/{id}/question',
    title: 'Ask a question',
    ...by(of.askQuestion),
    page: review,
  },
  write: {
    method: 'POST',
    path: '/{organization}/cases/{id}/messages',
    title: 'Write a message',
    ...by(of.writeMessage),
    page: review,
  },
  thread: {
    method: 'GET',
    path: '/{organization}/cases/{id}/thread',
    title: 'Thread',
    ...by(of.readChart),
  },
  writeOnThread: {
    method: 'POST',
    path: '/{organization}/cases/{id}/thread',
    title: 'Write a message on the thread',
    ...by(of.writeMessage),
  },
  patient: {
    method: 'GET',
    path: '/{organization}/patients/{id}',
    title: 'Patient',
    ...by(of.readPatient),
    parent: 'queue',
  },
  exportRecord: {
    method: 'POST',
    path: '/{organization}/patients/{id}/export',
    title: 'Export a record',
    ...by(of.exportRecord),
    page: '/{organization}/patients/{id}',
  },
})
