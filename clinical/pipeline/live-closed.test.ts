import { expect, test } from 'bun:test'
import { sql } from '#database/sql.ts'
import { queryAsOwner } from '../testing/assertions.ts'
import { invoke, rivera } from '../testing/call.ts'
import { type Fixtures, useFixtures } from '../testing/fixtures.ts'

const fixtures = useFixtures()
/** The same gateway, with live mode's requirements not met. */
const closed = (): Fixtures => ({
  ...fixtures,
  context: { ...fixtures.context, isLiveOpen: () => false },
})

test('503: a live call while live mode isn’t open writes only its audit row', async () => {
  const as = fixtures.ada.live
  const request = { as, body: rivera, key: 'while-closed' }
  const refused = await invoke(closed(), 'createPatient', request)
  expect([refused.status, refused.code]).toEqual([503, 'service_unavailable'])
  expect(refused.headers['retry-after']).toBe('60')
  expect(refused.body.detail).toBe('Live mode is not open on this server.')
  const rows = await queryAsOwner<{ patients: number; audited: number }>(
    fixtures,
    sql`select (select count(*)::int from live.patients) as patients,
               (select count(*)::int from audit.entries where action = 'createPatient'
                   and status = 503) as audited`,
  )
  expect(rows).toEqual([{ patients: 0, audited: 1 }])
  // The key isn't used up: the same call succeeds once live mode is open.
  expect((await invoke(fixtures, 'createPatient', request)).status).toBe(201)
})

test('200: test mode works while live mode isn’t open', async () => {
  expect((await invoke(closed(), 'createPatient', { body: rivera })).status).toBe(201)
  expect((await invoke(closed(), 'listPatients')).status).toBe(200)
})

test('401: a credential is checked first, so a wrong one reveals nothing', async () => {
  const as = `${fixtures.ada.live.slice(0, -1)}${fixtures.ada.live.endsWith('A') ? 'B' : 'A'}`
  expect((await invoke(closed(), 'listPatients', { as })).status).toBe(401)
})
