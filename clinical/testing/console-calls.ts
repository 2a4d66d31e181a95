// Data for the console's tests: who may call what, and operation bodies.

import { type ConsoleId, consoleOperations } from '#contract/console/operations.ts'
import type { ConsoleOperation } from '#contract/console/row.ts'

// Written out here instead of derived from contract/console/, so a mistake there fails a test.
const matrix = `
operation           admin clinician nurse pharmacy records auditor
listQueue           –     ✓         ✓     –        ✓       –
listDecided         –     ✓         ✓     –        ✓       –
listUnanswered      –     ✓         ✓     –        ✓       –
findNextCase        –     ✓         –     –        –       –
readChart           –     ✓         ✓     –        ✓       –
claimCase           –     ✓         ✓     –        –       –
unclaimCase         –     ✓         ✓     –        –       –
approveCase         –     ✓         –     –        –       –
declineCase         –     ✓         –     –        –       –
askQuestion         –     ✓         ✓     –        –       –
writeMessage        –     ✓         ✓     –        –       –
dismissMessages     –     ✓         ✓     –        –       –
listPharmacyOrders  –     ✓         ✓     ✓        ✓       –
listPastOrders      –     ✓         ✓     ✓        ✓       –
readOrder           –     ✓         ✓     ✓        ✓       –
shipOrder           –     –         –     ✓        –       –
deliverOrder        –     –         –     ✓        –       –
blockOrder          –     –         –     ✓        –       –
unblockOrder        –     –         –     ✓        –       –
failOrder           –     –         –     ✓        –       –
resendOrder         –     –         –     ✓        –       –
takeOverOrder       –     –         –     ✓        –       –
findPatients        –     ✓         ✓     ✓        ✓       –
listClinicPatients  –     ✓         ✓     –        ✓       –
readPatient         –     ✓         ✓     –        ✓       –
readFile            –     ✓         ✓     –        ✓       –
viewFile            –     ✓         ✓     –        ✓       –
downloadFile        –     ✓         ✓     –        ✓       –
requestRemoval      –     –         –     –        ✓       –
cancelRemoval       –     –         –     –        ✓       –
confirmRemoval      –     –         –     –        ✓       –
exportRecord        –     –         –     –        ✓       –
listBulkExports     –     –         –     –        ✓       –
startBulkExport     –     –         –     –        ✓       –
downloadBulkFile    –     –         –     –        ✓       –
deleteBulkExport    –     –         –     –        ✓       –
listActivity        ✓     –         –     –        ✓       ✓
listIntegrations    ✓     –         –     –        –       –
listClinicVisits    –     ✓         ✓     –        ✓       –
readClinicVisit     –     ✓         ✓     –        ✓       –
joinClinicVisit     –     ✓         –     –        –       –
startClinicVisit    –     ✓         –     –        –       –
completeClinicVisit –     ✓         –     –        –       –
missClinicVisit     –     ✓         –     –        –       –
cancelClinicVisit   –     ✓         ✓     –        –       –
moveClinicVisit     –     ✓         ✓     –        –       –
listDisclosures     –     –         –     –        ✓       ✓
addDisclosure       –     –         –     –        ✓       –
listHolds           –     ✓         ✓     –        ✓       ✓
placeHold           –     –         –     –        ✓       –
liftHold            –     –         –     –        ✓       –
listDueRecords      –     –         –     –        ✓       ✓
listAccess          ✓     –         –     –        ✓       ✓
saveCaseNote        –     ✓         ✓     –        –       –
signCaseNote        –     ✓         ✓     –        –       –
saveVisitNote       –     ✓         ✓     –        –       –
signVisitNote       –     ✓         ✓     –        –       –
findDiagnoses       –     ✓         ✓     –        –       –
addAddendum         –     ✓         ✓     –        –       –`

/** The reads that emergency access allows an administrator. */
export const emergencyReads: readonly ConsoleId[] = [
  'listQueue',
  'listDecided',
  'listUnanswered',
  'readChart',
  'listPharmacyOrders',
  'listPastOrders',
  'readOrder',
  'findPatients',
  'listClinicPatients',
  'readPatient',
  'readFile',
  'viewFile',
  'listBulkExports',
  'listActivity',
  'listIntegrations',
  'listClinicVisits',
  'readClinicVisit',
  'listDisclosures',
  'listHolds',
  'listDueRecords',
  'listAccess',
]

const [names = [], ...lines] = matrix
  .trim()
  .split('\n')
  .map(line => line.split(/\s+/))

/** Which role may perform which operation; ✓ or – in the order of `roleColumns`. */
export const roleLines = lines.map(
  ([operation = '', ...cells]) => [operation as ConsoleId, cells] as const,
)
export const roleColumns = names.slice(1)

/** The version in a write's body, if its row has one. */
export const versionIn = (operation: ConsoleId, version: string) => {
  const { body } = consoleOperations[operation] as ConsoleOperation
  const { properties = {} } = (body ?? {}) as { properties?: object }
  return Object.hasOwn(properties, 'version') ? { version } : {}
}

/** Bodies without a version; the test names the hold to lift. */
export const consoleBodies = {
  declineCase: { reason: 'Not safe.' },
  askQuestion: { target: 'patient', question: 'Since when?' },
  writeMessage: { body: 'Hello.' },
  blockOrder: { reason: 'Out of stock.' },
  requestRemoval: { reason: 'Of another person.' },
  addDisclosure: {
    disclosed_on: '2026-01-31',
    recipient: 'A court',
    description: 'The chart of 2025.',
    purpose: 'A subpoena.',
  },
  saveCaseNote: { body: 'Subjective: tired.', codes: ['E66.9'] },
  signCaseNote: { body: 'Assessment: well.' },
  saveVisitNote: { body: 'Subjective: tired.' },
  signVisitNote: { body: 'Assessment: well.', codes: ['Z68.34', 'E66.9'] },
  addAddendum: { body: 'Called back.' },
  placeHold: { reason: 'A lawsuit.' },
  liftHold: { reason: 'It ended.' },
} as const

const queries: Partial<Record<ConsoleId, Readonly<Record<string, string>>>> = {
  listPastOrders: { status: 'delivered' },
  listDueRecords: { by: '2040-01-01' },
  findPatients: { q: 'rivera' },
  findDiagnoses: { q: 'obesity' },
}

/** Returns the query for lists that need one. */
export function queryOf(operation: ConsoleId, days: Record<string, string>) {
  const query = operation === 'listClinicVisits' ? days : queries[operation]
  return query === undefined ? {} : { query }
}

export const bodyOf = (operation: ConsoleId): object =>
  (consoleBodies as Partial<Record<ConsoleId, object>>)[operation] ?? {}

/** The tables with a clinic's patient data. */
export const clinicTables = [
  'live.patients',
  'live.consents',
  'live.cases',
  'live.messages',
  'live.prescriptions',
  'live.orders',
  'live.events',
  'live.visits',
  'live.charges',
  'live.files',
  'live.bulk_exports',
  'live.bulk_files',
  'live.discarded_objects',
  'records.disclosures',
  'records.holds',
  'records.notes',
  'records.addenda',
  'records.unanswered_threads',
  'pharmacy.transmissions',
]
