// The upload endpoint stores and inspects bytes in live mode, and only counts them in test mode. A
// refused upload must leave no bytes behind.

import { afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { sql } from '#database/sql.ts'
import { modes } from '#contract/operation.ts'
import { invoke, queuedCase, invokeOk } from '../testing/call.ts'
import { useFixtures } from '../testing/fixtures.ts'
import { expectFaults, queryAsOwner, expectRefused } from '../testing/assertions.ts'
import {
  attachFile,
  confirmation,
  photo,
  putFile,
  type FileReservation,
  reserveFile,
  uploadFile,
} from '../testing/files.ts'
import { StorageUnavailable } from '../storage/storage.ts'
import { uploadEndpoint } from './upload.ts'

const fixtures = useFixtures()
let live: string
beforeAll(async () => {
  live = fixtures.ada.live
})
afterEach(() => expect(fixtures.errors.splice(0)).toEqual([]))

/** Returns the sizes of all files in the storage folder. */
function storedSizes(): number[] {
  if (!existsSync(fixtures.folder)) return []
  const names = readdirSync(fixtures.folder, { recursive: true, encoding: 'utf8' })
  const stats = names.map(name => statSync(path.join(fixtures.folder, name)))
  return stats.filter(one => one.isFile()).map(one => one.size)
}

/** A body in chunks, without a Content-Length. */
const pieces = (...all: Uint8Array[]) =>
  new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of all) controller.enqueue(piece)
      controller.close()
    },
  })

