// Documents and bundles in a bucket, against a server that verifies every signature with a second
// implementation.

import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from '#database/sql.ts'
import { invoke, queuedCase, invokeOk } from '../testing/call.ts'
import { type Fixtures, openFixtures } from '../testing/fixtures.ts'
import { expectFaults, queryAsOwner, expectRefused } from '../testing/assertions.ts'
import { confirmation, photo, type FileReservation, reserveFile } from '../testing/files.ts'
import { openS3 } from '../testing/s3-server.ts'
import { StorageUnavailable, uploadKey } from './storage.ts'
import { removeDiscarded } from '../files/cleanup.ts'

const bucket = {
  bucket: 'documents',
  region: 'eu-central-1',
  accessKeyId: 'AKIAEXAMPLE',
  secretAccessKey: 'a secret of the tests',
}
let fixtures: Fixtures
let s3: ReturnType<typeof openS3>
let live: string
beforeAll(async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 's3-'))
  s3 = openS3(folder, bucket)
  fixtures = await openFixtures({ bucket: { ...bucket, endpoint: s3.endpoint } })
  live = fixtures.ada.live
})
afterAll(async () => {
  await fixtures.close()
  await s3.stop()
  rmSync(s3.folder, { recursive: true })
})
afterEach(() => expect(fixtures.errors.splice(0)).toEqual([]))

const send = (to: FileReservation, more: RequestInit & { url?: string } = {}) =>
  fetch(more.url ?? to.upload_url, {
    method: 'PUT',
    body: photo,
    headers: to.upload_headers,
    ...more,
  })
const confirm = (to: FileReservation) => ({ as: live, id: to.id, body: confirmation(to.patient) })

describe('a direct upload to the bucket', () => {
  test('is accepted with the signed headers, and the inspected bytes are stored', async () => {
    const { id: theCase } = await queuedCase(fixtures, live)
    const found = await reserveFile(fixtures, { as: live, case: theCase, size_bytes: photo.length })
    expect(new URL(found.upload_url).origin).toBe(s3.endpoint)
    expect(Object.keys(found.upload_headers)).toEqual(['Content-Type', 'Content-Length'])
    await expectRefused(fixtures, 'confirmFile', 'upload_missing', confirm(found))
    expect((await send(found)).status).toBe(200)
    const file = await invokeOk(fixtures, 'confirmFile', confirm(found))
    expect(file).toMatchObject({ case: theCase, size_bytes: photo.length, status: 'attached' })
    // The URL is still valid at the bucket, but it writes to a key that no row refers to.
    const other = Buffer.from(photo).fill(7, 40)
    expect((await send(found, { body: other })).status).toBe(200)
    const job = await invokeOk(fixtures, 'createExport', { as: live, id: found.patient })
    const bundle = await invokeOk(fixtures, 'downloadExport', { as: live, id: job.id })
    expect(bundle.files).toEqual([file])
    const [{ url }] = bundle.documents
    const named = fixtures.context.files.tokens.open(url.slice(url.lastIndexOf('/') + 1))
    expect(named).toMatchObject({ kind: 'document', file: file.id })
  })

  test('is refused by the bucket when anything signed is changed', async () => {
    const found = await reserveFile(fixtures, { as: live, size_bytes: photo.length })
    const longer = Buffer.concat([photo, photo])
    const wrong: [RequestInit & { url?: string }, number][] = [
      [{ headers: {} }, 403],
      [{ headers: { ...found.upload_headers, 'Content-Type': 'text/html' } }, 403],
      [{ body: longer, headers: { 'Content-Type': 'image/png' } }, 403],
      [{ url: found.upload_url.replace('/u/', '/f/') }, 403],
      [{ url: found.upload_url.replace('X-Amz-Expires=3600', 'X-Amz-Expires=9999') }, 403],
      [{ method: 'DELETE', body: null }, 403],
    ]
    for (const [more, status] of wrong) expect((await send(found, more)).status).toBe(status)
    await expectRefused(fixtures, 'confirmFile', 'upload_missing', confirm(found))
  })

  test('with another type or too many bytes isn’t confirmed', async () => {
    const found = await reserveFile(fixtures, { as: live })
    await send(found, { body: '<script>' })
    expect(await expectFaults(fixtures, 'confirmFile', confirm(found))).toEqual([
      ['#/mime', 'mismatch'],
    ])
    await send(found, { body: new Uint8Array(26_214_401) })
    const large = await expectFaults(fixtures, 'confirmFile', confirm(found))
    expect(large).toEqual([['#/size_bytes', 'mismatch']])
    await send(found)
    await invokeOk(fixtures, 'confirmFile', confirm(found))
  })
})

