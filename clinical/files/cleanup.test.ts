// What is gone is gone from storage as well, whoever removed it; and what is not, is not.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { utimesSync } from 'node:fs'
import path from 'node:path'
import { sql } from '#database/sql.ts'
import { filedCase, must } from '../testing/call.ts'
import { type Cast, openCast } from '../testing/fixtures.ts'
import { completed, exported } from '../testing/exports.ts'
import { owned, refused } from '../testing/assertions.ts'
import { attached, reserved, sent } from '../testing/files.ts'
import { bundled, filed, type Storage, StorageAway, uploaded } from '../storage/storage.ts'
import { endRows, removeDiscarded, removeOrphans } from './cleanup.ts'

let cast: Cast
let storage: Storage
beforeAll(async () => {
  cast = await openCast()
  storage = cast.house.files.storage
})
afterAll(() => cast.close())

const isThere = async (key: string) => (await storage.stat(key)) !== null
const named = async () => {
  const rows = await owned(
    cast,
    sql`select 1 from test.discarded_objects union all select 1 from live.discarded_objects`,
  )
  return rows.length
}
const objectOf = async (id: string) => {
  const [row] = await owned<{ object: string }>(
    cast,
    sql`select object from live.files where id = ${id}`,
  )
  return row?.object ?? ''
}

test('a patient in live takes every byte along, and nobody else’s', async () => {
  const as = cast.ada.live
  const { patient, id: theCase } = await filedCase(cast, as)
  const file = await attached(cast, { as, case: theCase })
  const waiting = await reserved(cast, { as, patient })
  await sent(cast, waiting)
  const other = await attached(cast, { as })
  const job = await must(cast, 'createExport', { as, id: patient })
  const [row] = await owned<{ object: string }>(
    cast,
    sql`select object from live.exports where id = ${job.id}`,
  )
  const keys = [
    filed('live', await objectOf(file.id)),
    uploaded('live', await objectOf(waiting.id)),
    bundled('live', row?.object ?? ''),
  ]
  const kept = filed('live', await objectOf(other.id))
  for (const key of keys) expect([key, await isThere(key)]).toEqual([key, true])
  await must(cast, 'deletePatient', { as, id: patient })
  expect(await removeDiscarded(cast.hands, storage)).toBeGreaterThanOrEqual(keys.length)
  for (const key of keys) expect([key, await isThere(key)]).toEqual([key, false])
  expect([await isThere(kept), await named()]).toEqual([true, 0])
})

test('while storage is away nothing is forgotten, and no other call suffers', async () => {
  const { id, patient } = await exported(cast)
  await completed(cast)
  const [row] = await owned<{ object: string }>(
    cast,
    sql`select object from test.exports where id = ${id}`,
  )
  const key = bundled('test', row?.object ?? '')
  await must(cast, 'deletePatient', { id: patient })
  const away = { ...storage, remove: () => Promise.reject(new StorageAway('no answer')) }
  await expect(removeDiscarded(cast.hands, away)).rejects.toThrow('no answer')
  expect([await isThere(key), await named()]).toEqual([true, 1])
  // The claim of the worker that failed has to end first.
  expect(await removeDiscarded(cast.hands, storage)).toBe(0)
  await owned(cast, sql`update test.discarded_objects set due_at = now()`)
  expect(await removeDiscarded(cast.hands, storage)).toBe(1)
  expect([await isThere(key), await named()]).toEqual([false, 0])
})

test('an hour and a day: reservations and bundles end, the job is still to be read', async () => {
  const as = cast.ada.live
  const { id, patient } = await reserved(cast, { as })
  const job = await must(cast, 'createExport', { as, id: patient })
  const running = await reserved(cast, { as })
  await owned(cast, sql`update live.files set expires_at = now() where id = ${id}`)
  await owned(
    cast,
    sql`update live.exports set expires_at = now() - interval '1 hour' where id = ${job.id}`,
  )
  expect(await endRows(cast.hands)).toBe(2)
  const rows = await owned(cast, sql`select 1 from live.files where id = ${id}`)
  expect(rows).toEqual([])
  await must(cast, 'getFile', { as, id: running.id })
  expect((await must(cast, 'getExport', { as, id: job.id })).status).toBe('completed')
  await refused(cast, 'downloadExport', 'gone', { as, id: job.id })
  expect(await removeDiscarded(cast.hands, storage)).toBe(3)
})

test('thirty days: the job in live ends to the moment, its row and its bundle soon after', async () => {
  const as = cast.ada.live
  const { id, patient } = await exported(cast, as)
  const age = (days: string) =>
    owned<{ object: string }>(
      cast,
      sql`update live.exports set created_at = now() - ${days}::text::interval where id = ${id}
          returning object`,
    )
  const [row] = await age('29 days 23 hours')
  const key = bundled('live', row?.object ?? '')
  expect(await endRows(cast.hands)).toBe(0)
  expect((await must(cast, 'getExport', { as, id })).status).toBe('completed')
  await age('30 days')
  await refused(cast, 'getExport', 'not_found', { as, id })
  await refused(cast, 'getPatientExport', 'not_found', { as, id: patient, names: { job: id } })
  await refused(cast, 'downloadExport', 'not_found', { as, id })
  expect(await isThere(key)).toBe(true)
  expect(await endRows(cast.hands)).toBe(1)
  expect(await owned(cast, sql`select 1 from live.exports where id = ${id}`)).toEqual([])
  await removeDiscarded(cast.hands, storage)
  expect(await isThere(key)).toBe(false)
})

test('a file of a patient who was deleted in the same moment ends with the rest', async () => {
  const { id, patient } = await reserved(cast)
  await owned(
    cast,
    sql`update test.patients set deleted_at = now(), external_id = null, first_name = null,
               middle_name = null, last_name = null, date_of_birth = null, email = null,
               phone = null, address = null where id = ${patient}`,
  )
  expect(await endRows(cast.hands)).toBe(1)
  expect(await owned(cast, sql`select 1 from test.files where id = ${id}`)).toEqual([])
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
  for (const file of [path.join(cast.folder, 'live', 'u', '00', '0'.repeat(32)), left.path]) {
    utimesSync(file, old, old)
  }
  expect(await removeOrphans(storage)).toBe(2)
  expect(await isThere(key)).toBe(false)
})
