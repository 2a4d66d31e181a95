import { beforeEach, describe, expect, test } from 'bun:test'
import { invoke, queuedCase, minoxidil, invokeOk, rivera, semaglutide } from '../testing/call.ts'
import { useFixtures } from '../testing/fixtures.ts'
import { eventsOf } from '../testing/assertions.ts'

const fixtures = useFixtures()
let id: string
let patient: string
beforeEach(async () => {
  ;({ id, patient } = await queuedCase(fixtures))
})

const tretinoin = 'med_01ke5q8nm013j2m1v4y0tt17kh'
const decide = (body: object, of = id) => invoke(fixtures, 'decideCase', { id: of, body })

/** A year after February 29 is February 28. */
const yearAfter = (moment: string) =>
  Temporal.Instant.from(moment)
    .toZonedDateTimeISO('UTC')
    .add({ years: 1 })
    .toInstant()
    .toString({ smallestUnit: 'millisecond' })

describe('decideCase approve 200', () => {
  test('the plan defaults to the requested medications; each line has a prescription and an order', async () => {
    const { answer, events, lines } = await eventsOf(fixtures, () =>
      decide({ decision: 'approve' }),
    )
    const { plan, prescription_ids, order_ids, created_at, updated_at } = answer.body
    expect([answer.status, answer.body.status]).toEqual([200, 'approved'])
    expect(JSON.stringify(plan)).toBe(
      JSON.stringify([
        {
          medication_id: semaglutide,
          quantity: 4,
          refills: 0,
          days_supply: 28,
          directions: 'Inject 0.25 mg under the skin once a week.',
          dispensable: true,
        },
      ]),
    )
    const [rx] = prescription_ids
    const [ord] = order_ids
    expect([prescription_ids.length, order_ids.length]).toEqual([1, 1])
    expect(lines).toEqual([
      `case.in_review.v1 queued → in_review ${id}`,
      `case.approved.v1 in_review → approved ${id}`,
      `prescription.created.v1 null → active ${rx}`,
      `order.created.v1 null → created ${ord}`,
    ])
    const prescription = await invoke(fixtures, 'getPrescription', { id: rx })
    const order = await invoke(fixtures, 'getOrder', { id: ord })
    expect(prescription.text).toBe(
      JSON.stringify({
        id: rx,
        case: id,
        patient,
        order: ord,
        status: 'active',
        medication_id: semaglutide,
        name: 'Semaglutide',
        form: 'injection pen',
        strength: '0.25 mg/0.5 mL',
        quantity: 4,
        refills: 0,
        days_supply: 28,
        directions: 'Inject 0.25 mg under the skin once a week.',
        prescriber_name: 'Sandbox Clinician, MD',
        expires_at: yearAfter(prescription.body.created_at),
        created_at: prescription.body.created_at,
        updated_at: prescription.body.created_at,
      }),
    )
    expect(order.text).toBe(
      JSON.stringify({
        id: ord,
        case: id,
        patient,
        prescription: rx,
        status: 'created',
        medication_id: semaglutide,
        quantity: 4,
        ship_to: { ...rivera.address, country: 'US' },
        tracking: null,
        reason: null,
        shipped_at: null,
        delivered_at: null,
        created_at: order.body.created_at,
        updated_at: order.body.created_at,
      }),
    )
    // Every row and event in the write has its own millisecond, in ascending order.
    const moments = [
      created_at,
      updated_at,
      events[0]?.created_at,
      events[1]?.created_at,
      prescription.body.created_at,
      events[2]?.created_at,
      order.body.created_at,
      events[3]?.created_at,
    ]
    expect(moments).toEqual([...new Set(moments)].sort())
    expect((await invoke(fixtures, 'getCase', { id })).text).toBe(answer.text)
  })

  test('a plan may differ from the request and is completed from the catalog', async () => {
    const plan = [
      { medication_id: tretinoin, quantity: 90, refills: 11 },
      { medication_id: minoxidil },
      { medication_id: semaglutide, dispensable: false },
      { medication_id: semaglutide, days_supply: 7, directions: 'Twice.' },
    ]
    const { answer, lines } = await eventsOf(fixtures, () => decide({ decision: 'approve', plan }))
    const made = answer.body
    expect(made.plan.map((one: object) => Object.values(one))).toEqual([
      [tretinoin, 90, 11, 60, 'Apply a pea-sized amount to the face at night.', true],
      [minoxidil, 1, 0, 30, 'Apply half a capful to the dry scalp once a day.', false],
      [semaglutide, 4, 0, 28, 'Inject 0.25 mg under the skin once a week.', false],
      [semaglutide, 4, 0, 7, 'Twice.', true],
    ])
    expect(made.requested_medications[0].medication_id).toBe(semaglutide)
    const [first, second] = made.prescription_ids
    expect(lines.slice(2)).toEqual([
      `prescription.created.v1 null → active ${first}`,
      `order.created.v1 null → created ${made.order_ids[0]}`,
      `prescription.created.v1 null → active ${second}`,
      `order.created.v1 null → created ${made.order_ids[1]}`,
    ])
    const prescriptions = await invokeOk(fixtures, 'listPrescriptions', { id })
    const orders = await invokeOk(fixtures, 'listOrders', { id })
    expect(
      prescriptions.data.map((one: Record<string, unknown>) => [
        one['id'],
        one['order'],
        one['medication_id'],
        one['quantity'],
        one['refills'],
        one['days_supply'],
        one['directions'],
      ]),
    ).toEqual([
      [
        first,
        made.order_ids[0],
        tretinoin,
        90,
        11,
        60,
        'Apply a pea-sized amount to the face at night.',
      ],
      [second, made.order_ids[1], semaglutide, 4, 0, 7, 'Twice.'],
    ])
    expect(
      orders.data.map((one: Record<string, unknown>) => [one['prescription'], one['quantity']]),
    ).toEqual([
      [first, 90],
      [second, 4],
    ])
  })

  test('a plan without dispensable lines approves the case without prescriptions or orders', async () => {
    const plan = [{ medication_id: minoxidil }]
    const { answer, lines } = await eventsOf(fixtures, () => decide({ decision: 'approve', plan }))
    expect([
      answer.body.status,
      answer.body.prescription_ids,
      answer.body.order_ids,
      answer.body.plan[0].dispensable,
    ]).toEqual(['approved', [], [], false])
    expect(lines).toHaveLength(2)
    for (const operation of ['listPrescriptions', 'listOrders'] as const) {
      expect((await invoke(fixtures, operation, { id })).text).toBe('{"data":[],"has_more":false}')
    }
  })

  test('a requested medication that isn’t dispensable is in the plan without a prescription', async () => {
    const held = await queuedCase(fixtures, undefined, {
      requested_medications: [{ medication_id: minoxidil }, { medication_id: semaglutide }],
    })
    const { body } = await decide({ decision: 'approve' }, held.id)
    expect(body.plan.map((one: { dispensable: boolean }) => one.dispensable)).toEqual([false, true])
    expect(body.prescription_ids).toHaveLength(1)
  })

  test('twenty lines create twenty prescriptions and orders, in plan order', async () => {
    const plan = Array.from({ length: 20 }, (_, at) => ({
      medication_id: semaglutide,
      quantity: (at % 12) + 1,
    }))
    const { answer, lines } = await eventsOf(fixtures, () => decide({ decision: 'approve', plan }))
    expect(lines).toHaveLength(42)
    expect(answer.body.prescription_ids).toEqual(answer.body.prescription_ids.toSorted())
    const { data } = await invokeOk(fixtures, 'listOrders', { id, query: { limit: '100' } })
    expect(data.map((one: { id: string }) => one.id)).toEqual(answer.body.order_ids)
    expect(data.map((one: { quantity: number }) => one.quantity)).toEqual(
      plan.map(one => one.quantity),
    )
  })

  test('an order keeps the patient’s address at approval', async () => {
    const address = { line1: '1 Main', city: 'Reno', state: 'NV', postal_code: '89501' }
    await invokeOk(fixtures, 'updatePatient', { id: patient, body: { address } })
    const { body } = await decide({ decision: 'approve' })
    const later = { ...address, line1: '2 Main' }
    await invokeOk(fixtures, 'updatePatient', { id: patient, body: { address: later } })
    const order = await invokeOk(fixtures, 'getOrder', { id: body.order_ids[0] })
    expect(order.ship_to).toEqual({ ...address, line2: null, country: 'US' })
  })
})

describe('decideCase decline 200', () => {
  test('stores the reason and no plan', async () => {
    const body = { decision: 'decline', reason: 'Not safe with your history.' }
    const { answer, lines } = await eventsOf(fixtures, () => decide(body))
    const found = answer.body
    expect([found.status, found.reason, found.plan, found.order_ids]).toEqual([
      'declined',
      'Not safe with your history.',
      null,
      [],
    ])
    expect(lines).toEqual([
      `case.in_review.v1 queued → in_review ${id}`,
      `case.declined.v1 in_review → declined ${id}`,
    ])
  })
})
