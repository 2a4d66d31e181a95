// Patients and their consents.

import { Type } from 'typebox'
import { define } from '../operation.ts'
import {
  closed,
  day,
  idOf,
  listOf,
  moment,
  named,
  nullable,
  oneOf,
  text,
  phonePattern,
} from '../shapes.ts'
import { Address, AddressInput } from './address.ts'
import { Deleted, page } from './answers.ts'

const details = {
  first_name: text(1, 100),
  last_name: text(1, 100),
  date_of_birth: day({ 'x-earliest': '1900-01-01', 'x-latest': 'now' }),
  sex_at_birth: oneOf(['female', 'male', 'intersex', 'unknown']),
  email: Type.String({ format: 'email', maxLength: 254, description: 'Not unique.' }),
  phone: Type.String({ pattern: phonePattern, description: 'E.164.' }),
}

const externalId = nullable(
  text(1, 255, {
    description: 'Your own ID for the patient. Not unique. You can filter the list by it.',
  }),
)
const middleName = nullable(text(1, 100))

export const Patient = named('Patient', 'A person who receives care.', {
  id: idOf('patient'),
  external_id: externalId,
  status: oneOf(['active'], {
    description: '`deleted` appears only in patient.deleted.v1 events.',
  }),
  first_name: details.first_name,
  middle_name: middleName,
  last_name: details.last_name,
  date_of_birth: details.date_of_birth,
  sex_at_birth: details.sex_at_birth,
  email: details.email,
  phone: details.phone,
  address: Address,
  created_at: moment(),
  updated_at: moment(),
})

export const Consent = named('Consent', "A patient's consent to one document.", {
  id: idOf('consent'),
  patient: idOf('patient'),
  kind: oneOf(['telehealth', 'privacy']),
  version: text(1, 64, { description: 'The document version the patient saw.' }),
  status: oneOf(['current', 'superseded'], {
    description:
      "The patient's newest consent of each kind is current. If a version is in force, only a " +
      'consent to that version is.',
  }),
  accepted_at: moment({ description: 'When the patient agreed.' }),
  created_at: moment(),
  version_in_force: nullable(text(1, 64), {
    description:
      "The version of this kind's document that a case needs now: the one you last published in " +
      'your sandbox. null if you have published none, and in live mode.',
  }),
})

const PatientCreate = closed({
  ...details,
  address: AddressInput,
  middle_name: Type.Optional(nullable(text(1, 100, { default: null }))),
  external_id: Type.Optional(nullable(text(1, 255, { default: null }))),
})

const PatientUpdate = closed({
  first_name: Type.Optional(details.first_name),
  last_name: Type.Optional(details.last_name),
  date_of_birth: Type.Optional(details.date_of_birth),
  sex_at_birth: Type.Optional(details.sex_at_birth),
  email: Type.Optional(details.email),
  phone: Type.Optional(details.phone),
  address: Type.Optional(AddressInput),
  middle_name: Type.Optional(middleName),
  external_id: Type.Optional(externalId),
})

const ConsentCreate = closed({
  kind: Consent.properties.kind,
  version: Consent.properties.version,
  accepted_at: Type.Optional(moment({ 'x-earliest': '1900-01-01', 'x-latest': 'skew' })),
})

export const patients = define({
  createPatient: {
    method: 'POST',
    path: '/v1/patients',
    tag: 'Patients',
    scope: 'patients:write',
    mode: 'both',
    tool: true,
    summary: 'Create a patient.',
    body: PatientCreate,
    status: 201,
    returns: Patient,
    emits: ['patient.created.v1'],
  },
  listPatients: {
    method: 'GET',
    path: '/v1/patients',
    tag: 'Patients',
    scope: 'patients:read',
    mode: 'both',
    tool: true,
    summary: 'List patients, or find one by your own ID.',
    query: closed({
      ...page('patient'),
      external_id: Type.Optional(text(1, 255, { description: 'Exact match.' })),
    }),
    status: 200,
    returns: listOf(Patient),
  },
  getPatient: {
    method: 'GET',
    path: '/v1/patients/{id}',
    tag: 'Patients',
    scope: 'patients:read',
    mode: 'both',
    tool: true,
    summary: 'Read a patient.',
    status: 200,
    returns: Patient,
  },
  updatePatient: {
    method: 'PATCH',
    path: '/v1/patients/{id}',
    tag: 'Patients',
    scope: 'patients:write',
    mode: 'both',
    tool: true,
    summary: 'Update a patient.',
    description:
      'Omitted fields keep their values, null clears middle_name or external_id, and an address is ' +
      'replaced as a whole. If nothing changes, nothing is written and no event is sent.',
    body: PatientUpdate,
    status: 200,
    returns: Patient,
    emits: ['patient.updated.v1'],
  },
  deletePatient: {
    method: 'DELETE',
    path: '/v1/patients/{id}',
    tag: 'Patients',
    scope: 'patients:write',
    mode: 'both',
    tool: true,
    summary: 'Delete a patient and withdraw their open cases.',
    description:
      'Withdraws open cases and cancels scheduled visits. In test mode the details are erased. In ' +
      'live mode they are hidden from you, and the clinic keeps its record. ' +
      'Cases, prescriptions, orders and visits stay readable.',
    body: 'none',
    status: 200,
    returns: Deleted,
    emits: ['case.withdrawn.v1', 'visit.cancelled.v1', 'patient.deleted.v1'],
  },
  recordConsent: {
    method: 'POST',
    path: '/v1/patients/{id}/consents',
    tag: 'Patients',
    scope: 'patients:write',
    mode: 'both',
    tool: true,
    summary: "Record a patient's consent to one document.",
    description:
      'The newest consent of each kind is current and supersedes the previous one. A consent to a ' +
      'version that is no longer in force is recorded as superseded.',
    body: ConsentCreate,
    status: 201,
    returns: Consent,
    emits: ['consent.recorded.v1'],
  },
  listConsents: {
    method: 'GET',
    path: '/v1/patients/{id}/consents',
    tag: 'Patients',
    scope: 'patients:read',
    mode: 'both',
    tool: true,
    summary: "List a patient's consents.",
    query: closed(page('consent')),
    status: 200,
    returns: listOf(Consent),
  },
})
