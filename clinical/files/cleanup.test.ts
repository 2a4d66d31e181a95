// Cleanup removes the bytes of deleted and expired rows from storage; other objects stay.

import { beforeAll, expect, test } from 'bun:test'
import { utimesSync } from 'node:fs'
import path from 'node:path'
import { sql } from '#database/sql.ts'
import { until } from '#http/testing/until.ts'
import { queuedCase, invokeOk } from '../testing/call.ts'
import { useFixtures } from '../testing/fixtures.ts'
import { completePending, requestExport } from '../testing/exports.ts'
import { queryAsOwner, expectRefused } from '../testing/assertions.ts'
import { attachFile, reserveFile, uploadFile } from '../testing/files.ts'
import { countWaiting, whileLocked } from '../testing/races.ts'
import {
  bundleKey,
  documentKey,
  type Storage,
  StorageUnavailable,
  uploadKey,
} from '../storage/storage.ts'
import { deleteExpiredRows, removeDiscarded, removeOrphans } from './cleanup.ts'

const fixtures = useFixtures()
let storage: Storage
beforeAll(async () => {
  storage = fixtures.context.files.storage
})

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

test('cleanup: deleting a live patient removes bundles and reserved uploads, which aren’t records', async () => {
  const as = fixtures.ada.live
  const { patient, id: theCase } = await queuedCase(fixtures, as)
  const file = await attachFile(fixtures, { as, case: theCase })
  const waiting = await reserveFile(fixtures, { as, patient })
  await uploadFile(fixtures, waiting)
  const other = await attachFile(fixtures, { as })
  const job = await invokeOk(fixtures, 'createExport', { as, id: patient })
  const [row] = await queryAsOwner<{ object: string }>(
    fixtures,
    sql`select object from live.exports where id = ${job.id}`,
  )
  const keys = [uploadKey('live', await objectOf(waiting.id)), bundleKey('live', row?.object ?? '')]
  const kept = [
    documentKey('live', await objectOf(file.id)),
    documentKey('live', await objectOf(other.id)),
  ]
  for (const key of keys) expect([key, await isThere(key)]).toEqual([key, true])
  await invokeOk(fixtures, 'deletePatient', { as, id: patient })
  await deleteExpiredRows(fixtures.workerContext)
  expect(await removeDiscarded(fixtures.workerContext, storage)).toBeGreaterThanOrEqual(keys.length)
  for (const key of keys) expect([key, await isThere(key)]).toEqual([key, false])
  for (const key of kept) expect([key, await isThere(key)]).toEqual([key, true])
  expect(await named()).toBe(0)
})

test('cleanup: while storage is unavailable, discarded objects stay queued', async () => {
  const { id, patient } = await requestExport(fixtures)
  await completePending(fixtures)
  const [row] = await queryAsOwner<{ object: string }>(
    fixtures,
    sql`select object from test.exports where id = ${id}`,
  )
  const key = bundleKey('test', row?.object ?? '')
  await invokeOk(fixtures, 'deletePatient', { id: patient })
  const away = { ...storage, remove: () => Promise.reject(new StorageUnavailable('no answer')) }
  await expect(removeDiscarded(fixtures.workerContext, away)).rejects.toThrow('no answer')
  expect([await isThere(key), await named()]).toEqual([true, 1])
  // The failed worker's claim has to expire first.
  expect(await removeDiscarded(fixtures.workerContext, storage)).toBe(0)
  await queryAsOwner(fixtures, sql`update test.discarded_objects set due_at = now()`)
  expect(await removeDiscarded(fixtures.workerContext, storage)).toBe(1)
  expect([await isThere(key), await named()]).toEqual([false, 0])
})

/** Queues this many objects for removal, and returns their names. */
async function discard(count: number): Promise<string[]> {
  const keys = Array.from({ length: count }, (_, n) => `test/x/object-${n}`)
  const tenant = sql`(select id from test.tenants order by id limit 1)`
  for (const key of keys) {
    await queryAsOwner(
      fixtures,
      sql`insert into test.discarded_objects (tenant, key) values (${tenant}, ${key})`,
    )
  }
  return keys
}

test('cleanup: an object that can’t be removed doesn’t block the others', async () => {
  const keys = await discard(30)
  const bad = keys[3] ?? ''
  const gone: string[] = []
  const remove = async (key: string) => {
    if (key === bad) throw new StorageUnavailable('refused')
    gone.push(key)
  }
  const removing = removeDiscarded(fixtures.workerContext, { ...storage, remove })
  await expect(removing).rejects.toThrow('refused')
  expect(gone.toSorted()).toEqual(keys.filter(key => key !== bad).toSorted())
  const rows = await queryAsOwner<{ key: string }>(
    fixtures,
    sql`select key from test.discarded_objects`,
  )
  expect(rows).toEqual([{ key: bad }])
  await queryAsOwner(fixtures, sql`delete from test.discarded_objects`)
})

test('cleanup: while storage is down, ten objects are tried, and all are retried within five minutes', async () => {
  await discard(30)
  let tried = 0
  const remove = () => {
    tried++
    return Promise.reject(new StorageUnavailable('no answer'))
  }
  const removing = removeDiscarded(fixtures.workerContext, { ...storage, remove })
  await expect(removing).rejects.toThrow('no answer')
  expect(tried).toBe(10)
  const dueIn = (minutes: string) =>
    queryAsOwner(
      fixtures,
      sql`select from test.discarded_objects where due_at <= now() + ${minutes}::text::interval`,
    )
  expect(await dueIn('4 minutes')).toHaveLength(0)
  expect(await dueIn('5 minutes')).toHaveLength(30)
  await queryAsOwner(fixtures, sql`delete from test.discarded_objects`)
})

