// The life of a file, as an integrator meets it: reserve, send, confirm, read, delete.

import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { isId } from '#contract/ids.ts'
import { limits } from '#contract/limits.ts'
import { sql } from '#database/sql.ts'
import { ask, queuedCase, must, rivera } from '../testing/call.ts'
import { type Fixtures, openFixtures } from '../testing/fixtures.ts'
import {
  expectFaults,
  moment,
  unknownId,
  queryAsOwner,
  refused,
  told,
} from '../testing/assertions.ts'
import { attached, naming, photo, put, reserved, sent } from '../testing/files.ts'

let fixtures: Fixtures
beforeAll(async () => {
  fixtures = await openFixtures()
})
afterAll(() => fixtures.close())
afterEach(() => expect(fixtures.errors).toEqual([]))

/** Lets the hour of a reservation pass. */
const end = (id: string) =>
  queryAsOwner(fixtures, sql`update test.files set expires_at = now() where id = ${id}`)

describe('POST /v1/files', () => {
  test('201: answers where the bytes go, what must be sent with them and until when', async () => {
    const { patient, id: theCase } = await queuedCase(fixtures)
    const body = { patient, case: theCase, kind: 'photo_id', filename: 'a b é.png' }
    const sized = { ...body, mime: 'image/png', size_bytes: 70 }
    const { answer, lines } = await told(fixtures, () =>
      ask(fixtures, 'createFile', { body: sized }),
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
    expect(created_at).toMatch(moment)
    expect(Date.parse(expires_at) - Date.parse(created_at)).toBe(3_600_000)
    expect(upload_url).toMatch(/^http:\/\/localhost:3000\/uploads\/[\w-]+$/)
    expect(await must(fixtures, 'getFile', { id })).toEqual({
      id,
      ...body,
      mime: 'image/png',
      size_bytes: null,
      status: 'reserved',
      attached_at: null,
      created_at,
    })
  })

  test('400: patient, and all else that it names or says wrongly', async () => {
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
      ['#/size_bytes', 'too_large', { size_bytes: limits.fileBytesMax + 1 }],
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
    for (const as of [fixtures.ben.test, fixtures.ada.live]) {
      const found = await expectFaults(fixtures, 'createFile', { as, body: given })
      expect(found).toEqual([['#/patient', 'unknown_reference']])
    }
  })

  test('409: a case that is cancelled or withdrawn takes no files; any other does', async () => {
    for (const closing of ['cancelCase', 'withdrawCase'] as const) {
      const { id, patient } = await queuedCase(fixtures)
      const { status } = await must(fixtures, closing, { id })
      const body = { patient, case: id, mime: 'image/png' }
      const { body: said } = await refused(fixtures, 'createFile', 'invalid_transition', { body })
      expect(said.members).toMatchObject({ resource: { type: 'case', id }, current_status: status })
    }
    const { id } = await queuedCase(fixtures)
    const decline = { decision: 'decline', reason: 'No.' }
    await must(fixtures, 'decideCase', { id, body: decline })
    expect((await reserved(fixtures, { case: id })).id).toStartWith('file_')
  })
})

describe('POST /v1/files/{id}/confirm', () => {
  test('200: the file joins its case, under the id that it has, and says so once', async () => {
    const { id: theCase } = await queuedCase(fixtures)
    const found = await reserved(fixtures, { case: theCase })
    await sent(fixtures, found)
    const { id, patient } = found
    expect((await must(fixtures, 'getFile', { id })).size_bytes).toBe(photo.length)
    const before = await must(fixtures, 'getCase', { id: theCase })
    expect(before.files).toEqual([])
    const { answer, lines } = await told(fixtures, () =>
      must(fixtures, 'confirmFile', { id, body: naming(patient) }),
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
    expect(answer.attached_at).toMatch(moment)
    expect(await must(fixtures, 'getFile', { id })).toEqual(answer)
    const after = await must(fixtures, 'getCase', { id: theCase })
    expect(after).toEqual({ ...before, files: [id], updated_at: answer.attached_at })
  })

  test('200: in test nobody looks for the bytes', async () => {
    const { id, patient } = await reserved(fixtures)
    const file = await must(fixtures, 'confirmFile', { id, body: naming(patient) })
    expect([file.id, file.size_bytes, file.status]).toEqual([id, null, 'attached'])
  })

  test('400: patient, kind and filename are required, and patient is the reservation’s', async () => {
    const { id, patient } = await reserved(fixtures)
    for (const name of ['patient', 'kind', 'filename']) {
      const body = Object.fromEntries(Object.entries(naming(patient)).filter(([k]) => k !== name))
      expect(await expectFaults(fixtures, 'confirmFile', { id, body })).toEqual([
        [`#/${name}`, 'required'],
      ])
    }
    const { id: other } = await must(fixtures, 'createPatient', { body: rivera })
    for (const somebody of [other, unknownId('pat')]) {
      const found = await expectFaults(fixtures, 'confirmFile', { id, body: naming(somebody) })
      expect(found).toEqual([['#/patient', 'mismatch']])
    }
  })

  test('409: twice', async () => {
    const { id, patient } = await attached(fixtures)
    const asked = { id, body: naming(patient) }
    const { body } = await refused(fixtures, 'confirmFile', 'invalid_transition', asked)
    expect(body.members).toEqual({
      resource: { type: 'file', id },
      current_status: 'attached',
      allowed_from: ['reserved'],
    })
  })

  test('409: its case was withdrawn meanwhile', async () => {
    const { id: theCase } = await queuedCase(fixtures)
    const { id, patient } = await reserved(fixtures, { case: theCase })
    await must(fixtures, 'withdrawCase', { id: theCase })
    await refused(fixtures, 'confirmFile', 'invalid_transition', { id, body: naming(patient) })
  })

  test('400: the fifty-first file of a case', async () => {
    const { id: theCase } = await queuedCase(fixtures)
    const { id, patient } = await reserved(fixtures, { case: theCase })
    const fifty = Array.from({ length: 50 }, () => unknownId('file'))
    await queryAsOwner(
      fixtures,
      sql`update test.cases set files = ${fifty}::text[] where id = ${theCase}`,
    )
    const found = await expectFaults(fixtures, 'confirmFile', { id, body: naming(patient) })
    expect(found).toEqual([['#', 'too_many']])
    const body = { patient, case: theCase, mime: 'image/png' }
    expect(await expectFaults(fixtures, 'createFile', { body })).toEqual([['#/case', 'too_many']])
  })

  test('404: its hour is over, and so is its URL', async () => {
    const found = await reserved(fixtures)
    await end(found.id)
    await refused(fixtures, 'getFile', 'not_found', { id: found.id })
    const asked = { id: found.id, body: naming(found.patient) }
    await refused(fixtures, 'confirmFile', 'not_found', asked)
    expect((await put(fixtures, found)).status).toBe(403)
  })
})

describe('DELETE /v1/files/{id}', () => {
  test('200: gone, and out of its case', async () => {
    const { id: theCase } = await queuedCase(fixtures)
    const { id } = await attached(fixtures, { case: theCase })
    const other = await attached(fixtures, { case: theCase })
    const { answer, lines } = await told(fixtures, () => ask(fixtures, 'deleteFile', { id }))
    expect([answer.text, lines]).toEqual([`{"id":"${id}","deleted":true}`, []])
    await refused(fixtures, 'getFile', 'not_found', { id })
    await refused(fixtures, 'deleteFile', 'not_found', { id })
    expect((await must(fixtures, 'getCase', { id: theCase })).files).toEqual([other.id])
  })

  test('200: a reservation, whose URL dies with it', async () => {
    const found = await reserved(fixtures)
    await must(fixtures, 'deleteFile', { id: found.id })
    expect((await put(fixtures, found)).status).toBe(403)
  })

  test('501 in live, for every id, before anything else is asked', async () => {
    const asked = { as: fixtures.ada.live, key: null, organization: unknownId('org') }
    const filedInLive = await attached(fixtures, { as: fixtures.ada.live })
    for (const id of [unknownId('file'), 'nope', filedInLive.id]) {
      await refused(fixtures, 'deleteFile', 'live_not_available', { ...asked, id })
    }
  })
})
