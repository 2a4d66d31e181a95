// Prescriptions and orders as FHIR.

import type { Static } from 'typebox'
import type { Order, Prescription } from '../api/thread.ts'
import {
  clinic,
  coding,
  medicationConcept,
  practitioner,
  quantityOf,
  reference,
} from './elements.ts'
import { mapping, rulesOf } from './mapping.ts'
import { fhirTypes } from './resource-types.ts'

const ofPrescription = rulesOf<Static<typeof Prescription>>()
const prescriptionSubject = ofPrescription.made('subject', ['patient'], '', row =>
  reference('Patient', row.patient),
)

export const prescription = mapping('MedicationRequest', 'Prescription', [
  ofPrescription.copy('meta.lastUpdated', 'updated_at'),
  ofPrescription.always(
    'meta.profile',
    [fhirTypes.MedicationRequest.profile],
    'US Core MedicationRequest',
  ),
  ofPrescription.word('status', 'status', {
    active: 'active',
    filled: 'completed',
    cancelled: 'cancelled',
    expired: 'stopped',
  }),
  ofPrescription.always('intent', 'order'),
  ofPrescription.always('reportedBoolean', false),
  ofPrescription.made(
    'medicationCodeableConcept',
    ['medication_id', 'name', 'strength', 'form'],
    'our catalog code, with name, strength and form',
    (row, about) => medicationConcept(about, row.medication_id, row),
  ),
  prescriptionSubject,
  ofPrescription.made('encounter', ['case'], '', row => reference('Encounter', row.case)),
  ofPrescription.copy('authoredOn', 'created_at'),
  ofPrescription.made('requester', ['prescriber_name'], '', row =>
    practitioner(row.prescriber_name),
  ),
  ofPrescription.made('basedOn', ['case'], '', row => [reference('ServiceRequest', row.case)]),
  ofPrescription.copy('dosageInstruction[0].text', 'directions'),
  ofPrescription.copy('dispenseRequest.validityPeriod.start', 'created_at'),
  ofPrescription.copy('dispenseRequest.validityPeriod.end', 'expires_at'),
  ofPrescription.copy('dispenseRequest.numberOfRepeatsAllowed', 'refills'),
  ofPrescription.made(
    'dispenseRequest.quantity',
    ['quantity', 'medication_id'],
    "with the catalog's unit",
    (row, about) => quantityOf(about, row.medication_id, row.quantity),
  ),
  ofPrescription.made(
    'dispenseRequest.expectedSupplyDuration',
    ['days_supply'],
    'in days',
    row => ({
      value: row.days_supply,
      unit: 'days',
      system: 'http://unitsofmeasure.org',
      code: 'd',
    }),
  ),
])

const participants = 'http://terminology.hl7.org/CodeSystem/provenance-participant-type'
export const prescribing = mapping('Provenance', 'Prescription', [
  ofPrescription.copy('meta.lastUpdated', 'created_at'),
  ofPrescription.made('target', ['id'], '', row => [reference('MedicationRequest', row.id)]),
  ofPrescription.copy('recorded', 'created_at'),
  ofPrescription.always('agent[0].type', coding(participants, 'author'), '`author`'),
  ofPrescription.made('agent[0].who', ['prescriber_name'], '', row =>
    practitioner(row.prescriber_name),
  ),
  ofPrescription.made('agent[0].onBehalfOf', [], 'the clinic, by its ID', (_, about) =>
    clinic(about),
  ),
])

const ofOrder = rulesOf<Static<typeof Order>>()
export const order = mapping('MedicationDispense', 'Order', [
  ofOrder.copy('meta.lastUpdated', 'updated_at'),
  ofOrder.word('status', 'status', {
    created: 'preparation',
    at_pharmacy: 'preparation',
    shipped: 'in-progress',
    delivered: 'completed',
    blocked: 'on-hold',
    failed: 'stopped',
  }),
  ofOrder.copy('statusReasonCodeableConcept.text', 'reason'),
  ofOrder.made(
    'medicationCodeableConcept',
    ['medication_id'],
    'our catalog code, with name, strength and form',
    (row, about) =>
      medicationConcept(about, row.medication_id, about.medication(row.medication_id)),
  ),
  ofOrder.made('subject', ['patient'], '', row => reference('Patient', row.patient)),
  ofOrder.made('context', ['case'], '', row => reference('Encounter', row.case)),
  ofOrder.made('authorizingPrescription', ['prescription'], '', row => [
    reference('MedicationRequest', row.prescription),
  ]),
  ofOrder.made('quantity', ['quantity', 'medication_id'], "with the catalog's unit", (row, about) =>
    quantityOf(about, row.medication_id, row.quantity),
  ),
  ofOrder.copy('whenHandedOver', 'delivered_at'),
])
