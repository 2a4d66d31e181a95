// Tests the grant lists of an integration and a clinic: current grants come first, newest first,
// and only open requests lapse.

import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import type { Connection } from '#database/pool.ts'
import { sql, type Statement } from '#database/sql.ts'
import { newId } from '../ids.ts'
import { openClinic } from '../testing/clinic.ts'
import { openPeople, type TestPeople } from '../testing/people.ts'
import { listGrants, listGrantsOfClinic, listLiveGrants } from './grants.ts'

let people: TestPeople
beforeAll(async () => void (people = await openPeople()))
afterAll(() => people.close())

let integration: string
let other: string
let clinic: string
beforeEach(async () => {
  integration = await people.addMember(await people.addPerson(false))
  other = await people.addMember(await people.addPerson(false))
  clinic = await openClinic(people)
  // Removes the new integrations' sandbox grants.
  await people.run(sql`delete from auth.grants`)
})

const use = <T>(work: (connection: Connection) => Promise<T>) => people.pool.use(work)
const [no, past, soon] = [
  sql`null::timestamptz`,
  sql`'2026-11-01T10:00Z'::timestamptz`,
  sql`now() + interval '1 day'`,
]
type GrantOptions = {
  of?: string
  at?: string
  mode?: string
  created?: string
  times?: Statement[]
}
async function add(status: string, made: GrantOptions = {}) {
  const { of = integration, at = clinic, mode = 'live', created = '2026-10-01', times = [] } = made
  const [lapses = no, ended = no] = times
  const id = newId('grant')
  await people.run(sql`
    insert into auth.grants (id, integration, organization, mode, scopes, status, created_at,
                             lapses_at, ended_at)
    values (${id}, ${of}, ${at}, ${mode}, '{}', ${status}, ${created}::timestamptz, ${lapses},
            ${ended})`)
  return id
}
const inLive = () => use(one => listGrants(one, { integration, mode: 'live' }))

test('grants: lists an integration’s in its mode, a clinic’s in live mode, and all in live mode', async () => {
  const second = await openClinic(people)
  const [own, theirs, elsewhere, sandbox] = [
    await add('active'),
    await add('active', { of: other }),
    await add('active', { at: second }),
    await add('active', { mode: 'test' }),
  ]
  const ids = (rows: { id: string }[]) => rows.map(({ id }) => id).toSorted()
  expect(ids(await inLive())).toEqual([own, elsewhere].toSorted())
  expect(ids(await use(one => listGrants(one, { integration, mode: 'test' })))).toEqual([sandbox])
  expect(ids(await use(one => listGrantsOfClinic(one, clinic)))).toEqual([own, theirs].toSorted())
  expect(ids(await people.owner.use(listLiveGrants))).toEqual([own, theirs, elsewhere].toSorted())
})

test('grants: current ones come first, then ended ones, each newest first', async () => {
  const at = async () => ({ at: await openClinic(people) })
  const revoked = await add('revoked', { created: '2026-10-09' })
  const declined = await add('declined', { created: '2026-10-08', ...(await at()) })
  const older = await add('active', { created: '2026-10-02', ...(await at()) })
  const newer = await add('pending', { created: '2026-10-03', times: [soon], ...(await at()) })
  const same = [
    await add('active', { created: '2026-10-01', ...(await at()) }),
    await add('active', { created: '2026-10-01', ...(await at()) }),
  ]
  const [first = '', second = ''] = same.toSorted().toReversed()
  expect((await inLive()).map(({ id }) => id)).toEqual([
    newer,
    older,
    first,
    second,
    revoked,
    declined,
  ])
})

test.each<[status: string, times: Statement[], shown: string, ended: string | null]>([
  ['pending', [soon], 'pending', null],
  ['pending', [past], 'lapsed', '2026-11-01T10:00:00.000Z'],
  ['active', [past], 'active', null],
  ['active', [no], 'active', null],
  ['declined', [past], 'declined', null],
  ['revoked', [past, sql`'2026-11-05T10:00Z'`], 'revoked', '2026-11-05T10:00:00.000Z'],
])('grants: %s', async (status, times, shown, ended) => {
  await add(status, { times })
  const [row] = await inLive()
  expect([row?.status, row?.ended_at]).toEqual([shown as never, ended])
})
