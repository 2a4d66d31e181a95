// A confirmation's checks and effects, apart from its response.

import { afterEach, describe, expect, test } from 'bun:test'
import { momentOf } from '#contract/ids.ts'
import { modes } from '#contract/operation.ts'
import { sql } from '#database/sql.ts'
import { consentedPatient, caseBody, invoke, invokeOk, rivera } from '../testing/call.ts'
import { type Fixtures, useFixtures } from '../testing/fixtures.ts'
import { expectRefused, queryAsOwner } from '../testing/assertions.ts'
import {
  attachFile,
  confirmation,
  type FileReservation,
  photo,
  reserveFile,
  uploadFile,
} from '../testing/files.ts'
import { uploadKey } from '../storage/storage.ts'

const fixtures = useFixtures()
afterEach(() => expect(fixtures.errors.splice(0)).toEqual([]))

const confirm = (as: string, { id, patient }: FileReservation) =>
  invokeOk(fixtures, 'confirmFile', { as, id, body: confirmation(patient) })

test.each(modes)(
  'confirmFile in %s: IDs contain their rows’ timestamps, and the event comes after',
  async mode => {
    const as = fixtures.ada[mode]
    const found = await reserveFile(fixtures, { as })
    await uploadFile(fixtures, found)
    const reserved = await invokeOk(fixtures, 'getFile', { as, id: found.id })
    const file = await confirm(as, found)
    const query = { type: 'file.attached.v1' }
    const { data } = await invokeOk(fixtures, 'listEvents', { as, query })
    const event = data.at(-1)
    expect(event.resource).toEqual({ type: 'file', id: file.id })
    for (const { id, created_at } of [reserved, file]) {
      expect([id, id.slice('file_'.length, -16)]).toEqual([id, momentOf(Date.parse(created_at))])
    }
    expect(Date.parse(event.created_at) - Date.parse(file.attached_at)).toBe(1)
    // In live mode, the document is a new file; in test mode, it's the reservation itself.
    expect(file.created_at).toBe(mode === 'live' ? file.attached_at : reserved.created_at)
  },
)

describe('confirmFile: why bytes are refused', () => {
  /** Replaces the uploaded bytes, as a client that uploads directly to a bucket can. */
  async function replace({ id }: FileReservation, bytes: Uint8Array) {
    const [row] = await queryAsOwner<{ object: string }>(
      fixtures,
      sql`select object from live.files where id = ${id}`,
    )
    const { storage } = fixtures.context.files
    const spool = await storage.spool()
    await spool.write(bytes)
    await storage.store(uploadKey('live', row?.object ?? ''), await spool.end())
  }

  test.each([
    [
      'of another size',
      Buffer.concat([photo, Buffer.from('x')]),
      '#/size_bytes',
      'The upload must have the reserved size, at most 26214400 bytes.',
    ],
    [
      'of a different type',
      Buffer.alloc(photo.length),
      '#/mime',
      'The uploaded bytes must be a complete image/png file.',
    ],
  ])('400: bytes %s, which can be replaced', async (_, bytes, pointer, message) => {
    const as = fixtures.ada.live
    const found = await reserveFile(fixtures, { as, size_bytes: photo.length })
    await uploadFile(fixtures, found)
    await replace(found, bytes)
    const asked = { as, id: found.id, body: confirmation(found.patient) }
    const { body } = await expectRefused(fixtures, 'confirmFile', 'invalid_request', asked)
    expect(body.errors).toEqual([{ pointer, code: 'mismatch', message }])
    expect(body.hint).toBe(
      'PUT the right bytes to upload_url and confirm again, or reserve another file.',
    )
    await replace(found, photo)
    await confirm(as, found)
  })

  test('400 and 409: for another patient or an attached file, no bytes are inspected', async () => {
    const as = fixtures.ada.live
    const found = await reserveFile(fixtures, { as })
    await uploadFile(fixtures, found)
    const { id: other } = await invokeOk(fixtures, 'createPatient', { as, body: rivera })
    const attached = await attachFile(fixtures, { as })
    const { files } = fixtures.context
    let looks = 0
    const stat = (key: string) => {
      looks++
      return files.storage.stat(key)
    }
    const context = {
      ...fixtures.context,
      files: { ...files, storage: { ...files.storage, stat } },
    }
    const watched: Fixtures = { ...fixtures, context }
    const code = async (id: string, patient: string) =>
      (await invoke(watched, 'confirmFile', { as, id, body: confirmation(patient) })).code
    expect(await code(found.id, other)).toBe('invalid_request')
    expect(await code(attached.id, attached.patient)).toBe('invalid_transition')
    expect(looks).toBe(0)
    expect(await code(found.id, found.patient)).toBeNull()
    expect(looks).toBe(1)
  })
})

describe('files of cases', () => {
  const as = () => fixtures.ada.test
  const caseOf = (id: string) => invokeOk(fixtures, 'getCase', { as: as(), id })

  test('a confirmation and a deletion change no other case', async () => {
    const agreed = await consentedPatient(fixtures)
    const create = () => invokeOk(fixtures, 'createCase', { body: caseBody(agreed) })
    const [mine, other] = [await create(), await create()]
    const before = await caseOf(other.id)
    const { id } = await attachFile(fixtures, { case: mine.id })
    await attachFile(fixtures, { patient: agreed.patient })
    expect((await caseOf(mine.id)).files).toEqual([id])
    expect(await caseOf(other.id)).toEqual(before)
    await invokeOk(fixtures, 'deleteFile', { id })
    expect((await caseOf(mine.id)).files).toEqual([])
    expect(await caseOf(other.id)).toEqual(before)
  })

  test('deleting a reservation leaves its case as it was', async () => {
    const agreed = await consentedPatient(fixtures)
    const { id: theCase } = await invokeOk(fixtures, 'createCase', { body: caseBody(agreed) })
    await attachFile(fixtures, { case: theCase })
    const before = await caseOf(theCase)
    const { id } = await reserveFile(fixtures, { case: theCase })
    await invokeOk(fixtures, 'deleteFile', { id })
    expect(await caseOf(theCase)).toEqual(before)
  })
})

test("files: a file the clinic removed, and a deleted patient's files, are not found", async () => {
  const as = fixtures.ada.live
  const [removed, kept] = [await attachFile(fixtures, { as }), await attachFile(fixtures, { as })]
  await queryAsOwner(
    fixtures,
    sql`update live.files set status = 'removed', filename = null, removal_reason = 'x',
               removal_asked_by = 'x', removal_asked_by_name = 'x', removal_asked_at = now(),
               removed_by = 'x', removed_by_name = 'x', removed_at = now()
         where id = ${removed.id}`,
  )
  await expectRefused(fixtures, 'getFile', 'not_found', { as, id: removed.id })
  await invokeOk(fixtures, 'getFile', { as, id: kept.id })
  await invokeOk(fixtures, 'deletePatient', { as, id: kept.patient })
  await expectRefused(fixtures, 'getFile', 'not_found', { as, id: kept.id })
})
