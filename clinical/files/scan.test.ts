// Scanning confirmed documents: what's clean, what's refused, and what waits.

import { afterEach, expect, test } from 'bun:test'
import { sql } from '#database/sql.ts'
import { until } from '#http/testing/until.ts'
import { queryAsOwner } from '../testing/assertions.ts'
import { invokeOk } from '../testing/call.ts'
import {
  attachFile,
  confirmation,
  photo,
  reserveFile,
  scanAll,
  uploadFile,
} from '../testing/files.ts'
import { useFixtures } from '../testing/fixtures.ts'
import { countWaiting, whileLocked } from '../testing/races.ts'
import { ScannerUnavailable } from './malware.ts'
import { StorageUnavailable } from '../storage/storage.ts'
import { heic, pdfOf } from '../viewer/testing/documents.ts'
import { ViewerUnavailable } from '../viewer/viewer.ts'
import { scanFiles } from './scan.ts'

const fixtures = useFixtures()
afterEach(() => expect(fixtures.errors.splice(0)).toEqual([]))

async function confirmed(mime: string, bytes: Buffer): Promise<string> {
  const as = fixtures.ada.live
  const found = await reserveFile(fixtures, { as, mime })
  await uploadFile(fixtures, found, new Uint8Array(bytes))
  const body = confirmation(found.patient)
  return (await invokeOk(fixtures, 'confirmFile', { as, id: found.id, body })).id
}

const rowOf = async (id: string) => {
  const [row] = await queryAsOwner(
    fixtures,
    sql`select scan, finding, pages from live.files where id = ${id}`,
  )
  return row
}
const waiting = async () =>
  (await queryAsOwner(fixtures, sql`select file from live.file_scans order by file`)).map(
    row => row['file'],
  )
const audited = (id: string) =>
  queryAsOwner(
    fixtures,
    sql`select surface, action from audit.entries where target = ${id} and surface = 'worker'`,
  )
const due = () => queryAsOwner(fixtures, sql`update live.file_scans set due_at = now()`)

test('scan: a document is pending before its scan, and clean with a page count after it', async () => {
  const id = await confirmed('application/pdf', await pdfOf(3))
  expect(await rowOf(id)).toEqual({ scan: 'pending', finding: null, pages: null })
  expect(await waiting()).toEqual([id])
  expect(await scanAll(fixtures)).toBe(1)
  expect(await rowOf(id)).toEqual({ scan: 'clean', finding: null, pages: 3 })
  expect(await waiting()).toEqual([])
  expect(await audited(id)).toEqual([{ surface: 'worker', action: 'clearFile' }])
  expect(await scanAll(fixtures)).toBe(0)
})

test.each([
  ['damaged', 'image/heic', async () => heic.subarray(0, 500)],
  ['password', 'application/pdf', async () => pdfOf(1, { userPassword: 'x' })],
] as const)(
  'scan: a document that is %s (%s) is refused, and stays attached',
  async (finding, mime, make) => {
    const id = await confirmed(mime, await make())
    await scanAll(fixtures)
    expect(await rowOf(id)).toEqual({ scan: 'refused', finding, pages: null })
    expect(await audited(id)).toEqual([{ surface: 'worker', action: 'refuseFile' }])
    const read = await invokeOk(fixtures, 'getFile', { as: fixtures.ada.live, id })
    expect(read.status).toBe('attached')
  },
)

test('scan: a test document has no bytes, and isn’t queued', async () => {
  const { id } = await attachFile(fixtures)
  const rows = await queryAsOwner(fixtures, sql`select scan from test.files where id = ${id}`)
  expect(rows).toEqual([{ scan: null }])
  expect(await queryAsOwner(fixtures, sql`select 1 from test.file_scans`)).toEqual([])
})

test.each([
  [
    'storage is unavailable',
    () => ({
      ...fixtures.context.files,
      storage: {
        ...fixtures.context.files.storage,
        read: () => Promise.reject(new StorageUnavailable('no answer')),
      },
    }),
  ],
  [
    'no process can be isolated',
    () => ({
      ...fixtures.context.files,
      viewer: { render: () => Promise.reject(new ViewerUnavailable('no seal')) },
    }),
  ],
])('scan: while %s, a document waits and is scanned later', async (_, away) => {
  const { id } = await attachFile(fixtures, { as: fixtures.ada.live })
  await expect(scanFiles(fixtures.workerContext, away(), null)).rejects.toThrow(/no (answer|seal)/)
  expect(await rowOf(id)).toEqual({ scan: 'pending', finding: null, pages: null })
  // The failed worker's claim has to expire first, after two minutes.
  expect(await scanAll(fixtures)).toBe(0)
  const soon = sql`select from live.file_scans where due_at <= now() + interval '2 minutes'`
  expect(await queryAsOwner(fixtures, soon)).toHaveLength(1)
  await due()
  expect(await scanAll(fixtures)).toBe(1)
  expect(await rowOf(id)).toEqual({ scan: 'clean', finding: null, pages: 1 })
})

test('scan: two workers scan each document once', async () => {
  const ids: string[] = []
  for (let count = 0; count < 4; count++) {
    ids.push((await attachFile(fixtures, { as: fixtures.ada.live })).id)
  }
  const counts = await Promise.all([scanAll(fixtures), scanAll(fixtures)])
  expect((counts[0] ?? 0) + (counts[1] ?? 0)).toBe(4)
  for (const id of ids) expect(await audited(id)).toHaveLength(1)
})

