// Prescriptions and their orders: read by ID and listed by case.

import { beforeAll, describe, expect, test } from 'bun:test'
import { invoke, queuedCase, invokeOk, semaglutide } from '../testing/call.ts'
import { useFixtures } from '../testing/fixtures.ts'

const fixtures = useFixtures()
let id: string
let ids: { prescription: string[]; order: string[] }
beforeAll(async () => {
  ;({ id } = await queuedCase(fixtures))
  const plan = Array.from({ length: 3 }, () => ({ medication_id: semaglutide }))
  const made = await invokeOk(fixtures, 'decideCase', { id, body: { decision: 'approve', plan } })
  ids = { prescription: made.prescription_ids, order: made.order_ids }
  const other = await queuedCase(fixtures)
  await invokeOk(fixtures, 'decideCase', { id: other.id, body: { decision: 'approve' } })
})

const kinds = [
  ['prescription', 'listPrescriptions', 'getPrescription'],
  ['order', 'listOrders', 'getOrder'],
] as const

describe.each(kinds)('%s', (kind, list, get) => {
  test('200: a case’s list has its items as reads by ID return them', async () => {
    const page = await invoke(fixtures, list, { id })
    const each = await Promise.all(ids[kind].map(one => invoke(fixtures, get, { id: one })))
    expect(each.map(one => one.status)).toEqual([200, 200, 200])
    expect(page.text).toBe(`{"data":[${each.map(one => one.text).join(',')}],"has_more":false}`)
  })
})

test('prescriptions: a prescription and its order refer to each other', async () => {
  for (const [at, rx] of ids.prescription.entries()) {
    const prescription = await invokeOk(fixtures, 'getPrescription', { id: rx })
    const order = await invokeOk(fixtures, 'getOrder', { id: prescription.order })
    expect([order.id, order.prescription, order.case]).toEqual([ids.order[at], rx, id])
  }
})
