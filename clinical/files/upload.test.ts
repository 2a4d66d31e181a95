// The door for bytes, and what becomes of them: in live they are kept and looked at, in test they
// are measured. A sender can be wrong in every way; nothing of what it sent may then be left.

import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { limits } from '#contract/limits.ts'
import { sql } from '#database/sql.ts'
import { modes } from '#contract/operation.ts'
import { ask, queuedCase, must } from '../testing/call.ts'
import { type Fixtures, openFixtures } from '../testing/fixtures.ts'
import { expectFaults, queryAsOwner, refused } from '../testing/assertions.ts'
import { attached, naming, photo, put, type Reserved, reserved, sent } from '../testing/files.ts'
import { StorageAway } from '../storage/storage.ts'
import { uploadEndpoint } from './upload.ts'

let fixtures: Fixtures
let live: string
beforeAll(async () => {
  fixtures = await openFixtures()
  live = fixtures.ada.live
})
afterAll(() => fixtures.close())
afterEach(() => expect(fixtures.errors).toEqual([]))

/** Every file of the storage's folder, by its length. */
function kept(): number[] {
  if (!existsSync(fixtures.folder)) return []
  const all = readdirSync(fixtures.folder, { recursive: true, encoding: 'utf8' })
  const files = all
    .map(name => statSync(path.join(fixtures.folder, name)))
    .filter(one => one.isFile())
  return files.map(one => one.size)
}

/** A body in pieces, without a length said beforehand. */
const pieces = (...all: Uint8Array[]) =>
  new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of all) controller.enqueue(piece)
      controller.close()
    },
  })