test('cleanup: an object that another worker has locked is skipped', async () => {
  const [held = '', free = ''] = await discard(2)
  const gone: string[] = []
  const remove = async (key: string) => void gone.push(key)
  const lock = sql`select from test.discarded_objects where key = ${held} for update`
  const found = await whileLocked(fixtures, lock, () =>
    removeDiscarded(fixtures.workerContext, { ...storage, remove }),
  )
  expect([found, gone]).toEqual([1, [free]])
  await queryAsOwner(fixtures, sql`delete from test.discarded_objects`)
})

test('cleanup: a run ends when the removed objects’ rows are gone', async () => {
  await discard(1)
  let isOver = false
  let removing = Promise.resolve(0)
  await fixtures.owner.use(async connection => {
    await connection.run(sql`begin`)
    const remove = async () => {
      await connection.run(sql`select from test.discarded_objects for update`)
    }
    removing = removeDiscarded(fixtures.workerContext, { ...storage, remove }).finally(
      () => (isOver = true),
    )
    await until(async () => isOver || (await countWaiting(fixtures)) > 0)
    expect(isOver).toBe(false)
    await connection.run(sql`commit`)
  })
  expect([await removing, await named()]).toEqual([1, 0])
})

test('cleanup: reservations expire after an hour and bundles after a day; the export stays readable', async () => {
  const as = fixtures.ada.live
  const { id, patient } = await reserveFile(fixtures, { as })
  const job = await invokeOk(fixtures, 'createExport', { as, id: patient })
  const running = await reserveFile(fixtures, { as })
  await queryAsOwner(
    fixtures,
    sql`update live.files set expires_at = now() - interval '1 ms' where id = ${id}`,
  )
  await queryAsOwner(
    fixtures,
    sql`update live.exports set expires_at = now() - interval '1 hour' where id = ${job.id}`,
  )
  expect(await deleteExpiredRows(fixtures.workerContext)).toBe(2)
  const rows = await queryAsOwner(fixtures, sql`select 1 from live.files where id = ${id}`)
  expect(rows).toEqual([])
  await invokeOk(fixtures, 'getFile', { as, id: running.id })
  expect((await invokeOk(fixtures, 'getExport', { as, id: job.id })).status).toBe('completed')
  await expectRefused(fixtures, 'downloadExport', 'gone', { as, id: job.id })
  expect(await removeDiscarded(fixtures.workerContext, storage)).toBe(3)
})

test('cleanup: a live export can be read for thirty days, and its row stays', async () => {
  const as = fixtures.ada.live
  const { id, patient } = await requestExport(fixtures, as)
  const age = (days: string) =>
    queryAsOwner(
      fixtures,
      sql`update live.exports set created_at = now() - ${days}::text::interval where id = ${id}`,
    )
  await age('29 days 23 hours')
  expect((await invokeOk(fixtures, 'getExport', { as, id })).status).toBe('completed')
  await age('30 days')
  await expectRefused(fixtures, 'getExport', 'not_found', { as, id })
  await expectRefused(fixtures, 'getPatientExport', 'not_found', {
    as,
    id: patient,
    names: { job: id },
  })
  await expectRefused(fixtures, 'downloadExport', 'not_found', { as, id })
  expect(await deleteExpiredRows(fixtures.workerContext)).toBe(0)
  const row = sql`select id from live.exports where id = ${id}`
  expect(await queryAsOwner(fixtures, row)).toEqual([{ id }])
})

test('cleanup: a deleted patient’s file is removed', async () => {
  const { id, patient } = await reserveFile(fixtures)
  await queryAsOwner(
    fixtures,
    sql`update test.patients set deleted_at = now(), external_id = null, first_name = null,
               middle_name = null, last_name = null, date_of_birth = null, email = null,
               phone = null, address = null where id = ${patient}`,
  )
  expect(await deleteExpiredRows(fixtures.workerContext)).toBe(1)
  expect(await queryAsOwner(fixtures, sql`select 1 from test.files where id = ${id}`)).toEqual([])
})

test('cleanup: objects without a row are removed by age', async () => {
  const spooled = async () => {
    const spool = await storage.spool()
    await spool.write(new Uint8Array(8))
    return spool
  }
  const name = '0'.repeat(32)
  const keys = [uploadKey('live', name), bundleKey('live', name)]
  for (const key of keys) await storage.store(key, await (await spooled()).end())
  const left = await spooled()
  await left.end()
  const files = ['u', 'x'].map(kind => path.join(fixtures.folder, 'live', kind, '00', name))
  const removedAt = (...minutes: number[]) => {
    for (const [index, file] of [...files, left.path].entries()) {
      const at = new Date(Date.now() - (minutes[index] ?? 0) * 60_000)
      utimesSync(file, at, at)
    }
    return removeOrphans(storage)
  }
  expect(await removedAt(0, 0, 0)).toBe(0)
  expect(await removedAt(119.9, 26 * 60 - 0.1, 59.9)).toBe(0)
  expect(await removedAt(120.01, 26 * 60 + 0.01, 60.01)).toBe(3)
  expect(await Promise.all(keys.map(isThere))).toEqual([false, false])
})
