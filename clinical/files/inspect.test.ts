// Tests how an upload in folder storage is inspected: its size, its type, and whether its bytes
// change during the inspection.

import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { photo } from '../testing/files.ts'
import { openStorage } from '../storage/open.ts'
import { documentKey, type Storage, StorageUnavailable, uploadKey } from '../storage/storage.ts'
import { inspect, type InspectResult } from './inspect.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'inspect-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let made = 0
const fresh = () => String(made++).padStart(16, '0')
const storage = openStorage({ folder }, Date.now, fresh)

async function uploaded(bytes: Uint8Array): Promise<string> {
  const object = `${fresh()}${fresh()}`
  const spool = await storage.spool()
  await spool.write(bytes)
  await storage.store(uploadKey('live', object), await spool.end())
  return object
}

const png = (size: number) =>
  Buffer.concat([photo.subarray(0, 33), Buffer.alloc(size - photo.length), photo.subarray(33)])
/** A JPEG with this many bytes after its end. */
const jpeg = (behind: number) =>
  Buffer.concat([
    Buffer.from([0xff, 0xd8, 0xff, 0xe0]),
    Buffer.alloc(80_000),
    Buffer.from([0xff, 0xd9]),
    Buffer.alloc(behind),
  ])

type Case = [string, () => Uint8Array, number | null, InspectResult]
const cases: Case[] = [
  ['of the announced size', () => png(100), 100, { size: 100 }],
  ['of no announced size', () => png(101), null, { size: 101 }],
  ['of a byte less than was announced', () => png(99), 100, 'wrong size'],
  ['of a byte more than was announced', () => png(101), 100, 'wrong size'],
  ['as large as a file may be', () => png(26_214_400), null, { size: 26_214_400 }],
  ['of a byte more than a file may have', () => png(26_214_401), null, 'wrong size'],
  ['with a declared size that is too large', () => png(26_214_401), 26_214_401, 'wrong size'],
  ['of no byte', () => new Uint8Array(), null, 'missing'],
  ['of one byte', () => Buffer.from('x'), null, 'another type'],
  ['of another type', () => jpeg(0), null, 'another type'],
]

test.each(cases)('inspect: an upload %s', async (_, bytes, declared_bytes, expected) => {
  const object = await uploaded(bytes())
  const found = await inspect(storage, 'live', { object, mime: 'image/png', declared_bytes })
  expect(found).toEqual(expected)
  // Only the accepted bytes become the document.
  const stored = await storage.stat(documentKey('live', object))
  expect(stored?.size ?? null).toBe(typeof expected === 'object' ? expected.size : null)
})

test('inspect: without an upload, bytes are missing', async () => {
  const object = `${fresh()}${fresh()}`
  const reserved = { object, mime: 'image/png', declared_bytes: null } as const
  expect(await inspect(storage, 'live', reserved)).toBe('missing')
})

test('inspect: looks for a picture’s end in its last 65,536 bytes', async () => {
  const found = async (behind: number) => {
    const object = await uploaded(jpeg(behind))
    return inspect(storage, 'live', { object, mime: 'image/jpeg', declared_bytes: null })
  }
  expect(await found(65_534)).toEqual({ size: 80_006 + 65_534 })
  expect(await found(65_535)).toBe('another type')
})

test('inspect: an upload that changes during inspection is inspected three times', async () => {
  const object = await uploaded(png(100))
  const reserved = { object, mime: 'image/png', declared_bytes: null } as const
  let copies = 0
  const changing = (often: number): Storage => ({
    ...storage,
    copyIfUnchanged: async (...of) => copies++ >= often && storage.copyIfUnchanged(...of),
  })
  const looking = inspect(changing(3), 'live', reserved)
  await expect(looking).rejects.toThrow(StorageUnavailable)
  expect(copies).toBe(3)
  copies = 0
  expect(await inspect(changing(2), 'live', reserved)).toEqual({ size: 100 })
})
