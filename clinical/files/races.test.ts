// Files beside everything else that moves: cases that take them, patients that are deleted, and
// calls that come at the same time.

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
  test('201: the case takes attached files that have no case yet', async () => {
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

  test('400: a reservation, a file of another patient, or of another', async () => {
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

  test('of two cases filed at once with one file, one gets it', async () => {
    const agreed = await consentedPatient(fixtures)
    const { id } = await attached(fixtures, { patient: agreed.patient })
    const body = caseBody(agreed, { files: [id] })
    const both = await Promise.all([0, 1].map(() => ask(fixtures, 'createCase', { body })))
    expect(both.map(one => one.status).toSorted()).toEqual([201, 400])
    const winner = both.find(one => one.status === 201)
    expect((await must(fixtures, 'getFile', { id })).case).toBe(winner?.body.id)
  })
})

describe('races', () => {
  test('of many confirmations, one files it', async () => {
    const { id: theCase } = await queuedCase(fixtures)
    const { id, patient } = await reserved(fixtures, { case: theCase })
    const asked = { id, body: naming(patient) }
    const all = await Promise.all(
      Array.from({ length: 6 }, () => ask(fixtures, 'confirmFile', asked)),
    )
    expect(all.map(one => one.status).toSorted()).toEqual([200, 409, 409, 409, 409, 409])
    expect((await must(fixtures, 'getCase', { id: theCase })).files).toEqual([id])
  })

  test('a confirmation and a deletion leave the file in both places or in neither', async () => {
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

  test('whatever happens while its patient is deleted, nothing of it is left to read', async () => {
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

test('a deleted patient takes its files along, out of finished writes as well', async () => {
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

test('503: whoever has sixteen uploads under way waits, and nobody else does', async () => {
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
