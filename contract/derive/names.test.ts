// Pins the SDK name of each of the 65 operations, so no change to the rule or a path renames a
// published method.

import { expect, test } from 'bun:test'
import { operationIds, table } from '../api.ts'
import { previewIds, previewTable } from '../preview/operations.ts'
import { sdkName, singular, snake } from './names.ts'

const names = `
getOrganization /v1/organization organization.get
listMedications /v1/medications medications.list
getMedication /v1/medications/{medication_id} medications.get
createPatient /v1/patients patients.create
listPatients /v1/patients patients.list
getPatient /v1/patients/{id} patients.get
updatePatient /v1/patients/{id} patients.update
deletePatient /v1/patients/{id} patients.delete
recordConsent /v1/patients/{id}/consents consents.record
listConsents /v1/patients/{id}/consents consents.list
createExport /v1/patients/{id}/exports exports.create
getPatientExport /v1/patients/{id}/exports/{job} exports.getForPatient
getExport /v1/exports/{id} exports.get
downloadExport /v1/exports/{id}/download exports.download
createCase /v1/cases cases.create
listCases /v1/cases cases.list
getCase /v1/cases/{id} cases.get
releaseCase /v1/cases/{id}/release cases.release
cancelCase /v1/cases/{id}/cancel cases.cancel
withdrawCase /v1/cases/{id}/withdraw cases.withdraw
answerCase /v1/cases/{id}/answers cases.answer
listCaseEvents /v1/cases/{id}/events cases.events
listMessages /v1/cases/{id}/messages messages.list
createMessage /v1/cases/{id}/messages messages.create
listPrescriptions /v1/cases/{id}/prescriptions prescriptions.list
getPrescription /v1/prescriptions/{id} prescriptions.get
listOrders /v1/cases/{id}/orders orders.list
getOrder /v1/orders/{id} orders.get
listSlots /v1/visits/slots visits.slots
bookVisit /v1/visits visits.book
getVisit /v1/visits/{id} visits.get
cancelVisit /v1/visits/{id}/cancel visits.cancel
rescheduleVisit /v1/visits/{id}/reschedule visits.reschedule
getJoinLink /v1/visits/{id}/join visits.join
createFile /v1/files files.create
confirmFile /v1/files/{id}/confirm files.confirm
getFile /v1/files/{id} files.get
deleteFile /v1/files/{id} files.delete
getUsage /v1/usage usage.get
listInvoices /v1/invoices invoices.list
getInvoice /v1/invoices/{id} invoices.get
listEvents /v1/events events.list
getEvent /v1/events/{id} events.get
redeliverEvent /v1/events/{id}/redeliver events.redeliver
createRealtimeToken /v1/realtime/tokens realtime.createToken
createWebhookEndpoint /v1/webhook_endpoints webhookEndpoints.create
listWebhookEndpoints /v1/webhook_endpoints webhookEndpoints.list
getWebhookEndpoint /v1/webhook_endpoints/{id} webhookEndpoints.get
updateWebhookEndpoint /v1/webhook_endpoints/{id} webhookEndpoints.update
deleteWebhookEndpoint /v1/webhook_endpoints/{id} webhookEndpoints.delete
rotateWebhookSecret /v1/webhook_endpoints/{id}/rotate_secret webhookEndpoints.rotateSecret
listDeliveries /v1/webhook_endpoints/{id}/deliveries webhookEndpoints.deliveries
decideCase /v1/test/cases/{id}/decision test.cases.decide
sendClinicianMessage /v1/test/cases/{id}/clinician_message test.cases.clinicianMessage
shipCase /v1/test/cases/{id}/ship test.cases.ship
deliverCase /v1/test/cases/{id}/deliver test.cases.deliver
blockCase /v1/test/cases/{id}/block test.cases.block
failCase /v1/test/cases/{id}/fail test.cases.fail
startVisit /v1/test/visits/{id}/start test.visits.start
completeVisit /v1/test/visits/{id}/complete test.visits.complete
noShowVisit /v1/test/visits/{id}/no_show test.visits.noShow
triggerWebhook /v1/test/webhooks/trigger test.webhooks.trigger
getAutopilot /v1/test/autopilot test.autopilot.get
updateAutopilot /v1/test/autopilot test.autopilot.update
resetSandbox /v1/test/reset test.reset
`
  .trim()
  .split('\n')
  .map(line => line.split(' '))

test('SDK names: follow from the ID and path for each of the 65 operations', () => {
  expect(names.length).toBe(65)
  const computed = names.map(([id = '', path = '']) => [id, path, sdkName(id, path)])
  expect(computed).toEqual(names)
  expect(new Set(computed.map(([, , name]) => name)).size).toBe(65)
})

test('SDK names: are listed here under each operation’s path', () => {
  const pinned = new Map(names.map(([id = '', path = '']) => [id, path]))
  for (const id of operationIds)
    expect<string[]>([id, table[id].path]).toEqual([id, pinned.get(id) ?? ''])
})

test('SDK names: the preview’s paths repeat the words in an ID', () => {
  const computed = previewIds.map(id => sdkName(id, previewTable[id].path))
  expect(computed).toEqual([
    'requests.list',
    'requests.get',
    'events.replay',
    'replays.get',
    'replays.cancel',
    'destinations.create',
    'destinations.list',
    'destinations.get',
    'destinations.update',
    'destinations.delete',
    'exports.createTable',
    'exports.tables',
    'exports.getTable',
    'exportSchedule.get',
    'exportSchedule.set',
    'metrics.get',
    'test.clock.get',
    'test.clock.set',
    'test.consentVersions.get',
    'test.consentVersions.publish',
  ])
})

test('names: all words in use have the correct singular and snake_case', () => {
  expect(['cases', 'deliveries', 'webhook_endpoints'].map(singular)).toEqual([
    'case',
    'delivery',
    'webhook_endpoint',
  ])
  expect(snake('rotateSecret')).toBe('rotate_secret')
})
