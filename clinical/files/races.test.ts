// Files under concurrency: cases that they are assigned to, patients that are deleted, and
// concurrent calls.

import { afterEach, describe, expect, test } from 'bun:test'
import { sql } from '#database/sql.ts'
import { consentedPatient, invoke, queuedCase, caseBody, invokeOk } from '../testing/call.ts'
import { useFixtures } from '../testing/fixtures.ts'
import { expectFaults, unknownId, queryAsOwner, expectRefused } from '../testing/assertions.ts'
import { attachFile, confirmation, photo, putFile, reserveFile } from '../testing/files.ts'

const fixtures = useFixtures()
afterEach(() => expect(fixtures.errors).toEqual([]))

describe('POST /v1/cases with files', () => {
  test('201: attached files without a case are assigned to the case', async () => {
    const agreed = await consentedPatient(fixtures)
    const mine = { patient: agreed.patient }
    const [one, other] = [await attachFile(fixtures, mine), await attachFile(fixtures, mine)]
    const files = [other.id, one.id]
    const made = await invokeOk(fixtures, 'createCase', { body: caseBody(agreed, { files }) })
    expect(made.files).toEqual(files)
    for (const id of files) expect((await invokeOk(fixtures, 'getFile', { id })).case).toBe(made.id)
    const again = await expectFaults(fixtures, 'createCase', { body: caseBody(agreed, { files }) })
    expect(again).toEqual([
      ['#/files/0', 'unknown_reference'],
      ['#/files/1', 'unknown_reference'],
    ])
  })

  test('400: a reservation, a file of another patient and a file of another integration', async () => {
    const agreed = await consentedPatient(fixtures)
    const files = [
      (await reserveFile(fixtures, { patient: agreed.patient })).id,
      (await attachFile(fixtures)).id,
      (await attachFile(fixtures, { as: fixtures.ben.test })).id,
      unknownId('file'),
    ]
    const found = await expectFaults(fixtures, 'createCase', { body: caseBody(agreed, { files }) })
    expect(found).toEqual(files.map((_, at) => [`#/files/${at}`, 'unknown_reference']))
  })

  test('of two concurrent cases with the same file, one is created', async () => {
    const agreed = await consentedPatient(fixtures)
    const { id } = await attachFile(fixtures, { patient: agreed.patient })
    const body = caseBody(agreed, { files: [id] })
    const both = await Promise.all([0, 1].map(() => invoke(fixtures, 'createCase', { body })))
    expect(both.map(one => one.status).toSorted()).toEqual([201, 400])
    const winner = both.find(one => one.status === 201)
    expect((await invokeOk(fixtures, 'getFile', { id })).case).toBe(winner?.body.id)
  })
})

describe('concurrent file calls', () => {
  test('of six concurrent confirmations, one succeeds', async () => {
    const { id: theCase } = await queuedCase(fixtures)
    const { id, patient } = await reserveFile(fixtures, { case: theCase })
    const options = { id, body: confirmation(patient) }
    const all = await Promise.all(
      Array.from({ length: 6 }, () => invoke(fixtures, 'confirmFile', options)),
    )
    expect(all.map(one => one.status).toSorted()).toEqual([200, 409, 409, 409, 409, 409])
    expect((await invokeOk(fixtures, 'getCase', { id: theCase })).files).toEqual([id])
  })

  test('a confirmation and a deletion leave no id of a deleted file in the case', async () => {
    for (let round = 0; round < 8; round++) {
      const { id: theCase } = await queuedCase(fixtures)
      const { id, patient } = await reserveFile(fixtures, { case: theCase })
      const [, removed] = await Promise.all([
        invoke(fixtures, 'confirmFile', { id, body: confirmation(patient) }),
        invoke(fixtures, 'deleteFile', { id }),
      ])
      expect(removed.status).toBe(200)
      expect((await invokeOk(fixtures, 'getCase', { id: theCase })).files).toEqual([])
      expect((await invoke(fixtures, 'getFile', { id })).status).toBe(404)
    }
  })

  test('writes during the deletion of the patient leave no readable file', async () => {
    for (let round = 0; round < 6; round++) {
      const { id, patient } = await reserveFile(fixtures)
      const all = await Promise.all([
        invoke(fixtures, 'deletePatient', { id: patient }),
        invoke(fixtures, 'confirmFile', { id, body: confirmation(patient) }),
        invoke(fixtures, 'createFile', { body: { patient, mime: 'image/png' } }),
      ])
      expect(all.map(one => one.status).filter(status => status >= 500)).toEqual([])
      await expectRefused(fixtures, 'getFile', 'not_found', { id })
      const late = all[2]?.body.id
      if (typeof late === 'string')
        await expectRefused(fixtures, 'getFile', 'not_found', { id: late })
    }
  })
})

test('files: deleting the patient removes them and erases the stored answers about them', async () => {
  const found = await reserveFile(fixtures)
  const { id, patient } = found
  const options = { id, body: confirmation(patient, { filename: 'ada-rivera.png' }), key: 'once' }
  await invokeOk(fixtures, 'confirmFile', options)
  await invokeOk(fixtures, 'deletePatient', { id: patient })
  await expectRefused(fixtures, 'getFile', 'not_found', { id })
  const rows = await queryAsOwner(
    fixtures,
    sql`select 1 from test.files where patient = ${patient}`,
  )
  expect(rows).toEqual([])
  const replay = await invoke(fixtures, 'confirmFile', options)
  expect(replay.text).toBe(`{"id":"${patient}","deleted":true}`)
})

test('uploads: the seventeenth concurrent upload of a tenant gets 503; another tenant is not affected', async () => {
  const { upload } = fixtures
  const guard = { ...fixtures, upload }
  const slow = Array.from({ length: 17 }, () => Promise.withResolvers<void>())
  /** A body whose bytes are sent when `go` resolves. */
  const waiting = (go: Promise<void>) =>
    new ReadableStream<Uint8Array>({
      async pull(controller) {
        await go
        controller.enqueue(photo)
        controller.close()
      },
    })
  const mine = await Promise.all(slow.map(() => reserveFile(fixtures)))
  const under = mine.map((to, at) => {
    const go = slow[at]?.promise ?? Promise.resolve()
    return putFile(guard, to, { body: at < 16 ? waiting(go) : photo })
  })
  const refusal = await under[16]
  expect([refusal?.status, refusal?.headers.get('retry-after')]).toEqual([503, '5'])
  const bens = await reserveFile(fixtures, { as: fixtures.ben.test })
  expect((await putFile(guard, bens)).status).toBe(200)
  for (const { resolve } of slow) resolve()
  expect((await Promise.all(under.slice(0, 16))).map(one => one.status)).toEqual(
    Array.from({ length: 16 }, () => 200),
  )
  const again = await Promise.all(mine.slice(16).map(to => putFile(guard, to)))
  expect(again.map(one => one.status)).toEqual([200])
})
