// A bucket that responds slowly or not at all: the other calls and jobs go on.

import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { until } from '#http/testing/until.ts'
import { invoke, invokeOk } from '../testing/call.ts'
import { confirmation, photo, reserveFile } from '../testing/files.ts'
import { type Fixtures, openFixtures } from '../testing/fixtures.ts'
import { openS3 } from '../testing/s3-server.ts'
import { openStorageSlots } from '../pipeline/storage-slots.ts'
import { readStored } from '../files/render.ts'
import { documentKey, StorageUnavailable } from './storage.ts'

const bucket = {
  bucket: 'documents',
  region: 'eu-central-1',
  accessKeyId: 'a',
  secretAccessKey: 's',
}
let fixtures: Fixtures
let s3: ReturnType<typeof openS3>
let as: string
beforeAll(async () => {
  s3 = openS3(mkdtempSync(path.join(tmpdir(), 's3-')), bucket)
  fixtures = await openFixtures({ bucket: { ...bucket, endpoint: s3.endpoint }, poolSize: 2 })
  as = fixtures.ada.live
})
afterAll(async () => {
  await fixtures.close()
  await s3.stop()
  rmSync(s3.folder, { recursive: true })
})
afterEach(() => expect(fixtures.errors.splice(0)).toEqual([]))

async function uploaded() {
  const found = await reserveFile(fixtures, { as })
  const { upload_url, upload_headers: headers } = found
  expect((await fetch(upload_url, { method: 'PUT', body: photo, headers })).status).toBe(200)
  return found
}

test('calls that wait for the bucket hold at most half of the connections', async () => {
  const files = [await uploaded(), await uploaded(), await uploaded()]
  const release = s3.hold()
  const confirmed = files.map(({ id, patient }) =>
    invoke(fixtures, 'confirmFile', { as, id, body: confirmation(patient) }),
  )
  await until(() => s3.held() > 0)
  for (let calls = 0; calls < 3; calls++) await invokeOk(fixtures, 'listPatients', { as })
  expect(s3.held()).toBe(1)
  release()
  expect((await Promise.all(confirmed)).map(({ status }) => status)).toEqual([200, 200, 200])
})

test('a call that gets no slot in time is refused, and the next one gets the slot', async () => {
  const slots = openStorageSlots(1, 0.01)
  const { promise, resolve } = Promise.withResolvers<string>()
  const first = slots(() => promise)
  await expect(slots(async () => 'second')).rejects.toThrow(StorageUnavailable)
  resolve('first')
  expect(await Promise.all([first, slots(async () => 'third')])).toEqual(['first', 'third'])
})

test('downloads that wait for the bucket hold no connection', async () => {
  const { patient } = await reserveFile(fixtures, { as })
  const { id } = await invokeOk(fixtures, 'createExport', { as, id: patient })
  const release = s3.hold()
  const downloads = Array.from({ length: 3 }, () => invoke(fixtures, 'downloadExport', { as, id }))
  await until(() => s3.held() === downloads.length)
  await invokeOk(fixtures, 'listPatients', { as })
  release()
  expect((await Promise.all(downloads)).map(({ status }) => status)).toEqual([200, 200, 200])
})

test('reading a document ends in time if its bytes stop arriving', async () => {
  const { id, patient } = await uploaded()
  await invokeOk(fixtures, 'confirmFile', { as, id, body: confirmation(patient) })
  const key = s3.requests.findLast(line => line.includes('/live/f/')) ?? ''
  const object = /\/live\/f\/(\w+)/.exec(key)?.[1] ?? ''
  const { storage } = fixtures.context.files
  expect((await readStored({ storage }, object)).size).toBe(photo.length)
  // A hundred times as fast.
  const read: typeof storage.read = (at, part, seconds = 3600) =>
    storage.read(at, part, seconds / 100)
  s3.setStalled(true)
  const reading = readStored({ storage: { ...storage, read } }, object)
  await expect(reading).rejects.toThrow(StorageUnavailable)
  s3.setStalled(false)
  expect((await storage.stat(documentKey('live', object)))?.size).toBe(photo.length)
})
