// What is gone is gone from storage as well, whoever removed it; and what is not, is not.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { utimesSync } from 'node:fs'
import path from 'node:path'
import { sql } from '#database/sql.ts'
import { queuedCase, must } from '../testing/call.ts'
import { type Fixtures, openFixtures } from '../testing/fixtures.ts'
import { completed, exported } from '../testing/exports.ts'
import { queryAsOwner, refused } from '../testing/assertions.ts'
import { attached, reserved, sent } from '../testing/files.ts'
import { bundled, filed, type Storage, StorageAway, uploaded } from '../storage/storage.ts'
import { endRows, removeDiscarded, removeOrphans } from './cleanup.ts'

let fixtures: Fixtures
let storage: Storage
beforeAll(async () => {
  fixtures = await openFixtures()
  storage = fixtures.context.files.storage
})
afterAll(() => fixtures.close())

const isThere = async (key: string) => (await storage.stat(key)) !== null
const named = async () => {
  const rows = await queryAsOwner(
    fixtures,
    sql`select 1 from test.discarded_objects union all select 1 from live.discarded_objects`,
  )
  return rows.length
}
const objectOf = async (id: string) => {
  const [row] = await queryAsOwner<{ object: string }>(
    fixtures,
    sql`select object from live.files where id = ${id}`,
  )
  return row?.object ?? ''
}

test('a patient in live takes every byte along, and nobody else’s', async () => {
  const as = fixtures.ada.live
  const { patient, id: theCase } = await queuedCase(fixtures, as)
  const file = await attached(fixtures, { as, case: theCase })
  const waiting = await reserved(fixtures, { as, patient })
  await sent(fixtures, waiting)
  const other = await attached(fixtures, { as })
  const job = await must(fixtures, 'createExport', { as, id: patient })
  const [row] = await queryAsOwner<{ object: string }>(
    fixtures,
    sql`select object from live.exports where id = ${job.id}`,
  )
  const keys = [
    filed('live', await objectOf(file.id)),
    uploaded('live', await objectOf(waiting.id)),
    bundled('live', row?.object ?? ''),
  ]
  const kept = filed('live', await objectOf(other.id))
  for (const key of keys) expect([key, await isThere(key)]).toEqual([key, true])
  await must(fixtures, 'deletePatient', { as, id: patient })
  expect(await removeDiscarded(fixtures.workerContext, storage)).toBeGreaterThanOrEqual(keys.length)
  for (const key of keys) expect([key, await isThere(key)]).toEqual([key, false])
  expect([await isThere(kept), await named()]).toEqual([true, 0])
})

test('while storage is away nothing is forgotten, and no other call suffers', async () => {
  const { id, patient } = await exported(fixtures)
  await completed(fixtures)
  const [row] = await queryAsOwner<{ object: string }>(
    fixtures,
    sql`select object from test.exports where id = ${id}`,
  )
  const key = bundled('test', row?.object ?? '')
  await must(fixtures, 'deletePatient', { id: patient })
  const away = { ...storage, remove: () => Promise.reject(new StorageAway('no answer')) }
  await expect(removeDiscarded(fixtures.workerContext, away)).rejects.toThrow('no answer')
  expect([await isThere(key), await named()]).toEqual([true, 1])
  // The claim of the worker that failed has to end first.
  expect(await removeDiscarded(fixtures.workerContext, storage)).toBe(0)
  await queryAsOwner(fixtures, sql`update test.discarded_objects set due_at = now()`)
  expect(await removeDiscarded(fixtures.workerContext, storage)).toBe(1)
  expect([await isThere(key), await named()]).toEqual([false, 0])
})

test('an hour and a day: reservations and bundles end, the job is still to be read', async () => {
  const as = fixtures.ada.live
  const { id, patient } = await reserved(fixtures, { as })
  const job = await must(fixtures, 'createExport', { as, id: patient })
  const running = await reserved(fixtures, { as })
  await queryAsOwner(fixtures, sql`update live.files set expires_at = now() where id = ${id}`)
  await queryAsOwner(
    fixtures,
    sql`update live.exports set expires_at = now() - interval '1 hour' where id = ${job.id}`,
  )
  expect(await endRows(fixtures.workerContext)).toBe(2)
  const rows = await queryAsOwner(fixtures, sql`select 1 from live.files where id = ${id}`)
  expect(rows).toEqual([])
  await must(fixtures, 'getFile', { as, id: running.id })
  expect((await must(fixtures, 'getExport', { as, id: job.id })).status).toBe('completed')
  await refused(fixtures, 'downloadExport', 'gone', { as, id: job.id })
  expect(await removeDiscarded(fixtures.workerContext, storage)).toBe(3)
})

test('thirty days: the job in live ends to the moment, its row and its bundle soon after', async () => {
  const as = fixtures.ada.live
  const { id, patient } = await exported(fixtures, as)
  const age = (days: string) =>
    queryAsOwner<{ object: string }>(
      fixtures,
      sql`update live.exports set created_at = now() - ${days}::text::interval where id = ${id}
          returning object`,
    )
  const [row] = await age('29 days 23 hours')
  const key = bundled('live', row?.object ?? '')
  expect(await endRows(fixtures.workerContext)).toBe(0)
  expect((await must(fixtures, 'getExport', { as, id })).status).toBe('completed')
  await age('30 days')
  await refused(fixtures, 'getExport', 'not_found', { as, id })
  await refused(fixtures, 'getPatientExport', 'not_found', { as, id: patient, names: { job: id } })
  await refused(fixtures, 'downloadExport', 'not_found', { as, id })
  expect(await isThere(key)).toBe(true)
  expect(await endRows(fixtures.workerContext)).toBe(1)
  expect(await queryAsOwner(fixtures, sql`select 1 from live.exports where id = ${id}`)).toEqual([])
  await removeDiscarded(fixtures.workerContext, storage)
  expect(await isThere(key)).toBe(false)
})

test('a file of a patient who was deleted in the same moment ends with the rest', async () => {
  const { id, patient } = await reserved(fixtures)
  await queryAsOwner(
    fixtures,
    sql`update test.patients set deleted_at = now(), external_id = null, first_name = null,
               middle_name = null, last_name = null, date_of_birth = null, email = null,
               phone = null, address = null where id = ${patient}`,
  )
  expect(await endRows(fixtures.workerContext)).toBe(1)
  expect(await queryAsOwner(fixtures, sql`select 1 from test.files where id = ${id}`)).toEqual([])
})

test('what no row ever named is swept by its age alone', async () => {
  const spool = await storage.spool()
  await spool.write(new Uint8Array(8))
  const key = uploaded('live', '0'.repeat(32))
  await storage.take(key, await spool.end())
  const left = await storage.spool()
  await left.write(new Uint8Array(8))
  await left.end()
  expect(await removeOrphans(storage)).toBe(0)
  const old = new Date(Date.now() - 3 * 3_600_000)
  for (const file of [path.join(fixtures.folder, 'live', 'u', '00', '0'.repeat(32)), left.path]) {
    utimesSync(file, old, old)
  }
  expect(await removeOrphans(storage)).toBe(2)
  expect(await isThere(key)).toBe(false)
})