describe.each(modes)('an upload in %s', mode => {
  const as = () => (mode === 'live' ? live : fixtures.ada.test)
  const sizeOf = async ({ id }: FileReservation) =>
    (await invokeOk(fixtures, 'getFile', { as: as(), id })).size_bytes

  test('sets size_bytes and can be repeated until the file is confirmed', async () => {
    const found = await reserveFile(fixtures, { as: as() })
    await uploadFile(fixtures, found, photo)
    expect(await sizeOf(found)).toBe(photo.length)
    const larger = Buffer.concat([photo.subarray(0, 33), Buffer.alloc(500), photo.subarray(33)])
    await uploadFile(
      fixtures,
      found,
      pieces(larger.subarray(0, 100), larger.subarray(100)) as BodyInit,
    )
    expect(await sizeOf(found)).toBe(larger.length)
    const file = await invokeOk(fixtures, 'confirmFile', {
      as: as(),
      id: found.id,
      body: confirmation(found.patient),
    })
    expect(file.size_bytes).toBe(larger.length)
    const late = await putFile(fixtures, found)
    expect([late.status, late.headers.get('content-type')]).toEqual([
      403,
      'text/plain; charset=utf-8',
    ])
    const after = await invokeOk(fixtures, 'getFile', { as: as(), id: file.id })
    expect(after).toEqual(file)
  })

  test('is refused when one of the reservation’s headers is missing or different', async () => {
    const found = await reserveFile(fixtures, { as: as(), size_bytes: photo.length })
    const before = storedSizes()
    for (const [name, value] of Object.entries(found.upload_headers)) {
      const other = name === 'Content-Length' ? String(Number(value) + 1) : `${value}x`
      const answers = [
        await putFile(fixtures, found, { without: name }),
        await putFile(fixtures, found, { headers: { [name]: other } }),
      ]
      for (const answer of answers) {
        expect([name, answer.status]).toEqual([name, 403])
        expect(await answer.text()).toContain(name)
      }
    }
    const encoded = await putFile(fixtures, found, { headers: { 'content-encoding': 'gzip' } })
    expect([encoded.status, await sizeOf(found), storedSizes()]).toEqual([403, null, before])
  })

  test('is refused when its URL is forged or another reservation’s', async () => {
    const found = await reserveFile(fixtures, { as: as() })
    const other = await reserveFile(fixtures, { as: as() })
    const url = found.upload_url
    const flipped = `${url.slice(0, -6)}${url.at(-6) === 'A' ? 'B' : 'A'}${url.slice(-5)}`
    for (const wrong of [flipped, url.slice(0, -2), `${url}AA`, `${url.split('/uploads/')[0]}/x`]) {
      const answer = await putFile(fixtures, found, { url: wrong })
      expect(answer.status).toBe(403)
    }
    // One reservation's URL with another's headers.
    expect((await putFile(fixtures, found, { url: other.upload_url })).status).toBe(403)
    expect([await sizeOf(found), await sizeOf(other)]).toEqual([null, null])
  })

  test('is refused when it’s too short, too long, empty or has the wrong digest', async () => {
    const sized = await reserveFile(fixtures, { as: as(), size_bytes: photo.length })
    const free = await reserveFile(fixtures, { as: as() })
    const before = storedSizes()
    const tooLarge = pieces(new Uint8Array(26_214_400), new Uint8Array(1))
    const wrong: [FileReservation, BodyInit, Record<string, string>, number][] = [
      [sized, photo.subarray(1), {}, 400],
      [sized, Buffer.concat([photo, photo]), {}, 400],
      [free, '', {}, 400],
      [free, tooLarge as BodyInit, {}, 413],
      [free, photo, { 'content-length': '26214401' }, 413],
    ]
    if (mode === 'live') wrong.push([free, photo, { 'content-md5': 'nonsense' }, 400])
    for (const [found, body, headers, status] of wrong) {
      expect((await putFile(fixtures, found, { body, headers })).status).toBe(status)
      expect([await sizeOf(found), storedSizes()]).toEqual([null, before])
    }
    const md5 = new Bun.CryptoHasher('md5').update(photo).digest('base64')
    expect((await putFile(fixtures, free, { headers: { 'content-md5': md5 } })).status).toBe(200)
  })

  test('an upload that is aborted or takes too long leaves no bytes', async () => {
    const found = await reserveFile(fixtures, { as: as() })
    const before = storedSizes()
    const broken = new ReadableStream<Uint8Array>({
      pull(controller) {
        controller.enqueue(photo)
        controller.error(new Error('gone'))
      },
    })
    expect((await putFile(fixtures, found, { body: broken as BodyInit })).status).toBe(400)
    const deadline = new AbortController()
    let cancelled = false
    const slow = new ReadableStream<Uint8Array>({
      pull(controller) {
        controller.enqueue(photo)
        deadline.abort()
        return new Promise(() => {})
      },
      cancel: () => void (cancelled = true),
    })
    const upload = uploadEndpoint(fixtures.context, () => deadline.signal)
    expect((await putFile({ ...fixtures, upload }, found, { body: slow as BodyInit })).status).toBe(
      408,
    )
    expect([cancelled, await sizeOf(found), storedSizes()]).toEqual([true, null, before])
  })

  test('must use PUT and may be sent by pages from any origin', async () => {
    const found = await reserveFile(fixtures, { as: as() })
    const asked = await putFile(fixtures, found, { method: 'OPTIONS', body: null })
    expect([asked.status, asked.headers.get('access-control-allow-methods')]).toEqual([204, 'PUT'])
    const allowed = asked.headers.get('access-control-allow-headers')?.split(', ') ?? []
    for (const name of Object.keys(found.upload_headers)) {
      if (name !== 'Content-Length') expect(allowed).toContain(name.toLowerCase())
    }
    for (const method of ['POST', 'DELETE', 'PATCH']) {
      const answer = await putFile(fixtures, found, { method })
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'OPTIONS, PUT'])
    }
  })
})

test('uploads: test mode stores no bytes', async () => {
  const before = storedSizes()
  await attachFile(fixtures)
  expect(storedSizes()).toEqual(before)
})

