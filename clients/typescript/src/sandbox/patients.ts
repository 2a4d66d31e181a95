// The in-process sandbox's patients, consents and catalog.

import { examples, transitions } from '../generated/sandbox.ts'
import type { Case } from '../generated/schemas/cases.ts'
import type {
  Address,
  Consent,
  ConsentRecordParams,
  Patient,
} from '../generated/schemas/patients.ts'
import type { Visit } from '../generated/schemas/visits.ts'
import { closeCase } from './cases.ts'
import { Refusal } from './refusal.ts'
import type { Handlers } from './handlers.ts'
import type { Row } from './store.ts'
import { moveVisit } from './visits.ts'

type PatientRow = Patient & Row
type ConsentRow = Consent & Row

const addressOf = (address: unknown): Address =>
  ({ line2: null, country: 'US', ...(address as Partial<Address>) }) as Address

export const patients: Handlers = {
  getOrganization: () => examples.Organization,
  listMedications: () => [examples.Medication],
  getMedication({ path }) {
    if (path['medication_id'] !== examples.Medication.medication_id) throw new Refusal('not_found')
    return examples.Medication
  },
  createPatient({ store, body }) {
    const { text } = store.next()
    const patient = store.add<PatientRow>('pat', {
      external_id: null,
      middle_name: null,
      status: 'active',
      ...body,
      address: addressOf(body['address']),
      created_at: text,
      updated_at: text,
    } as Omit<PatientRow, 'id'>)
    store.event('patient.created.v1', patient, 'active', null)
    return patient
  },
  listPatients: ({ store, query }) =>
    store.all<PatientRow>(
      'pat',
      ({ external_id }) =>
        query['external_id'] === undefined || external_id === query['external_id'],
    ),
  getPatient: ({ store, path }) => store.find('pat', path['id']),
  updatePatient({ store, path, body }) {
    const patient = store.find<PatientRow>('pat', path['id'])
    const address = body['address'] === undefined ? {} : { address: addressOf(body['address']) }
    const changed = { ...patient, ...body, ...address }
    if (JSON.stringify(changed) === JSON.stringify(patient)) return patient
    store.event('patient.updated.v1', patient, 'active', 'active')
    return store.change(patient, { ...changed, updated_at: store.next().text })
  },
  deletePatient({ store, path }) {
    const patient = store.find<PatientRow>('pat', path['id'])
    const open = new Set(transitions['withdrawCase']?.from)
    const isOpen = (one: Case) => one.patient === patient.id && open.has(one.status)
    for (const one of store.all<Case & Row>('case', isOpen)) {
      closeCase(store, one, 'withdrawn', 'The patient was deleted.')
    }
    const isTheirs = (one: Row) => one['patient'] === patient.id
    for (const one of store.all<Visit & Row>('vis', isTheirs)) {
      if (one.status === 'scheduled') moveVisit(store, one, 'cancelled', 'ended_at')
    }
    for (const prefix of ['cons', 'file']) {
      for (const { id } of store.all(prefix, isTheirs)) store.remove(id)
    }
    store.remove(patient.id)
    store.event('patient.deleted.v1', patient, 'deleted', 'active')
    return { id: patient.id, deleted: true }
  },
  recordConsent({ store, path, body }) {
    const { id: patient } = store.find('pat', path['id'])
    const { kind, version, accepted_at } = body as unknown as ConsentRecordParams
    const isReplaced = (one: ConsentRow) =>
      one.patient === patient && one.kind === kind && one.status === 'current'
    for (const one of store.all('cons', isReplaced)) store.change(one, { status: 'superseded' })
    const { text } = store.next()
    const consent = store.add<ConsentRow>('cons', {
      patient,
      kind,
      version,
      status: 'current',
      accepted_at: accepted_at ?? text,
      created_at: text,
      version_in_force: null,
    } as Omit<ConsentRow, 'id'>)
    store.event('consent.recorded.v1', consent, 'current', null)
    return consent
  },
  listConsents({ store, path }) {
    const { id } = store.find('pat', path['id'])
    return store.all<ConsentRow>('cons', ({ patient }) => patient === id)
  },
}
