// Files under concurrency: cases that they are assigned to, patients that are deleted, and
// concurrent calls.

import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { sql } from '#database/sql.ts'
import { consentedPatient, ask, queuedCase, caseBody, must } from '../testing/call.ts'
import { type Fixtures, openFixtures } from '../testing/fixtures.ts'
import { expectFaults, unknownId, queryAsOwner, refused } from '../testing/assertions.ts'
import { attached, naming, photo, put, reserved } from '../testing/files.ts'

let fixtures: Fixtures
beforeAll(async () => {
  fixtures = await openFixtures()
})
afterAll(() => fixtures.close())
afterEach(() => expect(fixtures.errors).toEqual([]))

describe('POST /v1/cases with files', () => {
  test('201: attached files without a case are assigned to the case', async () => {
    const agreed = await consentedPatient(fixtures)
    const mine = { patient: agreed.patient }
    const [one, other] = [await attached(fixtures, mine), await attached(fixtures, mine)]
    const files = [other.id, one.id]
    const made = await must(fixtures, 'createCase', { body: caseBody(agreed, { files }) })
    expect(made.files).toEqual(files)
    for (const id of files) expect((await must(fixtures, 'getFile', { id })).case).toBe(made.id)
    const again = await expectFaults(fixtures, 'createCase', { body: caseBody(agreed, { files }) })
    expect(again).toEqual([
      ['#/files/0', 'unknown_reference'],
      ['#/files/1', 'unknown_reference'],
    ])
  })

  test('400: a reservation, a file of another patient and a file of another integration', async () => {
    const agreed = await consentedPatient(fixtures)
    const files = [
      (await reserved(fixtures, { patient: agreed.patient })).id,
      (await attached(fixtures)).id,
      (await attached(fixtures, { as: fixtures.ben.test })).id,
      unknownId('file'),
    ]
    const found = await expectFaults(fixtures, 'createCase', { body: caseBody(agreed, { files }) })
    expect(found).toEqual(files.map((_, at) => [`#/files/${at}`, 'unknown_reference']))
  })

  test('of two concurrent cases with the same file, one is created', async () => {
    const agreed = await consentedPatient(fixtures)
    const { id } = await attached(fixtures, { patient: agreed.patient })
    const body = caseBody(agreed, { files: [id] })
    const both = await Promise.all([0, 1].map(() => ask(fixtures, 'createCase', { body })))
    expect(both.map(one => one.status).toSorted()).toEqual([201, 400])
    const winner = both.find(one => one.status === 201)
    expect((await must(fixtures, 'getFile', { id })).case).toBe(winner?.body.id)
  })
})

describe('concurrent file calls', () => {
  test('of six concurrent confirmations, one succeeds', async () => {
    const { id: theCase } = await queuedCase(fixtures)
    const { id, patient } = await reserved(fixtures, { case: theCase })
    const asked = { id, body: naming(patient) }
    const all = await Promise.all(
      Array.from({ length: 6 }, () => ask(fixtures, 'confirmFile', asked)),
    )
    expect(all.map(one => one.status).toSorted()).toEqual([200, 409, 409, 409, 409, 409])
    expect((await must(fixtures, 'getCase', { id: theCase })).files).toEqual([id])
  })

  test('a confirmation and a deletion leave no id of a deleted file in the case', async () => {
    for (let round = 0; round < 8; round++) {
      const { id: theCase } = await queuedCase(fixtures)
      const { id, patient } = await reserved(fixtures, { case: theCase })
      const [, removed] = await Promise.all([
        ask(fixtures, 'confirmFile', { id, body: naming(patient) }),
        ask(fixtures, 'deleteFile', { id }),
      ])
      expect(removed.status).toBe(200)
      expect((await must(fixtures, 'getCase', { id: theCase })).files).toEqual([])
      expect((await ask(fixtures, 'getFile', { id })).status).toBe(404)
    }
  })

  test('writes during the deletion of the patient leave no readable file', async () => {
    for (let round = 0; round < 6; round++) {
      const { id, patient } = await reserved(fixtures)
      const all = await Promise.all([
        ask(fixtures, 'deletePatient', { id: patient }),
        ask(fixtures, 'confirmFile', { id, body: naming(patient) }),
        ask(fixtures, 'createFile', { body: { patient, mime: 'image/png' } }),
      ])
      expect(all.map(one => one.status).filter(status => status >= 500)).toEqual([])
      await refused(fixtures, 'getFile', 'not_found', { id })
      const late = all[2]?.body.id
      if (typeof late === 'string') await refused(fixtures, 'getFile', 'not_found', { id: late })
    }
  })
})

test('files: deleting the patient removes them and erases the stored answers about them', async () => {
  const found = await reserved(fixtures)
  const { id, patient } = found
  const asked = { id, body: naming(patient, { filename: 'ada-rivera.png' }), key: 'once' }
  await must(fixtures, 'confirmFile', asked)
  await must(fixtures, 'deletePatient', { id: patient })
  await refused(fixtures, 'getFile', 'not_found', { id })
  const rows = await queryAsOwner(
    fixtures,
    sql`select 1 from test.files where patient = ${patient}`,
  )
  expect(rows).toEqual([])
  const replay = await ask(fixtures, 'confirmFile', asked)
  expect(replay.text).toBe(`{"id":"${patient}","deleted":true}`)
})

test('uploads: the seventeenth concurrent upload of a tenant gets 503; another tenant is not affected', async () => {
  const { upload } = fixtures
  const guard = { ...fixtures, upload }
  const slow = Array.from({ length: 17 }, () => Promise.withResolvers<void>())
  /** A body whose one byte comes when the test says so. */
  const waiting = (go: Promise<void>) =>
    new ReadableStream<Uint8Array>({
      async pull(controller) {
        await go
        controller.enqueue(photo)
        controller.close()
      },
    })
  const mine = await Promise.all(slow.map(() => reserved(fixtures)))
  const under = mine.map((to, at) => {
    const go = slow[at]?.promise ?? Promise.resolve()
    return put(guard, to, { body: at < 16 ? waiting(go) : photo })
  })
  const refusal = await under[16]
  expect([refusal?.status, refusal?.headers.get('retry-after')]).toEqual([503, '5'])
  const bens = await reserved(fixtures, { as: fixtures.ben.test })
  expect((await put(guard, bens)).status).toBe(200)
  for (const { resolve } of slow) resolve()
  expect((await Promise.all(under.slice(0, 16))).map(one => one.status)).toEqual(
    Array.from({ length: 16 }, () => 200),
  )
  const again = await Promise.all(mine.slice(16).map(to => put(guard, to)))
  expect(again.map(one => one.status)).toEqual([200])
})
