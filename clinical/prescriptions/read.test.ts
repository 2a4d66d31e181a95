// Prescriptions and the orders they yield: read one by one, and under their case.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { ask, queuedCase, must, semaglutide } from '../testing/call.ts'
import { type Fixtures, openFixtures } from '../testing/fixtures.ts'
import { expectFaults, unknownId, refused } from '../testing/assertions.ts'

let fixtures: Fixtures
let id: string
let ids: { prescription: string[]; order: string[] }
beforeAll(async () => {
  fixtures = await openFixtures()
  ;({ id } = await queuedCase(fixtures))
  const plan = Array.from({ length: 3 }, () => ({ medication_id: semaglutide }))
  const made = await must(fixtures, 'decideCase', { id, body: { decision: 'approve', plan } })
  ids = { prescription: made.prescription_ids, order: made.order_ids }
  const other = await queuedCase(fixtures)
  await must(fixtures, 'decideCase', { id: other.id, body: { decision: 'approve' } })
})
afterAll(() => fixtures.close())

const kinds = [
  ['prescription', 'listPrescriptions', 'getPrescription', 'rx'],
  ['order', 'listOrders', 'getOrder', 'ord'],
] as const

describe.each(kinds)('%s', (kind, list, get, prefix) => {
  test('200: a list holds those of its case, as each is read by its id', async () => {
    const page = await ask(fixtures, list, { id })
    const each = await Promise.all(ids[kind].map(one => ask(fixtures, get, { id: one })))
    expect(each.map(one => one.status)).toEqual([200, 200, 200])
    expect(page.text).toBe(`{"data":[${each.map(one => one.text).join(',')}],"has_more":false}`)
  })

  test('200: pages', async () => {
    const first = await must(fixtures, list, { id, query: { limit: '2' } })
    const query = { starting_after: first.data[1].id }
    const second = await must(fixtures, list, { id, query })
    expect([...first.data, ...second.data].map((one: { id: string }) => one.id)).toEqual(ids[kind])
    expect([first.has_more, second.has_more]).toEqual([true, false])
  })

  test('200: a case before its approval has none', async () => {
    const { id } = await queuedCase(fixtures)
    expect((await ask(fixtures, list, { id })).text).toBe('{"data":[],"has_more":false}')
  })

  test('400: a filter, or a cursor of another kind', async () => {
    expect(await expectFaults(fixtures, list, { id, query: 'status=active' })).toEqual([
      ['?status', 'unknown_field'],
    ])
    const query = { starting_after: unknownId('case') }
    expect(await expectFaults(fixtures, list, { id, query })).toEqual([
      ['?starting_after', 'invalid_cursor'],
    ])
  })

  test("404: nobody's, another's, or of the other plane", async () => {
    const [one = ''] = ids[kind]
    await refused(fixtures, get, 'not_found', { id: unknownId(prefix) })
    await refused(fixtures, get, 'not_found', { id })
    for (const as of [fixtures.ben.test, fixtures.ben.live, fixtures.ada.live]) {
      await refused(fixtures, get, 'not_found', { id: one, as })
      await refused(fixtures, list, 'not_found', { id, as })
    }
  })
})

test('a prescription and its order name each other', async () => {
  for (const [at, rx] of ids.prescription.entries()) {
    const prescription = await must(fixtures, 'getPrescription', { id: rx })
    const order = await must(fixtures, 'getOrder', { id: prescription.order })
    expect([order.id, order.prescription, order.case]).toEqual([ids.order[at], rx, id])
  }
})
