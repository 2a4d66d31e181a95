import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { ask, must, rivera } from '../testing/call.ts'
import { type Fixtures, openFixtures } from '../testing/fixtures.ts'
import { expectFaults, unknownId, refused } from '../testing/assertions.ts'

let fixtures: Fixtures
const ids: string[] = []
const idsOf = (page: { data: { id: string }[] }) => page.data.map(one => one.id)
beforeAll(async () => {
  fixtures = await openFixtures()
  for (let at = 0; at < 25; at++) {
    const external_id = at % 5 === 0 ? 'fifth' : `cust_${at}`
    ids.push((await must(fixtures, 'createPatient', { body: { ...rivera, external_id } })).id)
  }
})
afterAll(() => fixtures.close())

describe('200', () => {
  test('twenty at first, oldest first, and whether more follow', async () => {
    const first = await must(fixtures, 'listPatients')
    expect(idsOf(first)).toEqual(ids.slice(0, 20))
    expect(first.has_more).toBe(true)
    const query = { starting_after: ids[19] ?? '' }
    const second = await must(fixtures, 'listPatients', { query })
    expect(idsOf(second)).toEqual(ids.slice(20))
    expect(second.has_more).toBe(false)
  })

  test('pages of any size hold each patient once', async () => {
    for (const limit of [1, 7, 24, 25, 100]) {
      const seen: string[] = []
      for (let more = true; more;) {
        const cursor = seen.at(-1)
        const query = { limit: String(limit), ...(cursor ? { starting_after: cursor } : {}) }
        const page = await must(fixtures, 'listPatients', { query })
        seen.push(...idsOf(page))
        more = page.has_more
        expect(page.data.length === limit || !more).toBe(true)
      }
      expect(seen).toEqual(ids)
    }
  })

  test('an item is the patient as it is read by its id', async () => {
    const list = await ask(fixtures, 'listPatients', { query: { limit: '2' } })
    const items = await Promise.all(ids.slice(0, 2).map(id => ask(fixtures, 'getPatient', { id })))
    expect(list.text).toBe(`{"data":[${items.map(one => one.text).join(',')}],"has_more":true}`)
  })

  test('external_id matches whole and exactly', async () => {
    const found = await must(fixtures, 'listPatients', { query: { external_id: 'fifth' } })
    expect(idsOf(found)).toEqual(ids.filter((_, at) => at % 5 === 0))
    for (const external_id of ['FIFTH', 'fift', 'fifth ', '%', "fifth' or '1'='1"]) {
      expect(await must(fixtures, 'listPatients', { query: { external_id } })).toEqual({
        data: [],
        has_more: false,
      })
    }
  })

  test('a filter is kept across pages', async () => {
    const query = { external_id: 'fifth', limit: '2', starting_after: ids[5] ?? '' }
    const page = await must(fixtures, 'listPatients', { query })
    expect([idsOf(page), page.has_more]).toEqual([[ids[10] ?? '', ids[15] ?? ''], true])
  })

  test("others see nothing of it, and Ada's cursor is a mere position to them", async () => {
    for (const as of [fixtures.ben.test, fixtures.ben.live, fixtures.ada.live]) {
      const query = { starting_after: ids[0] ?? '' }
      expect((await ask(fixtures, 'listPatients', { as })).text).toBe(
        '{"data":[],"has_more":false}',
      )
      expect((await ask(fixtures, 'listPatients', { as, query })).status).toBe(200)
    }
  })

  test('a cursor whose row is gone is still a position, and the gone row is in no list', async () => {
    const crashing = await must(fixtures, 'createPatient', {
      body: { ...rivera, external_id: 'gone' },
    })
    const last = await must(fixtures, 'createPatient', {
      body: { ...rivera, external_id: 'stays' },
    })
    await must(fixtures, 'deletePatient', { id: crashing.id })
    const query = { starting_after: crashing.id }
    expect(idsOf(await must(fixtures, 'listPatients', { query }))).toEqual([last.id])
    expect(idsOf(await must(fixtures, 'listPatients', { query: { external_id: 'gone' } }))).toEqual(
      [],
    )
    await must(fixtures, 'deletePatient', { id: last.id })
  })
})

describe('400', () => {
  test.each<[string, string, string]>([
    ['limit=0', '?limit', 'too_small'],
    ['limit=101', '?limit', 'too_large'],
    ['limit=ten', '?limit', 'wrong_type'],
    ['limit=1.5', '?limit', 'wrong_type'],
    ['limit=', '?limit', 'wrong_type'],
    ['limit=1&limit=2', '?limit', 'not_unique'],
    [`starting_after=${unknownId('case')}`, '?starting_after', 'invalid_cursor'],
    ['starting_after=pat_x', '?starting_after', 'invalid_cursor'],
    ['starting_after=', '?starting_after', 'invalid_cursor'],
    ['external_id=', '?external_id', 'too_short'],
    [`external_id=${'e'.repeat(256)}`, '?external_id', 'too_long'],
    ['email=ada.rivera@example.com', '?email', 'unknown_field'],
    ['externalid=x', '?externalid', 'unknown_field'],
  ])('%s', async (query, pointer, code) => {
    expect(await expectFaults(fixtures, 'listPatients', { query })).toEqual([[pointer, code]])
  })
})

describe('404', () => {
  test('a patient that is not there, could not be, or is not the caller’s', async () => {
    const [id = ''] = ids
    await refused(fixtures, 'getPatient', 'not_found', { id: unknownId('pat') })
    await refused(fixtures, 'getPatient', 'not_found', { id: unknownId('case') })
    await refused(fixtures, 'getPatient', 'not_found', { id: 'pat_nope' })
    await refused(fixtures, 'getPatient', 'not_found', { id: id.toUpperCase() })
    const bodies = await Promise.all(
      [fixtures.ben.test, fixtures.ada.live, fixtures.ben.live].map(as =>
        ask(fixtures, 'getPatient', { id, as }),
      ),
    )
    const never = await ask(fixtures, 'getPatient', { id: unknownId('pat') })
    for (const one of bodies) expect([one.code, one.body]).toEqual([never.code, never.body])
  })
})