describe.each(modes)('an upload in %s', mode => {
  const as = () => (mode === 'live' ? live : fixtures.ada.test)
  const sizeOf = async ({ id }: Reserved) =>
    (await must(fixtures, 'getFile', { as: as(), id })).size_bytes

  test('is measured, may be repeated until it is confirmed, and never after', async () => {
    const found = await reserved(fixtures, { as: as() })
    await sent(fixtures, found, photo)
    expect(await sizeOf(found)).toBe(photo.length)
    const larger = Buffer.concat([photo.subarray(0, 33), Buffer.alloc(500), photo.subarray(33)])
    await sent(fixtures, found, pieces(larger.subarray(0, 100), larger.subarray(100)) as BodyInit)
    expect(await sizeOf(found)).toBe(larger.length)
    const file = await must(fixtures, 'confirmFile', {
      as: as(),
      id: found.id,
      body: naming(found.patient),
    })
    expect(file.size_bytes).toBe(larger.length)
    const late = await put(fixtures, found)
    expect([late.status, late.headers.get('content-type')]).toEqual([
      403,
      'text/plain; charset=utf-8',
    ])
    const after = await must(fixtures, 'getFile', { as: as(), id: file.id })
    expect(after).toEqual(file)
  })

  test('is refused without each header that the reservation names, or with another', async () => {
    const found = await reserved(fixtures, { as: as(), size_bytes: photo.length })
    const before = kept()
    for (const [name, value] of Object.entries(found.upload_headers)) {
      const other = name === 'Content-Length' ? String(Number(value) + 1) : `${value}x`
      const answers = [
        await put(fixtures, found, { without: name }),
        await put(fixtures, found, { headers: { [name]: other } }),
      ]
      for (const answer of answers) {
        expect([name, answer.status]).toEqual([name, 403])
        expect(await answer.text()).toContain(name)
      }
    }
    const encoded = await put(fixtures, found, { headers: { 'content-encoding': 'gzip' } })
    expect([encoded.status, await sizeOf(found), kept()]).toEqual([403, null, before])
  })

  test('is refused when its address is not one of ours', async () => {
    const found = await reserved(fixtures, { as: as() })
    const other = await reserved(fixtures, { as: as() })
    const url = found.upload_url
    const flipped = `${url.slice(0, -6)}${url.at(-6) === 'A' ? 'B' : 'A'}${url.slice(-5)}`
    for (const wrong of [flipped, url.slice(0, -2), `${url}AA`, `${url.split('/uploads/')[0]}/x`]) {
      const answer = await put(fixtures, found, { url: wrong })
      expect(answer.status).toBe(403)
    }
    // The address of one reservation with the headers of another.
    expect((await put(fixtures, found, { url: other.upload_url })).status).toBe(403)
    expect([await sizeOf(found), await sizeOf(other)]).toEqual([null, null])
  })

  test('is refused when it is too short, too long, empty or of another digest', async () => {
    const sized = await reserved(fixtures, { as: as(), size_bytes: photo.length })
    const free = await reserved(fixtures, { as: as() })
    const before = kept()
    const tooLarge = pieces(new Uint8Array(limits.fileBytesMax), new Uint8Array(1))
    const wrong: [Reserved, BodyInit, Record<string, string>, number][] = [
      [sized, photo.subarray(1), {}, 400],
      [sized, Buffer.concat([photo, photo]), {}, 400],
      [free, '', {}, 400],
      [free, tooLarge as BodyInit, {}, 413],
      [free, photo, { 'content-length': String(limits.fileBytesMax + 1) }, 413],
    ]
    if (mode === 'live') wrong.push([free, photo, { 'content-md5': 'nonsense' }, 400])
    for (const [found, body, headers, status] of wrong) {
      expect((await put(fixtures, found, { body, headers })).status).toBe(status)
      expect([await sizeOf(found), kept()]).toEqual([null, before])
    }
    const md5 = new Bun.CryptoHasher('md5').update(photo).digest('base64')
    expect((await put(fixtures, free, { headers: { 'content-md5': md5 } })).status).toBe(200)
  })

  test('that breaks off or takes too long leaves nothing', async () => {
    const found = await reserved(fixtures, { as: as() })
    const before = kept()
    const broken = new ReadableStream<Uint8Array>({
      pull(controller) {
        controller.enqueue(photo)
        controller.error(new Error('gone'))
      },
    })
    expect((await put(fixtures, found, { body: broken as BodyInit })).status).toBe(400)
    const patience = new AbortController()
    let cancelled = false
    const slow = new ReadableStream<Uint8Array>({
      pull(controller) {
        controller.enqueue(photo)
        patience.abort()
        return new Promise(() => {})
      },
      cancel: () => void (cancelled = true),
    })
    const guard = uploadEndpoint(fixtures.context, () => patience.signal)
    const patient = { ...fixtures, upload: guard }
    expect((await put(patient, found, { body: slow as BodyInit })).status).toBe(408)
    expect([cancelled, await sizeOf(found), kept()]).toEqual([true, null, before])
  })

  test('is sent by PUT, from a page of any origin', async () => {
    const found = await reserved(fixtures, { as: as() })
    const asked = await put(fixtures, found, { method: 'OPTIONS', body: null })
    expect([asked.status, asked.headers.get('access-control-allow-methods')]).toEqual([204, 'PUT'])
    const allowed = asked.headers.get('access-control-allow-headers')?.split(', ') ?? []
    for (const name of Object.keys(found.upload_headers)) {
      if (name !== 'Content-Length') expect(allowed).toContain(name.toLowerCase())
    }
    for (const method of ['POST', 'DELETE', 'PATCH']) {
      const answer = await put(fixtures, found, { method })
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'OPTIONS, PUT'])
    }
  })
})

test('test mode keeps no byte of anything', async () => {
  const before = kept()
  await attached(fixtures)
  expect(kept()).toEqual(before)
})

