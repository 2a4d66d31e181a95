// The pages about the records of patients: disclosures, legal holds, who saw a patient, retention.

import { consoleOperations } from './operations.ts'
import { by, definePages } from './page.ts'

const of = consoleOperations
const record = '/{organization}/patients/{id}/record'
const retention = '/{organization}/retention'

export const recordPages = definePages({
  patientRecord: {
    method: 'GET',
    path: record,
    title: 'Disclosures and holds',
    ...by(of.listDisclosures),
  },
  addDisclosure: {
    method: 'POST',
    path: '/{organization}/patients/{id}/disclosures',
    title: 'Enter a disclosure',
    ...by(of.addDisclosure),
    page: record,
  },
  disclosuresCsv: {
    method: 'GET',
    path: '/{organization}/patients/{id}/disclosures.csv',
    title: 'Disclosures as CSV',
    ...by(of.listDisclosures),
  },
  placeHold: {
    method: 'POST',
    path: '/{organization}/patients/{id}/holds',
    title: 'Place a legal hold',
    ...by(of.placeHold),
    page: record,
  },
  liftHold: {
    method: 'POST',
    path: '/{organization}/patients/{id}/holds/lift',
    title: 'Lift a legal hold',
    ...by(of.liftHold),
    page: record,
  },
  patientAccess: {
    method: 'GET',
    path: '/{organization}/patients/{id}/access',
    title: 'Who saw a patient',
    ...by(of.listAccess),
  },
  patientAccessCsv: {
    method: 'GET',
    path: '/{organization}/patients/{id}/access.csv',
    title: 'Who saw a patient, as CSV',
    ...by(of.listAccess),
  },
  retention: {
    method: 'GET',
    path: retention,
    title: 'Retention',
    roles: ['admin', 'records', 'auditor'],
    group: 'Clinic',
  },
  setRetention: {
    method: 'POST',
    path: retention,
    title: 'Set the retention policy',
    roles: ['admin', 'records'],
    factor: 'fresh',
  },
})
