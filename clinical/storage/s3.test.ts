// Documents and bundles in a bucket, against a server that judges every signature by another
// implementation than ours.

import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from '#database/sql.ts'
import { ask, queuedCase, must } from '../testing/call.ts'
import { type Fixtures, openFixtures } from '../testing/fixtures.ts'
import { expectFaults, queryAsOwner, refused } from '../testing/assertions.ts'
import { naming, photo, type Reserved, reserved } from '../testing/files.ts'
import { openS3 } from '../testing/s3-server.ts'
import { StorageAway, uploaded } from './storage.ts'
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
afterEach(() => expect(fixtures.errors).toEqual([]))

const send = (to: Reserved, more: RequestInit & { url?: string } = {}) =>
  fetch(more.url ?? to.upload_url, {
    method: 'PUT',
    body: photo,
    headers: to.upload_headers,
    ...more,
  })
const confirm = (to: Reserved) => ({ as: live, id: to.id, body: naming(to.patient) })

describe('an upload past the house', () => {
  test('is taken with the headers that were signed, and filed as it was looked at', async () => {
    const { id: theCase } = await queuedCase(fixtures, live)
    const found = await reserved(fixtures, { as: live, case: theCase, size_bytes: photo.length })
    expect(new URL(found.upload_url).origin).toBe(s3.endpoint)
    expect(Object.keys(found.upload_headers)).toEqual(['Content-Type', 'Content-Length'])
    await refused(fixtures, 'confirmFile', 'upload_missing', confirm(found))
    expect((await send(found)).status).toBe(200)
    const file = await must(fixtures, 'confirmFile', confirm(found))
    expect(file).toMatchObject({ case: theCase, size_bytes: photo.length, status: 'attached' })
    // The address is still good at the bucket; what it can reach is nobody's any more.
    const other = Buffer.from(photo).fill(7, 40)
    expect((await send(found, { body: other })).status).toBe(200)
    const job = await must(fixtures, 'createExport', { as: live, id: found.patient })
    const bundle = await must(fixtures, 'downloadExport', { as: live, id: job.id })
    expect(bundle.files).toEqual([file])
    const [{ url }] = bundle.documents
    const named = fixtures.context.files.tokens.open(url.slice(url.lastIndexOf('/') + 1))
    expect(named).toMatchObject({ kind: 'document', file: file.id })
  })

  test('is refused by the bucket when anything that was signed is changed', async () => {
    const found = await reserved(fixtures, { as: live, size_bytes: photo.length })
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
    await refused(fixtures, 'confirmFile', 'upload_missing', confirm(found))
  })

  test('of another type, or of too many bytes, is not filed', async () => {
    const found = await reserved(fixtures, { as: live })
    await send(found, { body: '<script>' })
    expect(await expectFaults(fixtures, 'confirmFile', confirm(found))).toEqual([
      ['#/mime', 'mismatch'],
    ])
    await send(found, { body: new Uint8Array(26_214_401) })
    const large = await expectFaults(fixtures, 'confirmFile', confirm(found))
    expect(large).toEqual([['#/size_bytes', 'mismatch']])
    await send(found)
    await must(fixtures, 'confirmFile', confirm(found))
  })
})

test('a deleted patient’s objects leave the bucket; while it is away, nothing is forgotten', async () => {
  const { workerContext } = fixtures
  const { storage } = fixtures.context.files
  const found = await reserved(fixtures, { as: live })
  await send(found)
  await must(fixtures, 'confirmFile', confirm(found))
  await must(fixtures, 'deletePatient', { as: live, id: found.patient })
  s3.away(true)
  await expect(removeDiscarded(workerContext, storage)).rejects.toThrow(
    'storage answers 503 (SlowDown)',
  )
  s3.away(false)
  s3.seen.length = 0
  await queryAsOwner(fixtures, sql`update live.discarded_objects set due_at = now()`)
  expect(await removeDiscarded(workerContext, storage)).toBeGreaterThanOrEqual(2)
  expect(s3.seen.filter(line => line.startsWith('DELETE')).length).toBeGreaterThanOrEqual(2)
})

test('503 while the bucket is away; the key is unspent, and no secret is said', async () => {
  const found = await reserved(fixtures, { as: live })
  await send(found)
  const asked = { ...confirm(found), key: `away-${found.id}` }
  s3.away(true)
  const answer = await ask(fixtures, 'confirmFile', asked)
  s3.away(false)
  expect([answer.status, answer.body.detail]).toEqual([503, 'The storage did not answer in time.'])
  const [onError] = fixtures.errors.splice(0)
  expect(onError).toBeInstanceOf(StorageAway)
  expect(String(onError)).not.toContain(bucket.secretAccessKey)
  expect((await ask(fixtures, 'confirmFile', asked)).status).toBe(200)
})

test('a copy of bytes that changed meanwhile is not made', async () => {
  const { storage } = fixtures.context.files
  const found = await reserved(fixtures, { as: live })
  await send(found)
  const key = new URL(found.upload_url).pathname.slice('/documents/'.length)
  const stored = await storage.stat(key)
  await send(found, { body: Buffer.concat([photo, photo]) })
  expect(await storage.keep(key, key.replace('/u/', '/f/'), stored?.tag ?? '')).toBe(false)
  expect(await storage.keep('live/u/none', 'live/f/none', '"x"')).toBe(false)
})

test('what is old in the bucket is swept, page after page', async () => {
  const { storage } = fixtures.context.files
  const keys = ['1', '2', '3'].map(one => uploaded('test', one.repeat(32)))
  for (const key of keys) {
    const spool = await storage.spool()
    await spool.write(photo)
    await storage.take(key, await spool.end())
  }
  const old = new Date(Date.now() - 3 * 3_600_000)
  for (const key of keys.slice(1)) {
    utimesSync(path.join(s3.folder, key.replaceAll('/', '~')), old, old)
  }
  expect(await storage.sweep('test/u', 7200)).toBe(2)
  expect((await storage.stat(keys[0] ?? ''))?.size).toBe(photo.length)
  // Sent again, as after a lost answer: it is there already, and that is all that was wanted.
  const spool = await storage.spool()
  await spool.write(photo)
  await storage.take(keys[0] ?? '', await spool.end())
})
