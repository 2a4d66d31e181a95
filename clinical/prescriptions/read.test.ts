// Prescriptions and the orders they yield: read one by one, and under their case.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { ask, filedCase, must, semaglutide } from '../testing/call.ts'
import { type Cast, openCast } from '../testing/fixtures.ts'
import { faulty, nobodysId, refused } from '../testing/assertions.ts'

let cast: Cast
let id: string
let ids: { prescription: string[]; order: string[] }
beforeAll(async () => {
  cast = await openCast()
  ;({ id } = await filedCase(cast))
  const plan = Array.from({ length: 3 }, () => ({ medication_id: semaglutide }))
  const made = await must(cast, 'decideCase', { id, body: { decision: 'approve', plan } })
  ids = { prescription: made.prescription_ids, order: made.order_ids }
  const other = await filedCase(cast)
  await must(cast, 'decideCase', { id: other.id, body: { decision: 'approve' } })
})
afterAll(() => cast.close())

const kinds = [
  ['prescription', 'listPrescriptions', 'getPrescription', 'rx'],
  ['order', 'listOrders', 'getOrder', 'ord'],
] as const

describe.each(kinds)('%s', (kind, list, get, prefix) => {
  test('200: a list holds those of its case, as each is read by its id', async () => {
    const page = await ask(cast, list, { id })
    const each = await Promise.all(ids[kind].map(one => ask(cast, get, { id: one })))
    expect(each.map(one => one.status)).toEqual([200, 200, 200])
    expect(page.text).toBe(`{"data":[${each.map(one => one.text).join(',')}],"has_more":false}`)
  })

  test('200: pages', async () => {
    const first = await must(cast, list, { id, query: { limit: '2' } })
    const query = { starting_after: first.data[1].id }
    const second = await must(cast, list, { id, query })
    expect([...first.data, ...second.data].map((one: { id: string }) => one.id)).toEqual(ids[kind])
    expect([first.has_more, second.has_more]).toEqual([true, false])
  })

  test('200: a case before its approval has none', async () => {
    const { id } = await filedCase(cast)
    expect((await ask(cast, list, { id })).text).toBe('{"data":[],"has_more":false}')
  })

  test('400: a filter, or a cursor of another kind', async () => {
    expect(await faulty(cast, list, { id, query: 'status=active' })).toEqual([
      ['?status', 'unknown_field'],
    ])
    const query = { starting_after: nobodysId('case') }
    expect(await faulty(cast, list, { id, query })).toEqual([['?starting_after', 'invalid_cursor']])
  })

  test("404: nobody's, another's, or of the other plane", async () => {
    const [one = ''] = ids[kind]
    await refused(cast, get, 'not_found', { id: nobodysId(prefix) })
    await refused(cast, get, 'not_found', { id })
    for (const as of [cast.ben.test, cast.ben.live, cast.ada.live]) {
      await refused(cast, get, 'not_found', { id: one, as })
      await refused(cast, list, 'not_found', { id, as })
    }
  })
})

test('a prescription and its order name each other', async () => {
  for (const [at, rx] of ids.prescription.entries()) {
    const prescription = await must(cast, 'getPrescription', { id: rx })
    const order = await must(cast, 'getOrder', { id: prescription.order })
    expect([order.id, order.prescription, order.case]).toEqual([ids.order[at], rx, id])
  }
})