describe('confirmFile in live mode', () => {
  const confirm = (found: FileReservation) => ({
    as: live,
    id: found.id,
    body: confirmation(found.patient),
  })

  test('200: the document has a new ID, and the reservation is gone', async () => {
    const { id: theCase } = await queuedCase(fixtures, live, { hold: true })
    const found = await reserveFile(fixtures, { as: live, case: theCase })
    await uploadFile(fixtures, found)
    const asked = { ...confirm(found), key: `once-${found.id}` }
    const file = await invokeOk(fixtures, 'confirmFile', asked)
    expect(file.id).toStartWith('file_')
    expect(file.id).not.toBe(found.id)
    expect(file).toMatchObject({ case: theCase, size_bytes: photo.length, status: 'attached' })
    expect(await invokeOk(fixtures, 'getFile', { as: live, id: file.id })).toEqual(file)
    await expectRefused(fixtures, 'getFile', 'not_found', { as: live, id: found.id })
    await expectRefused(fixtures, 'confirmFile', 'not_found', confirm(found))
    expect((await invoke(fixtures, 'confirmFile', asked)).body).toEqual(file)
    expect((await invokeOk(fixtures, 'getCase', { as: live, id: theCase })).files).toEqual([
      file.id,
    ])
    const { data } = await invokeOk(fixtures, 'listEvents', {
      as: live,
      query: { type: 'file.attached.v1', include_resource: 'true', limit: '100' },
    })
    expect(data.at(-1)).toMatchObject({
      resource: { type: 'file', id: file.id },
      previous_status: 'reserved',
      data: file,
    })
  })

  test('409: no bytes were uploaded', async () => {
    const found = await reserveFile(fixtures, { as: live })
    await expectRefused(fixtures, 'confirmFile', 'upload_missing', confirm(found))
    await uploadFile(fixtures, found)
    await invokeOk(fixtures, 'confirmFile', confirm(found))
  })

  test('400: the bytes aren’t of the declared type; a corrected upload is accepted', async () => {
    const found = await reserveFile(fixtures, { as: live, mime: 'image/jpeg' })
    await uploadFile(fixtures, found)
    expect(await expectFaults(fixtures, 'confirmFile', confirm(found))).toEqual([
      ['#/mime', 'mismatch'],
    ])
    const jpeg = Buffer.from([0xff, 0xd8, 0xff, 0xe0, ...Array(20).fill(0), 0xff, 0xd9])
    await uploadFile(fixtures, found, jpeg)
    expect((await invokeOk(fixtures, 'confirmFile', confirm(found))).size_bytes).toBe(jpeg.length)
  })

  test('stores the inspected bytes, whatever is uploaded in the meantime', async () => {
    const found = await reserveFile(fixtures, { as: live })
    await uploadFile(fixtures, found)
    const other = Buffer.concat([photo, photo])
    const [file] = await Promise.all([
      invokeOk(fixtures, 'confirmFile', confirm(found)),
      putFile(fixtures, found, { body: other }),
      putFile(fixtures, found, { body: Buffer.concat([other, other]) }),
    ])
    const [row] = await queryAsOwner<{ object: string }>(
      fixtures,
      sql`select object from live.files where id = ${file.id}`,
    )
    const stored = await fixtures.context.files.storage.stat(`live/f/${row?.object}`)
    expect(stored?.size).toBe(file.size_bytes)
  })

  test('503: while storage is unavailable, nothing is written, and the same key works afterward', async () => {
    const found = await reserveFile(fixtures, { as: live })
    await uploadFile(fixtures, found)
    const { storage } = fixtures.context.files
    const gone = new StorageUnavailable('no answer')
    const away = { ...storage, stat: () => Promise.reject(gone) }
    const files = { ...fixtures.context.files, storage: away }
    const without = { ...fixtures, context: { ...fixtures.context, files, onError: () => {} } }
    const asked = { ...confirm(found), key: `away-${found.id}` }
    const answer = await invoke(without, 'confirmFile', asked)
    expect([answer.status, answer.headers['retry-after']]).toEqual([503, '1'])
    expect((await invoke(fixtures, 'confirmFile', asked)).status).toBe(200)
  })
})

test('uploads: a full disk returns 503 and is reported', async () => {
  const errors: unknown[] = []
  const found = await reserveFile(fixtures, { as: live })
  const { storage } = fixtures.context.files
  const full = { ...storage, spool: async () => ({ ...(await storage.spool()), ...noRoom }) }
  const files = { ...fixtures.context.files, storage: full }
  const context = {
    ...fixtures.context,
    files,
    onError: (failure: unknown) => void errors.push(failure),
  }
  const answer = await putFile({ ...fixtures, upload: uploadEndpoint(context) }, found)
  expect([answer.status, errors.length]).toEqual([503, 1])
  rmSync(path.join(fixtures.folder, 'aside'), { recursive: true, force: true })
})

test('uploads: no URL, header or response reveals a storage key or folder', async () => {
  const found = await reserveFile(fixtures, { as: live })
  const [row] = await queryAsOwner<{ object: string }>(
    fixtures,
    sql`select object from live.files where id = ${found.id}`,
  )
  const refusal = await putFile(fixtures, found, { body: '' })
  const revealed = [
    JSON.stringify(found),
    await refusal.text(),
    atob(base64Of(found.upload_url)),
  ].join()
  expect(revealed).not.toContain(row?.object ?? 'none')
  expect(revealed).not.toContain(fixtures.folder)
})

const noRoom = { write: () => Promise.reject(new StorageUnavailable('no room')) }

const base64Of = (url: string) =>
  (url.split('/').at(-1) ?? '').replaceAll('-', '+').replaceAll('_', '/')
