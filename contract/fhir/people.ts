// Patients, their consents and their documents as FHIR.

import type { Static } from 'typebox'
import type { File } from '../api/files.ts'
import type { Consent, Patient } from '../api/patients.ts'
import { clinic, coding, idSystem, reference, references } from './elements.ts'
import { mapping, rulesOf } from './mapping.ts'
import { fhirTypes } from './resource-types.ts'

const birthSex = 'http://hl7.org/fhir/us/core/StructureDefinition/us-core-birthsex'

const ofPatient = rulesOf<Static<typeof Patient>>()
export const patient = mapping('Patient', 'Patient', [
  ofPatient.copy('meta.lastUpdated', 'updated_at'),
  ofPatient.always('meta.profile', [fhirTypes.Patient.profile], 'US Core Patient'),
  ofPatient.always('extension[0].url', birthSex, 'US Core Birth Sex'),
  ofPatient.word('extension[0].valueCode', 'sex_at_birth', {
    female: 'F',
    male: 'M',
    intersex: 'OTH',
    unknown: 'UNK',
  }),
  ofPatient.made('identifier[0]', ['id'], 'the system ends in `/ids/patient`', (row, about) => ({
    system: idSystem(about, 'patient'),
    value: row.id,
  })),
  ofPatient.made(
    'identifier[1]',
    ['external_id'],
    'your own ID; the system ends in `/ids/external_id`',
    ({ external_id: value }, about) => value && { system: idSystem(about, 'external_id'), value },
  ),
  ofPatient.always('active', true),
  ofPatient.copy('name[0].family', 'last_name'),
  ofPatient.made('name[0].given', ['first_name', 'middle_name'], '', row => [
    row.first_name,
    row.middle_name,
  ]),
  ofPatient.made('telecom[0]', ['phone'], '', row => ({ system: 'phone', value: row.phone })),
  ofPatient.made('telecom[1]', ['email'], '', row => ({ system: 'email', value: row.email })),
  ofPatient.always(
    'gender',
    'unknown',
    '`unknown`: we ask for sex at birth, which is a separate element',
  ),
  ofPatient.copy('birthDate', 'date_of_birth'),
  ofPatient.made('address[0]', ['address'], '', ({ address }) => ({
    line: [address.line1, address.line2],
    city: address.city,
    state: address.state,
    postalCode: address.postal_code,
    country: address.country,
  })),
  ofPatient.made('managingOrganization', [], 'the clinic, by its ID', (_, about) => clinic(about)),
])

const ofConsent = rulesOf<Static<typeof Consent>>()
const scopeSystem = 'http://terminology.hl7.org/CodeSystem/consentscope'
export const consent = mapping('Consent', 'Consent', [
  ofConsent.word('status', 'status', { current: 'active', superseded: 'inactive' }),
  ofConsent.always('scope.coding[0].system', scopeSystem, 'HL7 consent scopes'),
  ofConsent.word('scope.coding[0].code', 'kind', {
    telehealth: 'treatment',
    privacy: 'patient-privacy',
  }),
  ofConsent.made(
    'category',
    ['kind'],
    'LOINC `59284-0` for telehealth, `57016-8` for privacy',
    ({ kind }) => [coding('http://loinc.org', kind === 'privacy' ? '57016-8' : '59284-0')],
  ),
  ofConsent.made('patient', ['patient'], '', row => reference('Patient', row.patient)),
  ofConsent.copy('dateTime', 'accepted_at'),
  ofConsent.made('organization', [], 'the clinic, by its ID', (_, about) => [clinic(about)]),
  ofConsent.made(
    'policyRule.text',
    ['kind', 'version'],
    '',
    row => `${row.kind} document, version ${row.version}`,
  ),
])

const ofFile = rulesOf<Static<typeof File>>()
export const document = mapping('DocumentReference', 'File', [
  ofFile.always('status', 'current'),
  ofFile.copy('type.text', 'kind'),
  ofFile.made('subject', ['patient'], '', row => reference('Patient', row.patient)),
  ofFile.copy('date', 'attached_at'),
  ofFile.copy('content[0].attachment.contentType', 'mime'),
  ofFile.copy('content[0].attachment.size', 'size_bytes'),
  ofFile.copy('content[0].attachment.title', 'filename'),
  ofFile.made('context.encounter', ['case'], '', row =>
    references('Encounter', row.case === null ? [] : [row.case]),
  ),
])
