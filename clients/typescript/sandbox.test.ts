// The in-process sandbox behaves like the API's sandbox.
import { afterAll, beforeAll, describe, expect, setSystemTime, test } from 'bun:test'
import { openTestGateway } from '#gateway/testing/gateway.ts'
import { rivera, semaglutide } from '#clinical/testing/call.ts'
import { sdk, testing } from './testing/package.ts'

const { mockSvc, recordEvents } = testing
type Svc = InstanceType<typeof sdk.Svc>

let gateway: Awaited<ReturnType<typeof openTestGateway>>
let real: Svc
beforeAll(async () => {
  gateway = await openTestGateway()
  const baseUrl = `http://localhost:${gateway.port}`
  real = new sdk.Svc({
    apiKey: gateway.fixtures.ada.test,
    baseUrl,
    // Upload URLs have the public address, whose port is different in tests.
    fetch: ((address: string, init) => {
      const { pathname, search } = new URL(address)
      return fetch(baseUrl + pathname + search, init)
    }) as typeof fetch,
  })
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

/**
 * An error's fields that programs branch on. The error's detail and hint may be worded differently.
 */
const refused = (work: PromiseLike<unknown>) =>
  Promise.resolve(work).then(
    () => 'not refused',
    ({ raw }: InstanceType<typeof sdk.APIError>) => {
      const ofThisCall = new Set(['type', 'request_id', 'resource', 'detail', 'hint'])
      return Object.fromEntries(Object.entries(raw).filter(([name]) => !ofThisCall.has(name)))
    },
  )

const day = 86_400_000

type Slots = Awaited<ReturnType<Svc['visits']['slots']>>['data']
const slots = async (svc: Svc) =>
  (await svc.visits.slots({ state: 'CA', limit: 2 })).data as [Slots[0], Slots[0]]

const unknownPatient = `pat_${'0'.repeat(26)}`

type Filed = Awaited<ReturnType<typeof queued>>
type Step = (svc: Svc) => Promise<unknown>

/** Steps to run in both sandboxes, whose responses and events must match. */
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
  'a visit that is moved, started and completed': async svc => {
    const { patient, id } = await queued(svc)
    const [first, second] = await slots(svc)
    const booked = await svc.visits.book({ patient, starts_at: first.starts_at, case: id })
    const moved = await svc.visits.reschedule(booked.id, { starts_at: second.starts_at })
    return [
      first,
      booked,
      moved,
      sdk.timeZoneOf(await svc.patients.get(patient)) === booked.time_zone,
      // The old start is available again, and the new start is taken.
      (await svc.visits.slots({ state: 'CA', limit: 1 })).data[0]?.starts_at === first.starts_at,
      await refused(svc.visits.book({ patient, starts_at: second.starts_at })),
      await refused(svc.visits.reschedule(booked.id, { starts_at: second.starts_at })),
      await svc.test.visits.start(booked.id),
      await refused(svc.visits.cancel(booked.id)),
      await svc.test.visits.complete(booked.id),
      await svc.visits.get(booked.id),
    ]
  },
  'visits that are missed, canceled or refused': async svc => {
    const { patient } = await queued(svc)
    const to = new Date(Date.now() + 13 * day).toISOString()
    const from = new Date(Date.now() + 5 * day).toISOString()
    const { data } = await svc.visits.slots({ state: 'CA', from, to, limit: 3 })
    const [one, two, three] = data.map(slot => slot.starts_at) as [string, string, string]
    const [missed, canceled, open] = [
      await svc.visits.book({ patient, starts_at: one }),
      await svc.visits.book({ patient, starts_at: two }),
      await svc.visits.book({ patient, starts_at: three }),
    ]
    const offBy = (milliseconds: number) => new Date(Date.parse(one) + milliseconds).toISOString()
    return [
      await svc.test.visits.noShow(missed.id),
      await svc.visits.cancel(canceled.id),
      await refused(svc.visits.join(open.id)),
      await refused(svc.visits.join(canceled.id)),
      await refused(svc.visits.book({ patient, starts_at: offBy(-10 * day) })),
      await refused(svc.visits.book({ patient, starts_at: offBy(100 * day) })),
      await refused(svc.visits.book({ patient, starts_at: offBy(60_000) })),
      await refused(svc.visits.book({ patient: unknownPatient, starts_at: one })),
      await svc.patients.delete(patient),
      (await svc.visits.get(open.id)).status,
    ]
  },
  'files with and without a case': async svc => {
    const { patient, id } = await queued(svc)
    const reservation = await svc.files.create({ patient, mime: 'image/png' })
    const named = { patient, kind: 'photo_id', filename: 'id.png' }
    const photo = { ...named, mime: 'image/png', body: new Uint8Array(70) } as const
    const attached = await svc.files.upload({ ...photo, case: id })
    const loose = await svc.files.upload(photo)
    const { consent_ids, requested_medications } = await svc.cases.get(id)
    const request = { patient, consent_ids, requested_medications, files: [loose.id] }
    const filed = await svc.cases.create(request)
    await svc.files.delete(attached.id)
    await svc.cases.cancel(id)
    return [
      { ...reservation, upload_url: '' },
      await svc.files.get(reservation.id),
      attached,
      filed,
      (await svc.files.get(loose.id)).case === filed.id,
      (await svc.cases.get(id)).files,
      await refused(svc.files.get(attached.id)),
      await refused(svc.files.confirm(loose.id, named)),
      await refused(svc.files.confirm(reservation.id, { ...named, patient: unknownPatient })),
      await refused(svc.files.create({ patient, mime: 'image/png', case: id })),
      await refused(svc.files.create({ patient: unknownPatient, mime: 'image/png' })),
      await refused(svc.cases.create(request)),
    ]
  },
  'webhook endpoints': async svc => {
    await svc.patients.create(rivera)
    const url = 'https://hooks.example.com/svc'
    const { secret, ...made } = await svc.webhookEndpoints.create({ url, event_types: ['*'] })
    const event_types = ['case.approved.v1' as const]
    const { secret: rotated, ...endpoint } = await svc.webhookEndpoints.rotateSecret(made.id)
    const filled = await svc.webhookEndpoints.list().toArray({ max: 20 })
    const more = Array.from({ length: 16 - filled.length }, () =>
      svc.webhookEndpoints.create({ url, event_types }),
    )
    await Promise.all(more)
    return [
      made,
      [secret, rotated].map(text => /^whsec_\w{32}$/.test(text ?? '')),
      secret === rotated,
      endpoint,
      await svc.webhookEndpoints.update(made.id, { event_types, status: 'disabled' }),
      await svc.webhookEndpoints.update(made.id, { status: 'enabled' }),
      await svc.webhookEndpoints.get(made.id),
      (await svc.webhookEndpoints.deliveries(made.id)).data,
      await refused(svc.webhookEndpoints.create({ url, event_types })),
      await svc.webhookEndpoints.delete(made.id),
      await refused(svc.webhookEndpoints.get(made.id)),
    ]
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

/** Replaces IDs and timestamps, which differ; everything else must match. */
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

describe('mockSvc: behaves like the API’s sandbox', () => {
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
  test('a visit can be joined from an hour before its start until half an hour after its end', async () => {
    const svc = mockSvc()
    const { id: patient } = await svc.patients.create(rivera)
    // The sandbox's clock never goes back, so an hour before the slot isn't over yet.
    const from = new Date(Date.now() + 2 * 3_600_000).toISOString()
    const { data } = await svc.visits.slots({ state: 'CA', from, limit: 1 })
    const [slot] = data as [Slots[0]]
    const { id } = await svc.visits.book({ patient, starts_at: slot.starts_at })
    const joinedAt = (time: string, minutes: number) => {
      setSystemTime(Date.parse(time) + minutes * 60_000)
      return Promise.resolve(svc.visits.join(id)).then(
        ({ url }) => new URL(url).pathname,
        ({ code }: InstanceType<typeof sdk.APIError>) => code,
      )
    }
    const link = `/visits/join/${id}`
    try {
      expect([
        await joinedAt(slot.starts_at, -61),
        await joinedAt(slot.starts_at, -59),
        await joinedAt(slot.ends_at, 29),
        await joinedAt(slot.ends_at, 31),
      ]).toEqual(['join_not_open', link, link, 'join_not_open'])
    } finally {
      setSystemTime()
    }
  })
  test('a prescription of February 29 expires on February 28', async () => {
    setSystemTime(Date.parse('2028-02-29T12:00:00Z'))
    try {
      const svc = mockSvc()
      const { id } = await queued(svc)
      await svc.test.cases.decide(id, { decision: 'approve' })
      const [prescription] = (await svc.prescriptions.list(id)).data
      expect(prescription?.expires_at).toStartWith('2029-02-28T12:00:0')
    } finally {
      setSystemTime()
    }
  })
  test('an unsupported operation is refused with a hint', async () => {
    const refusal = await refused(mockSvc().usage.get())
    expect(refusal).toMatchObject({ code: 'not_found' })
  })
})
