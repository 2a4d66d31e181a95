// Reserves, uploads, confirms, reads and deletes files through the API.

import { afterEach, describe, expect, test } from 'bun:test'
import { isId } from '#contract/ids.ts'
import { sql } from '#database/sql.ts'
import { invoke, queuedCase, invokeOk, rivera } from '../testing/call.ts'
import { useFixtures } from '../testing/fixtures.ts'
import {
  expectFaults,
  timestampPattern,
  unknownId,
  queryAsOwner,
  expectRefused,
  eventsOf,
} from '../testing/assertions.ts'
import {
  attachFile,
  confirmation,
  photo,
  putFile,
  reserveFile,
  uploadFile,
} from '../testing/files.ts'

const fixtures = useFixtures()
afterEach(() => expect(fixtures.errors.splice(0)).toEqual([]))

/** Expires a reservation. */
const end = (id: string) =>
  queryAsOwner(
    fixtures,
    sql`update test.files set expires_at = now() - interval '1 ms' where id = ${id}`,
  )

describe('POST /v1/files', () => {
  test('201: returns the upload URL, the headers to send and the expiration', async () => {
    const { patient, id: theCase } = await queuedCase(fixtures)
    const body = { patient, case: theCase, kind: 'photo_id', filename: 'a b é.png' }
    const sized = { ...body, mime: 'image/png', size_bytes: 70 }
    const { answer, lines } = await eventsOf(fixtures, () =>
      invoke(fixtures, 'createFile', { body: sized }),
    )
    expect([answer.status, lines]).toEqual([201, []])
    const { id, created_at, expires_at, upload_url } = answer.body
    expect(answer.body).toEqual({
      ...body,
      id,
      mime: 'image/png',
      status: 'reserved',
      upload_method: 'PUT',
      upload_url,
      upload_headers: {
        'Content-Type': 'image/png',
        'Content-Length': '70',
        'X-Upload-Reservation': id,
      },
      max_bytes: 26_214_400,
      expires_at,
      created_at,
    })
    expect(isId('file', id)).toBe(true)
    expect(answer.headers['location']).toBe(`/v1/files/${id}`)
    expect(created_at).toMatch(timestampPattern)
    expect(Date.parse(expires_at) - Date.parse(created_at)).toBe(3_600_000)
    expect(upload_url).toMatch(/^http:\/\/localhost:3000\/uploads\/[\w-]+$/)
    expect(await invokeOk(fixtures, 'getFile', { id })).toEqual({
      id,
      ...body,
      mime: 'image/png',
      size_bytes: null,
      status: 'reserved',
      attached_at: null,
      created_at,
    })
  })

  test('400: every field with a wrong value or an unknown reference', async () => {
    const { patient } = await queuedCase(fixtures)
    const other = await queuedCase(fixtures)
    const given = { patient, mime: 'image/png' }
    const wrong: [string, string, object][] = [
      ['#/patient', 'required', { patient: undefined }],
      ['#/patient', 'unknown_reference', { patient: unknownId('pat') }],
      ['#/mime', 'required', { mime: undefined }],
      ['#/mime', 'not_in_enum', { mime: 'image/svg+xml' }],
      ['#/case', 'unknown_reference', { case: unknownId('case') }],
      ['#/case', 'unknown_reference', { case: other.id }],
      ['#/size_bytes', 'too_small', { size_bytes: 0 }],
      ['#/size_bytes', 'too_large', { size_bytes: 26_214_401 }],
      ['#/kind', 'invalid_format', { kind: 'Photo ID' }],
      ...['../../etc/passwd', 'a\\b', 'a\nb', 'a\u202egpj.exe', '..', '.'].map(
        (filename): [string, string, object] => ['#/filename', 'invalid_format', { filename }],
      ),
      ['#/filename', 'too_long', { filename: 'f'.repeat(256) }],
    ]
    for (const [pointer, code, change] of wrong) {
      const all = Object.entries({ ...given, ...change })
      const body = Object.fromEntries(all.filter(([, value]) => value !== undefined))
      expect(await expectFaults(fixtures, 'createFile', { body })).toEqual([[pointer, code]])
    }
  })

  test('409: a canceled or withdrawn case refuses files; any other accepts them', async () => {
    for (const closing of ['cancelCase', 'withdrawCase'] as const) {
      const { id, patient } = await queuedCase(fixtures)
      const { status } = await invokeOk(fixtures, closing, { id })
      const body = { patient, case: id, mime: 'image/png' }
      const { body: problem } = await expectRefused(fixtures, 'createFile', 'invalid_transition', {
        body,
      })
      expect(problem.members).toMatchObject({
        resource: { type: 'case', id },
        current_status: status,
      })
    }
    const { id } = await queuedCase(fixtures)
    const decline = { decision: 'decline', reason: 'No.' }
    await invokeOk(fixtures, 'decideCase', { id, body: decline })
    expect((await reserveFile(fixtures, { case: id })).id).toStartWith('file_')
  })
})