describe('a confirmation in live', () => {
  const body = (patient: string) => naming(patient)
  const confirm = (found: Reserved) => ({ as: live, id: found.id, body: body(found.patient) })

  test('200: files the bytes under a new id, and the reservation is gone', async () => {
    const { id: theCase } = await queuedCase(fixtures, live, { hold: true })
    const found = await reserved(fixtures, { as: live, case: theCase })
    await sent(fixtures, found)
    const asked = { ...confirm(found), key: `once-${found.id}` }
    const file = await must(fixtures, 'confirmFile', asked)
    expect(file.id).toStartWith('file_')
    expect(file.id).not.toBe(found.id)
    expect(file).toMatchObject({ case: theCase, size_bytes: photo.length, status: 'attached' })
    expect(await must(fixtures, 'getFile', { as: live, id: file.id })).toEqual(file)
    await refused(fixtures, 'getFile', 'not_found', { as: live, id: found.id })
    await refused(fixtures, 'confirmFile', 'not_found', confirm(found))
    expect((await ask(fixtures, 'confirmFile', asked)).body).toEqual(file)
    expect((await must(fixtures, 'getCase', { as: live, id: theCase })).files).toEqual([file.id])
    const { data } = await must(fixtures, 'listEvents', {
      as: live,
      query: { type: 'file.attached.v1', include_resource: 'true', limit: '100' },
    })
    expect(data.at(-1)).toMatchObject({
      resource: { type: 'file', id: file.id },
      previous_status: 'reserved',
      data: file,
    })
  })

  test('409: nothing was uploaded', async () => {
    const found = await reserved(fixtures, { as: live })
    await refused(fixtures, 'confirmFile', 'upload_missing', confirm(found))
    await sent(fixtures, found)
    await must(fixtures, 'confirmFile', confirm(found))
  })

  test('400: the bytes are of another type; the right ones may follow', async () => {
    const found = await reserved(fixtures, { as: live, mime: 'image/jpeg' })
    await sent(fixtures, found)
    expect(await expectFaults(fixtures, 'confirmFile', confirm(found))).toEqual([
      ['#/mime', 'mismatch'],
    ])
    const jpeg = Buffer.from([0xff, 0xd8, 0xff, 0xe0, ...Array(20).fill(0), 0xff, 0xd9])
    await sent(fixtures, found, jpeg)
    expect((await must(fixtures, 'confirmFile', confirm(found))).size_bytes).toBe(jpeg.length)
  })

  test('what is filed is what was looked at, whatever is sent meanwhile', async () => {
    const found = await reserved(fixtures, { as: live })
    await sent(fixtures, found)
    const other = Buffer.concat([photo, photo])
    const [file] = await Promise.all([
      must(fixtures, 'confirmFile', confirm(found)),
      put(fixtures, found, { body: other }),
      put(fixtures, found, { body: Buffer.concat([other, other]) }),
    ])
    const [row] = await queryAsOwner<{ object: string }>(
      fixtures,
      sql`select object from live.files where id = ${file.id}`,
    )
    const stored = await fixtures.context.files.storage.stat(`live/f/${row?.object}`)
    expect(stored?.size).toBe(file.size_bytes)
  })

  test('503: storage is away; nothing is written, and the same key works when it is back', async () => {
    const found = await reserved(fixtures, { as: live })
    await sent(fixtures, found)
    const { storage } = fixtures.context.files
    const gone = new StorageAway('no answer')
    const away = { ...storage, stat: () => Promise.reject(gone) }
    const files = { ...fixtures.context.files, storage: away }
    const without = { ...fixtures, context: { ...fixtures.context, files, onError: () => {} } }
    const asked = { ...confirm(found), key: `away-${found.id}` }
    const answer = await ask(without, 'confirmFile', asked)
    expect([answer.status, answer.headers['retry-after']]).toEqual([503, '1'])
    expect((await ask(fixtures, 'confirmFile', asked)).status).toBe(200)
  })
})

test('a disk that takes no more answers 503, and is heard of', async () => {
  const errors: unknown[] = []
  const found = await reserved(fixtures, { as: live })
  const { storage } = fixtures.context.files
  const full = { ...storage, spool: async () => ({ ...(await storage.spool()), ...noRoom }) }
  const files = { ...fixtures.context.files, storage: full }
  const context = {
    ...fixtures.context,
    files,
    onError: (failure: unknown) => void errors.push(failure),
  }
  const answer = await put({ ...fixtures, upload: uploadEndpoint(context) }, found)
  expect([answer.status, errors.length]).toEqual([503, 1])
  rmSync(path.join(fixtures.folder, 'aside'), { recursive: true, force: true })
})

test('no address, header or answer tells of a key or a folder', async () => {
  const found = await reserved(fixtures, { as: live })
  const [row] = await queryAsOwner<{ object: string }>(
    fixtures,
    sql`select object from live.files where id = ${found.id}`,
  )
  const refusal = await put(fixtures, found, { body: '' })
  const said = [JSON.stringify(found), await refusal.text(), atob(said64(found.upload_url))].join()
  expect(said).not.toContain(row?.object ?? 'none')
  expect(said).not.toContain(fixtures.folder)
})

const noRoom = { write: () => Promise.reject(new StorageAway('no room')) }

const said64 = (url: string) =>
  (url.split('/').at(-1) ?? '').replaceAll('-', '+').replaceAll('_', '/')
