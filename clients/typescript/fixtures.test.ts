// Fixtures for users' tests are valid, and each fixture is a copy.
import { describe, expect, test } from 'bun:test'
import { Compile } from 'typebox/compile'
import { operations } from '#contract/api.ts'
import { eventTypes } from '#contract/events.ts'
import { testing } from './testing/package.ts'

const { fixtures } = testing

const schemas: Record<string, object> = {
  organization: operations.getOrganization.returns,
  medication: operations.getMedication.returns,
  patient: operations.getPatient.returns,
  consent: operations.recordConsent.returns,
  case: operations.getCase.returns,
  message: operations.createMessage.returns,
  prescription: operations.getPrescription.returns,
  order: operations.getOrder.returns,
  visit: operations.getVisit.returns,
  file: operations.getFile.returns,
  export: operations.getExport.returns,
  invoice: operations.getInvoice.returns,
  webhookEndpoint: operations.getWebhookEndpoint.returns,
  delivery: operations.listDeliveries.returns.properties.data.items,
  event: operations.getEvent.returns,
}

describe('fixtures', () => {
  test('each has a schema', () => {
    expect(Object.keys(fixtures).toSorted()).toEqual(Object.keys(schemas).toSorted())
  })
  test.each(Object.entries(schemas))('%s: valid against the contract', (name, schema) => {
    const validator = Compile(schema)
    const make = fixtures[name as 'case'] as (fields?: unknown) => unknown
    const made =
      name === 'event'
        ? eventTypes.map(type => fixtures.event(type))
        : [make(), ...(name === 'case' ? [make({ status: 'approved' })] : [])]
    for (const one of made) expect([...validator.Errors(one)]).toEqual([])
  })
  test('changing one does not change the next', () => {
    const patient = fixtures.patient({ first_name: 'Bea' })
    patient.address.city = 'Oakland'
    expect([patient.first_name, fixtures.patient().first_name]).toEqual(['Bea', 'Ada'])
    expect(fixtures.patient().address.city).toBe('San Francisco')
  })
})