test('scan: a document that another worker has locked is skipped', async () => {
  const held = await attachFile(fixtures, { as: fixtures.ada.live })
  const free = await attachFile(fixtures, { as: fixtures.ada.live })
  const lock = sql`select from live.file_scans where file = ${held.id} for update`
  expect(await whileLocked(fixtures, lock, () => scanAll(fixtures))).toBe(1)
  expect([(await rowOf(held.id))?.['scan'], (await rowOf(free.id))?.['scan']]).toEqual([
    'pending',
    'clean',
  ])
  expect(await scanAll(fixtures)).toBe(1)
})

test('scan: each document is scanned using its own bytes', async () => {
  const later = await attachFile(fixtures, { as: fixtures.ada.live })
  const first = await confirmed('image/png', Buffer.concat([photo, Buffer.from('more')]))
  const wait = sql`update live.file_scans set due_at = now() - interval '1 minute' where file = ${first}`
  await queryAsOwner(fixtures, wait)
  const found: string[] = []
  const viewer = {
    async render(bytes: Uint8Array | Blob) {
      const finding = bytes instanceof Blob && bytes.size === photo.length ? 'damaged' : 'password'
      found.push(finding)
      return { finding } as const
    },
  }
  await scanFiles(fixtures.workerContext, { ...fixtures.context.files, viewer }, null)
  expect(found.toSorted()).toEqual(['damaged', 'password'])
  const findings = [(await rowOf(first))?.['finding'], (await rowOf(later.id))?.['finding']]
  expect(findings).toEqual(['password', 'damaged'])
})

test('scan: a run ends when its last result is written', async () => {
  const { id } = await attachFile(fixtures, { as: fixtures.ada.live })
  let isOver = false
  let scanning = Promise.resolve(0)
  await fixtures.owner.use(async connection => {
    await connection.run(sql`begin`)
    const viewer = {
      async render() {
        await connection.run(sql`select from live.files where id = ${id} for update`)
        return { finding: 'damaged' as const }
      },
    }
    const files = { ...fixtures.context.files, viewer }
    scanning = scanFiles(fixtures.workerContext, files, null).finally(() => (isOver = true))
    await until(async () => isOver || (await countWaiting(fixtures)) > 0)
    expect(isOver).toBe(false)
    await connection.run(sql`commit`)
  })
  expect([await scanning, (await rowOf(id))?.['finding']]).toEqual([1, 'damaged'])
})

/** Removes a document as the clinic does. */
const remove = (id: string) =>
  queryAsOwner(
    fixtures,
    sql`update live.files set status = 'removed', filename = null, removal_reason = 'x',
               removal_asked_by = 'x', removal_asked_by_name = 'x', removal_asked_at = now(),
               removed_by = 'x', removed_by_name = 'x', removed_at = now() where id = ${id}`,
  )

test('scan: a document the clinic removed before the scan isn’t read', async () => {
  const { id } = await attachFile(fixtures, { as: fixtures.ada.live })
  await remove(id)
  const { files } = fixtures.context
  const read = () => Promise.reject(new StorageUnavailable('its bytes are gone'))
  const without = { ...files, storage: { ...files.storage, read } }
  expect(await scanFiles(fixtures.workerContext, without, null)).toBe(1)
  expect([await waiting(), await audited(id)]).toEqual([[], []])
})

test('scan: a document the clinic removes during the scan gets no result', async () => {
  const { id } = await attachFile(fixtures, { as: fixtures.ada.live })
  const viewer = {
    async render() {
      await remove(id)
      return { finding: 'damaged' as const }
    },
  }
  await scanFiles(fixtures.workerContext, { ...fixtures.context.files, viewer }, null)
  expect(await rowOf(id)).toEqual({ scan: 'pending', finding: null, pages: null })
  expect(await waiting()).toEqual([])
  expect(await audited(id)).toEqual([])
})

test('scan: a document with malware is refused; while ClamAV is down, documents wait', async () => {
  const { id } = await attachFile(fixtures, { as: fixtures.ada.live })
  const { files } = fixtures.context
  const away = { find: () => Promise.reject(new ScannerUnavailable('no answer')) }
  await expect(scanFiles(fixtures.workerContext, files, away)).rejects.toThrow('no answer')
  expect(await rowOf(id)).toEqual({ scan: 'pending', finding: null, pages: null })
  await due()
  const finding = { find: async (bytes: Blob) => bytes.size === photo.length }
  expect(await scanFiles(fixtures.workerContext, files, finding)).toBe(1)
  expect(await rowOf(id)).toEqual({ scan: 'refused', finding: 'malware', pages: null })
})

test('scan: developers are emailed once about malware, and about nothing else', async () => {
  const { id } = await attachFile(fixtures, { as: fixtures.ada.live })
  const damaged = await confirmed('image/heic', heic.subarray(0, 500))
  await queryAsOwner(
    fixtures,
    sql`update auth.integrations set developers_email = 'developers@example.com'`,
  )
  const finding = { find: async (bytes: Blob) => bytes.size === photo.length }
  await scanFiles(fixtures.workerContext, fixtures.context.files, finding)
  expect(await scanFiles(fixtures.workerContext, fixtures.context.files, finding)).toBe(0)
  const mails = await queryAsOwner(
    fixtures,
    sql`select subject, audience, kind, facts from site.emails where subject in (${id}, ${damaged})`,
  )
  const { integration } = fixtures.ada
  const facts = { mode: 'live', email: 'developers@example.com', integration_id: integration }
  expect(mails).toEqual([{ subject: id, audience: 'developers', kind: 'malware_found', facts }])
})