test('bucket storage: a deleted patient’s objects are removed, even after a bucket outage', async () => {
  const { workerContext } = fixtures
  const { storage } = fixtures.context.files
  const found = await reserveFile(fixtures, { as: live })
  await send(found)
  await invokeOk(fixtures, 'confirmFile', confirm(found))
  await invokeOk(fixtures, 'deletePatient', { as: live, id: found.patient })
  s3.setUnavailable(true)
  await expect(removeDiscarded(workerContext, storage)).rejects.toThrow(
    'storage responded with 503 (SlowDown)',
  )
  s3.setUnavailable(false)
  s3.requests.length = 0
  await queryAsOwner(fixtures, sql`update live.discarded_objects set due_at = now()`)
  expect(await removeDiscarded(workerContext, storage)).toBeGreaterThanOrEqual(2)
  expect(s3.requests.filter(line => line.startsWith('DELETE')).length).toBeGreaterThanOrEqual(2)
})

test('bucket storage: 503 during an outage; the idempotency key stays unused and no secret is reported', async () => {
  const found = await reserveFile(fixtures, { as: live })
  await send(found)
  const options = { ...confirm(found), key: `away-${found.id}` }
  s3.setUnavailable(true)
  const answer = await invoke(fixtures, 'confirmFile', options)
  s3.setUnavailable(false)
  expect([answer.status, answer.body.detail]).toEqual([503, 'The storage did not respond in time.'])
  const [error] = fixtures.errors.splice(0)
  expect(error).toBeInstanceOf(StorageUnavailable)
  expect(String(error)).not.toContain(bucket.secretAccessKey)
  expect((await invoke(fixtures, 'confirmFile', options)).status).toBe(200)
})

test('bucket storage: bytes that changed since inspection aren’t copied', async () => {
  const { storage } = fixtures.context.files
  const found = await reserveFile(fixtures, { as: live })
  await send(found)
  const key = new URL(found.upload_url).pathname.slice('/documents/'.length)
  const stored = await storage.stat(key)
  await send(found, { body: Buffer.concat([photo, photo]) })
  expect(await storage.copyIfUnchanged(key, key.replace('/u/', '/f/'), stored?.tag ?? '')).toBe(
    false,
  )
  expect(await storage.copyIfUnchanged('live/u/none', 'live/f/none', '"x"')).toBe(false)
})

test('bucket storage: old objects are removed, across pages of the listing', async () => {
  const { storage } = fixtures.context.files
  const keys = ['1', '2', '3'].map(one => uploadKey('test', one.repeat(32)))
  for (const key of keys) {
    const spool = await storage.spool()
    await spool.write(photo)
    await storage.store(key, await spool.end())
  }
  const old = new Date(Date.now() - 3 * 3_600_000)
  for (const key of keys.slice(1)) {
    utimesSync(path.join(s3.folder, key.replaceAll('/', '~')), old, old)
  }
  expect(await storage.removeOlderThan('test/u', 7200)).toBe(2)
  expect((await storage.stat(keys[0] ?? ''))?.size).toBe(photo.length)
  // Storing the same object again, as after a lost response, succeeds.
  const spool = await storage.spool()
  await spool.write(photo)
  await storage.store(keys[0] ?? '', await spool.end())
})
