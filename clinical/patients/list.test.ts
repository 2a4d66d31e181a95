import { beforeAll, describe, expect, test } from 'bun:test'
import { invoke, invokeOk, rivera } from '../testing/call.ts'
import { useFixtures } from '../testing/fixtures.ts'
import { expectFaults } from '../testing/assertions.ts'

const fixtures = useFixtures()
const ids: string[] = []
const idsOf = (page: { data: { id: string }[] }) => page.data.map(one => one.id)
beforeAll(async () => {
  for (let at = 0; at < 25; at++) {
    const external_id = at % 5 === 0 ? 'fifth' : `cust_${at}`
    ids.push((await invokeOk(fixtures, 'createPatient', { body: { ...rivera, external_id } })).id)
  }
})

describe('listPatients 200', () => {
  test('an item equals getPatient’s response', async () => {
    const list = await invoke(fixtures, 'listPatients', { query: { limit: '2' } })
    const items = await Promise.all(
      ids.slice(0, 2).map(id => invoke(fixtures, 'getPatient', { id })),
    )
    expect(list.text).toBe(`{"data":[${items.map(one => one.text).join(',')}],"has_more":true}`)
  })

  test('external_id matches exactly', async () => {
    const found = await invokeOk(fixtures, 'listPatients', { query: { external_id: 'fifth' } })
    expect(idsOf(found)).toEqual(ids.filter((_, at) => at % 5 === 0))
    for (const external_id of ['FIFTH', 'fift', 'fifth ', '%', "fifth' or '1'='1"]) {
      expect(await invokeOk(fixtures, 'listPatients', { query: { external_id } })).toEqual({
        data: [],
        has_more: false,
      })
    }
  })

  test('a deleted patient’s ID is still a cursor, and the patient is in no list', async () => {
    const deleted = await invokeOk(fixtures, 'createPatient', {
      body: { ...rivera, external_id: 'gone' },
    })
    const last = await invokeOk(fixtures, 'createPatient', {
      body: { ...rivera, external_id: 'stays' },
    })
    await invokeOk(fixtures, 'deletePatient', { id: deleted.id })
    const query = { starting_after: deleted.id }
    expect(idsOf(await invokeOk(fixtures, 'listPatients', { query }))).toEqual([last.id])
    expect(
      idsOf(await invokeOk(fixtures, 'listPatients', { query: { external_id: 'gone' } })),
    ).toEqual([])
    await invokeOk(fixtures, 'deletePatient', { id: last.id })
  })
})

describe('listPatients 400', () => {
  test.each<[string, string, string]>([
    ['external_id=', '?external_id', 'too_short'],
    [`external_id=${'e'.repeat(256)}`, '?external_id', 'too_long'],
  ])('%s', async (query, pointer, code) => {
    expect(await expectFaults(fixtures, 'listPatients', { query })).toEqual([[pointer, code]])
  })
})