describe('POST /v1/files/{id}/confirm', () => {
  test('200: the file keeps its ID, is attached to its case and has one event', async () => {
    const { id: theCase } = await queuedCase(fixtures)
    const found = await reserveFile(fixtures, { case: theCase })
    await uploadFile(fixtures, found)
    const { id, patient } = found
    expect((await invokeOk(fixtures, 'getFile', { id })).size_bytes).toBe(photo.length)
    const before = await invokeOk(fixtures, 'getCase', { id: theCase })
    expect(before.files).toEqual([])
    const { answer, lines } = await eventsOf(fixtures, () =>
      invokeOk(fixtures, 'confirmFile', { id, body: confirmation(patient) }),
    )
    expect(lines).toEqual([`file.attached.v1 reserved → attached ${id}`])
    expect(answer).toMatchObject({
      id,
      patient,
      case: theCase,
      kind: 'photo_id',
      filename: 'license.png',
      size_bytes: photo.length,
      status: 'attached',
    })
    expect(answer.attached_at).toMatch(timestampPattern)
    expect(await invokeOk(fixtures, 'getFile', { id })).toEqual(answer)
    const after = await invokeOk(fixtures, 'getCase', { id: theCase })
    expect(after).toEqual({ ...before, files: [id], updated_at: answer.attached_at })
  })

  test('200: a file may have up to 26,214,400 bytes', async () => {
    const as = fixtures.ada.live
    const found = await reserveFile(fixtures, { as, mime: 'image/jpeg' })
    const largest = Buffer.alloc(26_214_400)
    largest.set([0xff, 0xd8, 0xff, 0xe0])
    largest.set([0xff, 0xd9], largest.length - 2)
    const headers = { 'content-length': '26214400' }
    expect((await putFile(fixtures, found, { body: largest, headers })).status).toBe(200)
    const confirmed = { as, id: found.id, body: confirmation(found.patient) }
    expect((await invokeOk(fixtures, 'confirmFile', confirmed)).size_bytes).toBe(26_214_400)
  })

  test('200: test mode does not require uploaded bytes', async () => {
    const { id, patient } = await reserveFile(fixtures)
    const file = await invokeOk(fixtures, 'confirmFile', { id, body: confirmation(patient) })
    expect([file.id, file.size_bytes, file.status]).toEqual([id, null, 'attached'])
  })

  test('400: patient, kind and filename are required, and patient must match the reservation', async () => {
    const { id, patient } = await reserveFile(fixtures)
    for (const name of ['patient', 'kind', 'filename']) {
      const body = Object.fromEntries(
        Object.entries(confirmation(patient)).filter(([k]) => k !== name),
      )
      expect(await expectFaults(fixtures, 'confirmFile', { id, body })).toEqual([
        [`#/${name}`, 'required'],
      ])
    }
    const { id: other } = await invokeOk(fixtures, 'createPatient', { body: rivera })
    for (const wrong of [other, unknownId('pat')]) {
      const found = await expectFaults(fixtures, 'confirmFile', {
        id,
        body: confirmation(wrong),
      })
      expect(found).toEqual([['#/patient', 'mismatch']])
    }
  })

  test('409: a file is confirmed twice', async () => {
    const { id, patient } = await attachFile(fixtures)
    const options = { id, body: confirmation(patient) }
    const { body } = await expectRefused(fixtures, 'confirmFile', 'invalid_transition', options)
    expect(body.members).toEqual({
      resource: { type: 'file', id },
      current_status: 'attached',
      allowed_from: ['reserved'],
    })
  })

  test('409: the case was withdrawn after the reservation', async () => {
    const { id: theCase } = await queuedCase(fixtures)
    const { id, patient } = await reserveFile(fixtures, { case: theCase })
    await invokeOk(fixtures, 'withdrawCase', { id: theCase })
    await expectRefused(fixtures, 'confirmFile', 'invalid_transition', {
      id,
      body: confirmation(patient),
    })
  })

  test('400: the case already has fifty files', async () => {
    const { id: theCase } = await queuedCase(fixtures)
    const { id, patient } = await reserveFile(fixtures, { case: theCase })
    const fifty = Array.from({ length: 50 }, () => unknownId('file'))
    await queryAsOwner(
      fixtures,
      sql`update test.cases set files = ${fifty}::text[] where id = ${theCase}`,
    )
    const found = await expectFaults(fixtures, 'confirmFile', { id, body: confirmation(patient) })
    expect(found).toEqual([['#', 'too_many']])
    const body = { patient, case: theCase, mime: 'image/png' }
    expect(await expectFaults(fixtures, 'createFile', { body })).toEqual([['#/case', 'too_many']])
  })

  test('404: the reservation has expired; its upload URL responds with 403', async () => {
    const found = await reserveFile(fixtures)
    await end(found.id)
    await expectRefused(fixtures, 'getFile', 'not_found', { id: found.id })
    const options = { id: found.id, body: confirmation(found.patient) }
    await expectRefused(fixtures, 'confirmFile', 'not_found', options)
    expect((await putFile(fixtures, found)).status).toBe(403)
  })
})

describe('DELETE /v1/files/{id}', () => {
  test('200: the file is deleted and removed from its case', async () => {
    const { id: theCase } = await queuedCase(fixtures)
    const { id } = await attachFile(fixtures, { case: theCase })
    const other = await attachFile(fixtures, { case: theCase })
    const { answer, lines } = await eventsOf(fixtures, () => invoke(fixtures, 'deleteFile', { id }))
    expect([answer.text, lines]).toEqual([`{"id":"${id}","deleted":true}`, []])
    await expectRefused(fixtures, 'getFile', 'not_found', { id })
    await expectRefused(fixtures, 'deleteFile', 'not_found', { id })
    expect((await invokeOk(fixtures, 'getCase', { id: theCase })).files).toEqual([other.id])
  })

  test('200: a deleted reservation makes its upload URL invalid', async () => {
    const found = await reserveFile(fixtures)
    await invokeOk(fixtures, 'deleteFile', { id: found.id })
    expect((await putFile(fixtures, found)).status).toBe(403)
  })

  test('501 in live mode for every ID, before any other check', async () => {
    const options = { as: fixtures.ada.live, key: null, organization: unknownId('org') }
    const filedInLive = await attachFile(fixtures, { as: fixtures.ada.live })
    for (const id of [unknownId('file'), 'nope', filedInLive.id]) {
      await expectRefused(fixtures, 'deleteFile', 'live_not_available', { ...options, id })
    }
  })
})
