// Prescriptions and their orders: read by ID and listed by case.

import { beforeAll, describe, expect, test } from 'bun:test'
import { invoke, queuedCase, invokeOk, semaglutide } from '../testing/call.ts'
import { useFixtures } from '../testing/fixtures.ts'
import { expectFaults, unknownId, expectRefused } from '../testing/assertions.ts'

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
  ['prescription', 'listPrescriptions', 'getPrescription', 'rx'],
  ['order', 'listOrders', 'getOrder', 'ord'],
] as const

describe.each(kinds)('%s', (kind, list, get, prefix) => {
  test('200: a case’s list has its items as reads by ID return them', async () => {
    const page = await invoke(fixtures, list, { id })
    const each = await Promise.all(ids[kind].map(one => invoke(fixtures, get, { id: one })))
    expect(each.map(one => one.status)).toEqual([200, 200, 200])
    expect(page.text).toBe(`{"data":[${each.map(one => one.text).join(',')}],"has_more":false}`)
  })

  test('200: the list is paged', async () => {
    const first = await invokeOk(fixtures, list, { id, query: { limit: '2' } })
    const query = { starting_after: first.data[1].id }
    const second = await invokeOk(fixtures, list, { id, query })
    expect([...first.data, ...second.data].map((one: { id: string }) => one.id)).toEqual(ids[kind])
    expect([first.has_more, second.has_more]).toEqual([true, false])
  })

  test('200: the list is empty if the case isn’t approved', async () => {
    const { id } = await queuedCase(fixtures)
    expect((await invoke(fixtures, list, { id })).text).toBe('{"data":[],"has_more":false}')
  })

  test('400: a filter, and another resource’s cursor', async () => {
    expect(await expectFaults(fixtures, list, { id, query: 'status=active' })).toEqual([
      ['?status', 'unknown_field'],
    ])
    const query = { starting_after: unknownId('case') }
    expect(await expectFaults(fixtures, list, { id, query })).toEqual([
      ['?starting_after', 'invalid_cursor'],
    ])
  })

  test('404: an unknown ID, and IDs from another integration or the other mode', async () => {
    const [one = ''] = ids[kind]
    await expectRefused(fixtures, get, 'not_found', { id: unknownId(prefix) })
    await expectRefused(fixtures, get, 'not_found', { id })
    for (const as of [fixtures.ben.test, fixtures.ben.live, fixtures.ada.live]) {
      await expectRefused(fixtures, get, 'not_found', { id: one, as })
      await expectRefused(fixtures, list, 'not_found', { id, as })
    }
  })
})

test('prescriptions: a prescription and its order refer to each other', async () => {
  for (const [at, rx] of ids.prescription.entries()) {
    const prescription = await invokeOk(fixtures, 'getPrescription', { id: rx })
    const order = await invokeOk(fixtures, 'getOrder', { id: prescription.order })
    expect([order.id, order.prescription, order.case]).toEqual([ids.order[at], rx, id])
  }
})
