// Documents in the console are shown as images after a scan, and removed in two steps.

import { afterEach, beforeAll, describe, expect, test } from 'bun:test'
import sharp from 'sharp'
import { sql } from '#database/sql.ts'
import { queryAsOwner, expectRefused } from '../testing/assertions.ts'
import { invoke, invokeOk, queuedCase } from '../testing/call.ts'
import { attachFile, confirmation, reserveFile, scanAll, uploadFile } from '../testing/files.ts'
import { useFixtures } from '../testing/fixtures.ts'
import { runIntoLock } from '../testing/races.ts'
import { type StaffMember, useConsole } from '../testing/staff.ts'
import { removeDiscarded } from '../files/cleanup.ts'
import { documentKey, StorageUnavailable } from '../storage/storage.ts'
import { pdfOf } from '../viewer/testing/documents.ts'

const fixtures = useFixtures()
const staff = useConsole(fixtures)
afterEach(() => expect(fixtures.errors.splice(0)).toEqual([]))

let nurse: StaffMember
let records: StaffMember
let other: StaffMember
beforeAll(async () => {
  nurse = await staff.hire(['nurse'])
  records = await staff.hire(['records'])
  other = await staff.hire(['records'])
})

async function pdfFile(pages: number): Promise<string> {
  const as = fixtures.ada.live
  const found = await reserveFile(fixtures, { as, mime: 'application/pdf' })
  await uploadFile(fixtures, found, new Uint8Array(await pdfOf(pages)))
  const body = confirmation(found.patient)
  return (await invokeOk(fixtures, 'confirmFile', { as, id: found.id, body })).id
}

const photoFile = () => attachFile(fixtures, { as: fixtures.ada.live })

/** Creates a scanned document on a case. */
async function caseFile() {
  const as = fixtures.ada.live
  const { id: theCase } = await queuedCase(fixtures, as)
  const { id, patient } = await attachFile(fixtures, { as, case: theCase })
  await scanAll(fixtures)
  return { id, case: theCase, patient }
}

const view = (as: StaffMember, id: string, page = 1) =>
  staff.call('viewFile', { as, id, query: { page: String(page) } })
const read = (id: string, as = records) => staff.ok('readFile', { as, id })
const entries = (id: string, action: string) =>
  queryAsOwner(
    fixtures,
    sql`select person, outcome, status, code from audit.entries
         where target = ${id} and action = ${action} order by seq`,
  )

describe('viewing', () => {
  test('each viewed page is returned as an image and audited', async () => {
    const id = await pdfFile(2)
    await scanAll(fixtures)
    expect(await read(id)).toMatchObject({ scan: 'clean', pages: 2, removal: null, removed: null })
    for (const page of [1, 2]) {
      const { bytes, text } = await view(nurse, id, page)
      expect(text).toBe('')
      const image = await new Response((await bytes?.open()) as Blob).bytes()
      expect(await sharp(image).metadata()).toMatchObject({ format: 'webp', width: 1275 })
    }
    const row = { person: nurse.person, outcome: 'ok', status: 200, code: null }
    expect(await entries(id, 'viewFile')).toEqual([row, row])
  })

  test('a page is rendered once per session, and each view is audited', async () => {
    const { id } = await photoFile()
    await scanAll(fixtures)
    const first = await view(nurse, id)
    const [row] = await queryAsOwner<{ object: string }>(
      fixtures,
      sql`select object from live.files where id = ${id}`,
    )
    // Nothing is left to render the page from.
    await fixtures.context.files.storage.remove(documentKey('live', row?.object ?? ''))
    const bytesOf = async ({ bytes }: typeof first) =>
      new Response((await bytes?.open()) as Blob).bytes()
    expect(await bytesOf(await view(nurse, id))).toEqual(await bytesOf(first))
    expect((await view(other, id)).code).toBe('service_unavailable')
    expect(await entries(id, 'viewFile')).toHaveLength(3)
  })

  test('404 for a page past the last; an invalid page is refused', async () => {
    const { id } = await photoFile()
    await scanAll(fixtures)
    expect((await view(nurse, id, 2)).code).toBe('not_found')
    for (const page of [0, -1, 1.5, 201]) {
      expect((await view(nurse, id, page)).code).toBe('invalid_request')
    }
  })

  test('a document isn’t shown before its scan, or if the scan refuses it', async () => {
    const id = await pdfFile(201)
    const other = await reserveFile(fixtures, { as: fixtures.ada.live })
    expect((await view(nurse, id)).code).toBe('file_not_shown')
    await scanAll(fixtures)
    expect(await read(id)).toMatchObject({ scan: 'refused', finding: 'too_many_pages' })
    expect((await view(nurse, id)).code).toBe('file_not_shown')
    expect((await entries(id, 'viewFile')).map(({ status }) => status)).toEqual([409, 409])
    expect((await view(nurse, other.id)).code).toBe('not_found')
    expect((await staff.call('readFile', { as: nurse, id: other.id })).code).toBe('not_found')
  })

  test('while storage is down, pages are unavailable', async () => {
    const { id } = await caseFile()
    const { storage } = fixtures.context.files
    const { read: reads } = storage
    storage.read = () => Promise.reject(new StorageUnavailable('no answer'))
    try {
      expect((await view(nurse, id)).code).toBe('service_unavailable')
    } finally {
      storage.read = reads
    }
  })
})

const reason = 'It shows another person.'
const ask = async (id: string, as = records) =>
  staff.call('requestRemoval', { as, id, body: { version: (await read(id)).updated_at, reason } })
