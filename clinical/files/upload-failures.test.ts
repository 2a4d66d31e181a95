// Uploads whose storage fails, at each step, and uploads that expire while running.

import { afterEach, beforeEach, expect, test } from 'bun:test'
import { ConnectionLost, PoolTimeout } from '#database/pool.ts'
import { sql } from '#database/sql.ts'
import { invokeOk } from '../testing/call.ts'
import { type Fixtures, useFixtures } from '../testing/fixtures.ts'
import { queryAsOwner } from '../testing/assertions.ts'
import { type FileReservation, photo, putFile, reserveFile, uploadFile } from '../testing/files.ts'
import { type Spool, type Storage, StorageUnavailable } from '../storage/storage.ts'
import { uploadEndpoint } from './upload.ts'

const fixtures = useFixtures()
let failures: unknown[] = []
beforeEach(() => {
  failures = []
})
afterEach(() => expect(fixtures.errors.splice(0)).toEqual([]))

/** Returns fixtures whose upload endpoint uses this storage and reports failures. */
function withStorage(more: (storage: Storage) => Partial<Storage>): Fixtures {
  const { files } = fixtures.context
  const storage = { ...files.storage, ...more(files.storage) }
  const onError = (failure: unknown) => void failures.push(failure)
  const context = { ...fixtures.context, files: { ...files, storage }, onError }
  return { ...fixtures, upload: uploadEndpoint(context) }
}

const withSpool = (more: (spool: Spool) => Partial<Spool>): Fixtures =>
  withStorage(storage => ({
    async spool() {
      const spool = await storage.spool()
      return { ...spool, ...more(spool) }
    },
  }))

const sizeOf = async (as: string, { id }: FileReservation) =>
  (await invokeOk(fixtures, 'getFile', { as, id })).size_bytes

const away = new StorageUnavailable('no answer')
const fail = (failure: unknown) => () => Promise.reject(failure)
const again = [503, '1', 'Try again shortly.\n'] as const

test.each([
  ['there is no room for a file', () => withStorage(() => ({ spool: fail(away) })), again],
  ['the file cannot be written', () => withSpool(() => ({ write: fail(away) })), again],
  ['the file cannot be completed', () => withSpool(() => ({ end: fail(away) })), again],
  ['storage does not take the file', () => withStorage(() => ({ store: fail(away) })), again],
  [
    'no connection is free',
    () => withStorage(() => ({ store: fail(new PoolTimeout('none')) })),
    again,
  ],
  [
    'a connection is lost',
    () => withStorage(() => ({ store: fail(new ConnectionLost('lost')) })),
    again,
  ],
  [
    'something else fails',
    () => withStorage(() => ({ store: fail(new TypeError('a fault of ours')) })),
    [500, null, 'The upload failed. Nothing was stored.\n'],
  ],
] as const)(
  'uploads: when %s nothing is recorded, and the failure is reported',
  async (_, make, expected) => {
    const as = fixtures.ada.live
    const found = await reserveFile(fixtures, { as })
    const answer = await putFile(make(), found)
    const { status, headers } = answer
    expect([status, headers.get('retry-after'), await answer.text()]).toEqual([...expected])
    expect(headers.get('connection')).toBe('close')
    expect([failures.length, await sizeOf(as, found)]).toEqual([1, null])
    await uploadFile(fixtures, found)
    expect(await sizeOf(as, found)).toBe(photo.length)
  },
)

test('uploads: the response is sent once the temporary file is gone', async () => {
  let isGone = false
  const slow = withSpool(spool => ({
    async discard() {
      await spool.discard()
      await new Promise(setImmediate)
      isGone = true
    },
  }))
  const found = await reserveFile(fixtures, { as: fixtures.ada.live })
  expect((await putFile(slow, found, { body: '' })).status).toBe(400)
  expect(isGone).toBe(true)
})

/** A body whose reservation expires before its bytes arrive. */
const endingBody = ({ id }: FileReservation, mode: 'test' | 'live') =>
  new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const table = mode === 'live' ? sql`live.files` : sql`test.files`
        await queryAsOwner(
          fixtures,
          sql`update ${table} set expires_at = now() - interval '1 second' where id = ${id}`,
        )
        controller.enqueue(photo)
        controller.close()
      },
    },
    { highWaterMark: 0 },
  ) as BodyInit

test('uploads: an expired reservation’s bytes that can’t be removed are reported', async () => {
  const found = await reserveFile(fixtures, { as: fixtures.ada.live })
  const stuck = withStorage(() => ({ remove: fail(away) }))
  const answer = await putFile(stuck, found, { body: endingBody(found, 'live') })
  expect([answer.status, failures]).toEqual([503, [away]])
})

test('uploads: test mode never calls storage, however an upload ends', async () => {
  const { files } = fixtures.context
  const storage = new Proxy(files.storage, {
    get: (_, name) => () => {
      throw new Error(`${String(name)} was called`)
    },
  })
  const onError = (failure: unknown) => void failures.push(failure)
  const context = { ...fixtures.context, files: { ...files, storage }, onError }
  const without: Fixtures = { ...fixtures, upload: uploadEndpoint(context) }
  const found = await reserveFile(fixtures)
  const statusOf = async (body: BodyInit) => (await putFile(without, found, { body })).status
  expect([await statusOf('x'), await statusOf('')]).toEqual([200, 400])
  expect(await sizeOf(fixtures.ada.test, found)).toBe(1)
  expect(await statusOf(endingBody(found, 'test'))).toBe(403)
  expect(failures).toEqual([])
})

test('uploads: an upload whose time is up before it starts gets 408', async () => {
  const upload = uploadEndpoint(fixtures.context, () => AbortSignal.abort())
  const found = await reserveFile(fixtures)
  const answer = await putFile({ ...fixtures, upload }, found)
  expect([answer.status, await answer.text()]).toEqual([408, 'The upload took too long.\n'])
  expect(await sizeOf(fixtures.ada.test, found)).toBeNull()
})

test('uploads: a reservation accepts no bytes if its patient is being deleted', async () => {
  const found = await reserveFile(fixtures)
  const other = await reserveFile(fixtures)
  await queryAsOwner(
    fixtures,
    sql`update test.patients set deleted_at = now(), external_id = null, first_name = null,
               middle_name = null, last_name = null, date_of_birth = null, email = null,
               phone = null, address = null where id = ${found.patient}`,
  )
  expect((await putFile(fixtures, found)).status).toBe(403)
  await uploadFile(fixtures, other)
})
