// The kit for the tests of others: the sandbox in the process does what the sandbox of the API
// does, and the fixtures are valid.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { Compile } from 'typebox/compile'
import { openTestGateway } from '#gateway/testing/gateway.ts'
import { rivera, semaglutide } from '#clinical/testing/call.ts'
import { operations } from '#contract/api.ts'
import { eventTypes } from '#contract/events.ts'
import { sdk, testing } from './testing/package.ts'

const { fixtures, mockSvc, recordEvents } = testing
type Svc = InstanceType<typeof sdk.Svc>

let gateway: Awaited<ReturnType<typeof openTestGateway>>
let real: Svc
beforeAll(async () => {
  gateway = await openTestGateway()
  const baseUrl = `http://localhost:${gateway.port}`
  real = new sdk.Svc({ apiKey: gateway.fixtures.ada.test, baseUrl })
})
afterAll(async () => {
  await gateway.close()
})

async function queued(svc: Svc, hold = false) {
  const { id: patient } = await svc.patients.create(rivera)
  const both = await svc.consents.recordBoth(patient, { telehealth: '2026-09-01', privacy: '1' })
  return svc.cases.create({
    patient,
    consent_ids: [both.telehealth.id, both.privacy.id],
    requested_medications: [{ medication_id: semaglutide }],
    hold,
  })
}

/** What a program branches on; the wording of a detail and of a hint may differ. */
const refused = (work: PromiseLike<unknown>) =>
  Promise.resolve(work).then(
    () => 'not refused',
    ({ raw }: InstanceType<typeof sdk.APIError>) => {
      const ofThisCall = new Set(['type', 'request_id', 'resource', 'detail', 'hint'])
      return Object.fromEntries(Object.entries(raw).filter(([name]) => !ofThisCall.has(name)))
    },
  )

type Filed = Awaited<ReturnType<typeof queued>>
type Step = (svc: Svc) => Promise<unknown>

/** Each is done in both, and what it answers and the events that it causes are compared. */
const steps: Record<string, Step> = {
  'a case from queued to delivered': async svc => {
    const { id } = await queued(svc)
    await svc.test.cases.decide(id, { decision: 'approve' })
    const number = '1Z999AA10123456784'
    await svc.test.cases.ship(id, {
      tracking: { carrier: 'ups', number, url: 'https://www.ups.com/1' },
    })
    await svc.test.cases.deliver(id)
    const order = (await svc.orders.list(id)).data[0]
    return [await svc.cases.get(id), order, (await svc.prescriptions.list(id)).data]
  },
  'a question, its answer and messages': async svc => {
    const { id } = await queued(svc, true)
    await svc.cases.release(id)
    const asked = { decision: 'needs_info', target: 'patient', question: 'Why?' } as const
    const first = await svc.test.cases.decide(id, asked)
    await svc.cases.answer(id, { answers: [{ answer: 'No' }] })
    await svc.messages.create(id, { body: 'Hello' })
    await svc.test.cases.clinicianMessage(id, { body: 'Yes' })
    return [first, await svc.cases.get(id), (await svc.messages.list(id)).data]
  },
  'declined, cancelled, withdrawn and deleted': async svc => {
    const cases = [await queued(svc), await queued(svc), await queued(svc), await queued(svc)]
    const [one, two, three, four] = cases as [Filed, Filed, Filed, Filed]
    return [
      await svc.test.cases.decide(one.id, { decision: 'decline', reason: 'Not safe.' }),
      await svc.cases.cancel(two.id, { reason: 'Twice' }),
      await svc.cases.withdraw(three.id),
      await svc.patients.delete(four.patient),
      await svc.cases.get(four.id),
      await refused(svc.patients.get(four.patient)),
    ]
  },
  'an order that is blocked and fails': async svc => {
    const { id } = await queued(svc)
    await svc.test.cases.decide(id, { decision: 'approve' })
    await svc.test.cases.block(id, { reason: 'Out of stock.' })
    await svc.test.cases.fail(id)
    return [(await svc.orders.list(id)).data, (await svc.prescriptions.list(id)).data]
  },
  refusals: async svc => {
    const one = await queued(svc)
    const line = { medication_id: semaglutide }
    return [
      await refused(svc.patients.create({ first_name: 'Ada', other: 1 } as never)),
      await refused(svc.cases.create({ patient: one.patient, requested_medications: [line] })),
      await refused(svc.cases.release(one.id)),
      await refused(svc.test.cases.ship(one.id)),
      await refused(svc.cases.get('case_01m82g82gay11q6zx1ah0ygvcz')),
    ]
  },
  'a key and its replay': async svc => {
    const options = { idempotencyKey: crypto.randomUUID() }
    const first = await svc.patients.create(rivera, options)
    const again = await svc.patients.create(rivera, options).withResponse()
    const other = svc.patients.create({ ...rivera, first_name: 'Bea' }, options)
    return [again.replayed, again.data.id === first.id, await refused(other)]
  },
}

/** Ids and moments differ; everything else must not. */
function comparable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(comparable)
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, comparable(one)]))
  }
  if (typeof value !== 'string') return value
  const id = /^([a-z]+)_[0-9a-z]{26}$/.exec(value)
  if (id && value !== semaglutide) return `${id[1]}_…`
  return /^\d{4}-\d\d-\d\dT/.test(value) ? 'a moment' : value
}

describe('mockSvc: does what the sandbox of the API does', () => {
  test.each(Object.entries(steps))('%s', async (_, step) => {
    const outcomeOf = async (svc: Svc) => {
      let answered: unknown
      const events = await recordEvents(svc, async () => (answered = await step(svc)))
      const said = events.map(({ type, status, previous_status, resource }) =>
        [type, previous_status, status, resource.type].join(' '),
      )
      return { events: said, answered: comparable(answered) }
    }
    const [wanted, found] = [await outcomeOf(real), await outcomeOf(mockSvc())]
    expect(wanted.events.length).toBeGreaterThan(0)
    expect(found).toEqual(wanted)
  })
  test('an operation that it does not play is refused with a hint', async () => {
    const refusal = await refused(mockSvc().usage.get())
    expect(refusal).toMatchObject({ code: 'not_found' })
  })
})

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
  test('there is a schema for each', () => {
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
  test('a change of one is no change of the next', () => {
    const patient = fixtures.patient({ first_name: 'Bea' })
    patient.address.city = 'Oakland'
    expect([patient.first_name, fixtures.patient().first_name]).toEqual(['Bea', 'Ada'])
    expect(fixtures.patient().address.city).toBe('San Francisco')
  })
})