const confirm = async (id: string, as = records, key?: string) =>
  staff.call('confirmRemoval', {
    as,
    id,
    body: { version: (await read(id)).updated_at },
    ...(key !== undefined && { key }),
  })

describe('removal', () => {
  test('after a confirmed removal, link, case reference and bytes are gone; who, when and why stay', async () => {
    const as = fixtures.ada.live
    const { id, patient, case: theCase } = await caseFile()
    const [row] = await queryAsOwner<{ object: string }>(
      fixtures,
      sql`select object from live.files where id = ${id}`,
    )
    const key = documentKey('live', row?.object ?? '')
    const asked = await ask(id)
    expect(asked.body).toMatchObject({
      status: 'attached',
      removal: { by: { person: records.person, name: records.name }, reason },
    })
    expect((await view(nurse, id)).code).toBe(null)
    await invokeOk(fixtures, 'getFile', { as, id })

    const removed = await confirm(id, other)
    expect(removed.body).toMatchObject({
      status: 'removed',
      filename: null,
      removal: { reason },
      removed: { by: { person: other.person, name: other.name } },
    })
    await expectRefused(fixtures, 'getFile', 'not_found', { as, id })
    expect((await invokeOk(fixtures, 'getCase', { as, id: theCase })).files).toEqual([])
    expect((await view(nurse, id)).code).toBe('file_not_shown')
    const job = await invokeOk(fixtures, 'createExport', { as, id: patient })
    const bundle = await invokeOk(fixtures, 'downloadExport', { as, id: job.id })
    expect([bundle.files, bundle.documents]).toEqual([[], []])
    const found = await staff.ok('readPatient', { as: nurse, id: patient })
    expect(found.files).toMatchObject([{ id, status: 'removed', filename: null }])

    const { storage } = fixtures.context.files
    expect(await storage.stat(key)).not.toBeNull()
    await removeDiscarded(fixtures.workerContext, storage)
    expect(await storage.stat(key)).toBeNull()
    const done = { outcome: 'ok', status: 200, code: null }
    expect(await entries(id, 'requestRemoval')).toEqual([{ person: records.person, ...done }])
    expect(await entries(id, 'confirmRemoval')).toEqual([{ person: other.person, ...done }])
  })

  test('one person may do both steps, in order only; a canceled removal keeps the document', async () => {
    const { id } = await caseFile()
    expect((await confirm(id)).code).toBe('invalid_transition')
    await ask(id)
    expect((await ask(id)).code).toBe('invalid_transition')
    const { updated_at: version } = await read(id)
    const kept = await staff.call('cancelRemoval', { as: other, id, body: { version } })
    expect(kept.body).toMatchObject({ status: 'attached', removal: null })
    expect((await confirm(id)).code).toBe('invalid_transition')
    const stale = await staff.call('confirmRemoval', { as: records, id, body: { version } })
    expect(stale.code).toBe('version_changed')
    await ask(id)
    expect((await confirm(id)).body).toMatchObject({ status: 'removed' })
    for (const again of [await ask(id), await confirm(id)]) {
      expect(again.code).toBe('invalid_transition')
    }
  })

  test('one of two concurrent confirmations removes the document, and a repeat gets the same response', async () => {
    const { id, case: theCase } = await caseFile()
    await ask(id)
    const lock = sql`select from live.cases where id = ${theCase} for update`
    const both = [() => confirm(id, records, 'once'), () => confirm(id, other)]
    const [first, second] = await runIntoLock(fixtures, lock, both)
    expect([first?.code, second?.code]).toEqual([null, 'version_changed'])
    const discarded = await queryAsOwner(
      fixtures,
      sql`select 1 from live.discarded_objects d join live.files f
             on f.tenant = d.tenant and d.key = 'live/f/' || f.object where f.id = ${id}`,
    )
    expect(discarded).toHaveLength(1)
  })

  test('while storage is down, the bytes stay queued, and the document is removed for everyone', async () => {
    const as = fixtures.ada.live
    const { id } = await caseFile()
    await ask(id)
    await confirm(id)
    const { storage } = fixtures.context.files
    const away = { ...storage, remove: () => Promise.reject(new StorageUnavailable('no answer')) }
    await expect(removeDiscarded(fixtures.workerContext, away)).rejects.toThrow('no answer')
    expect((await invoke(fixtures, 'getFile', { as, id })).status).toBe(404)
    await queryAsOwner(fixtures, sql`update live.discarded_objects set due_at = now()`)
    expect(await removeDiscarded(fixtures.workerContext, storage)).toBeGreaterThan(0)
    expect(await queryAsOwner(fixtures, sql`select 1 from live.discarded_objects`)).toEqual([])
  })

  test('a removal can be requested but not confirmed under a legal hold', async () => {
    const { id, patient } = await caseFile()
    await ask(id)
    const reason = 'A lawsuit.'
    const { id: hold } = await staff.ok('placeHold', { as: records, id: patient, body: { reason } })
    expect((await confirm(id)).code).toBe('legal_hold')
    expect(await read(id)).toMatchObject({ status: 'attached', removed: null })
    await staff.ok('liftHold', { as: records, id: patient, body: { hold, reason } })
    expect((await confirm(id)).body).toMatchObject({ status: 'removed' })
  })

  test('a reason is required', async () => {
    const { id } = await caseFile()
    const { updated_at: version } = await read(id)
    for (const body of [{ version }, { version, reason: '' }]) {
      const { code } = await staff.call('requestRemoval', { as: records, id, body })
      expect(code).toBe('invalid_request')
    }
  })
})
