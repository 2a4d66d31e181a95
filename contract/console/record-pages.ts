// Pages about patients' records: disclosures, legal holds, access reports, retention.

import { consoleOperations } from './operations.ts'
import { by, form, page } from './page.ts'

const of = consoleOperations

export const recordPages = {
  patientRecord: page('/patients/{id}/record', 'Disclosures and holds', by(of.listDisclosures)),
  addDisclosure: form('/patients/{id}/disclosures', 'Record disclosure', {
    ...by(of.addDisclosure),
    page: '/patients/{id}/record',
  }),
  disclosuresCsv: page('/patients/{id}/disclosures.csv', 'Disclosures as CSV', {
    ...by(of.listDisclosures),
    isExport: true,
  }),
  placeHold: form('/patients/{id}/holds', 'Place legal hold', {
    ...by(of.placeHold),
    page: '/patients/{id}/record',
  }),
  liftHold: form('/patients/{id}/holds/lift', 'Lift legal hold', {
    ...by(of.liftHold),
    page: '/patients/{id}/record',
  }),
  patientAccess: page('/patients/{id}/access', 'Who saw this patient', by(of.listAccess)),
  patientAccessCsv: page(
    '/patients/{id}/access.csv',
    'Who saw this patient, as CSV',
    by(of.listAccess),
  ),
  retention: page('/retention', 'Retention', {
    roles: ['admin', 'records', 'auditor'],
    group: 'Clinic',
  }),
  setRetention: form('/retention', 'Set retention policy', {
    roles: ['admin', 'records'],
    factor: 'fresh',
  }),
  bulkExports: page('/exports', 'FHIR export', { ...by(of.listBulkExports), group: 'Clinic' }),
  startBulkExport: form('/integrations/{id}/exports', 'Start FHIR export', {
    ...by(of.startBulkExport),
    page: '/exports',
  }),
  downloadBulkFile: page('/exports/files/{id}', 'FHIR file', {
    ...by(of.downloadBulkFile),
    factor: 'fresh',
  }),
  deleteBulkExport: form('/exports/{id}/delete', 'Delete FHIR export', {
    ...by(of.deleteBulkExport),
    page: '/exports',
  }),
}
