// Files under concurrency: cases they're assigned to, patients being deleted, and concurrent calls.

import { afterEach, describe, expect, test } from 'bun:test'
import { sql } from '#database/sql.ts'
import { consentedPatient, invoke, queuedCase, caseBody, invokeOk } from '../testing/call.ts'
import { useFixtures } from '../testing/fixtures.ts'
import { expectFaults, unknownId, queryAsOwner, expectRefused } from '../testing/assertions.ts'
import { runIntoLock } from '../testing/races.ts'
import {
  attachFile,
  confirmation,
  type FileReservation,
  photo,
  putFile,
  reserveFile,
} from '../testing/files.ts'
import { uploadKey } from '../storage/storage.ts'

// More connections than there are calls waiting for one lock.
const fixtures = useFixtures({ poolSize: 8 })
afterEach(() => expect(fixtures.errors.splice(0)).toEqual([]))

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

  test('400: a reservation, another patient’s file or another integration’s file', async () => {
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

  test('one of two concurrent cases with the same file is created', async () => {
    const agreed = await consentedPatient(fixtures)
    const { id } = await attachFile(fixtures, { patient: agreed.patient })
    const body = caseBody(agreed, { files: [id] })
    const create = () => invoke(fixtures, 'createCase', { body })
    const lock = sql`select from test.files where id = ${id} for update`
    const [first, second] = await runIntoLock(fixtures, lock, [create, create])
    expect([first?.status, second?.code]).toEqual([201, 'invalid_request'])
    expect(second?.body.errors).toMatchObject([{ pointer: '#/files/0', code: 'unknown_reference' }])
    expect((await invokeOk(fixtures, 'getFile', { id })).case).toBe(first?.body.id)
  })
})

describe('concurrent file calls', () => {
  const fileLock = (id: string) => sql`select from test.files where id = ${id} for update`

  test('one of six concurrent confirmations succeeds', async () => {
    const { id: theCase } = await queuedCase(fixtures)
    const { id, patient } = await reserveFile(fixtures, { case: theCase })
    const confirm = () => invoke(fixtures, 'confirmFile', { id, body: confirmation(patient) })
    const all = await runIntoLock(
      fixtures,
      fileLock(id),
      Array.from({ length: 6 }, () => confirm),
    )
    expect(all.map(one => one.status).toSorted()).toEqual([200, 409, 409, 409, 409, 409])
    expect((await invokeOk(fixtures, 'getCase', { id: theCase })).files).toEqual([id])
  })

  test('only one of two concurrent confirmations for a case with 49 files succeeds', async () => {
    const { id: theCase } = await queuedCase(fixtures)
    const first = await reserveFile(fixtures, { case: theCase })
    const second = await reserveFile(fixtures, { case: theCase, patient: first.patient })
    const most = Array.from({ length: 49 }, () => unknownId('file'))
    await queryAsOwner(
      fixtures,
      sql`update test.cases set files = ${most}::text[] where id = ${theCase}`,
    )
    const lock = sql`select from test.cases where id = ${theCase} for update`
    const calls = [first, second].map(
      ({ id, patient }) =>
        () =>
          invoke(fixtures, 'confirmFile', { id, body: confirmation(patient) }),
    )
    const answers = await runIntoLock(fixtures, lock, calls)
    expect(answers.map(one => one.status)).toEqual([200, 400])
    expect(answers[1]?.body.errors).toMatchObject([{ pointer: '#', code: 'too_many' }])
    expect((await invokeOk(fixtures, 'getCase', { id: theCase })).files).toHaveLength(50)
  })

  test.each([true, false])(
    'a confirmation and a deletion leave no deleted file’s ID in the case (deletion first: %p)',
    async isDeletedFirst => {
      const { id: theCase } = await queuedCase(fixtures)
      const { id, patient } = await reserveFile(fixtures, { case: theCase })
      const calls = [
        () => invoke(fixtures, 'confirmFile', { id, body: confirmation(patient) }),
        () => invoke(fixtures, 'deleteFile', { id }),
      ]
      const inOrder = isDeletedFirst ? calls.toReversed() : calls
      const answers = await runIntoLock(fixtures, fileLock(id), inOrder)
      expect(answers.map(one => one.status)).toEqual(isDeletedFirst ? [200, 404] : [200, 200])
      expect((await invokeOk(fixtures, 'getCase', { id: theCase })).files).toEqual([])
      expect((await invoke(fixtures, 'getFile', { id })).status).toBe(404)
    },
  )

  test.each([
    [true, 'of no case'],
    [false, 'of no case'],
    [true, 'of a case'],
    [false, 'of a case'],
  ])(
    'writes during the patient’s deletion leave no readable file (deletion first: %p, %s)',
    async (isDeletedFirst, place) => {
      const { id: theCase, patient } = await queuedCase(fixtures)
      const ofCase = place === 'of a case' ? { case: theCase } : {}
      const { id } = await reserveFile(fixtures, { patient, ...ofCase })
      const body = { patient, mime: 'image/png', ...ofCase }
      const calls = [
        () => invoke(fixtures, 'confirmFile', { id, body: confirmation(patient) }),
        () => invoke(fixtures, 'createFile', { body }),
        () => invoke(fixtures, 'deletePatient', { id: patient }),
      ]
      const inOrder = isDeletedFirst ? calls.toReversed() : calls
      const lock = sql`select from test.patients where id = ${patient} for update`
      const answers = await runIntoLock(fixtures, lock, inOrder)
      const statuses = isDeletedFirst ? [200, 400, 404] : [200, 201, 200]
      expect(answers.map(one => one.status)).toEqual(statuses)
      const reserved = answers[1]?.body.id ?? id
      for (const one of [id, reserved]) {
        await expectRefused(fixtures, 'getFile', 'not_found', { id: one })
      }
    },
  )
})

test('files: deleting the patient removes them and erases the stored responses about them', async () => {
  const found = await reserveFile(fixtures)
  const { id, patient } = found
  const filename = 'ada-rivera.png'
  const options = { id, body: confirmation(patient, { filename }), key: 'once' }
  await invokeOk(fixtures, 'confirmFile', options)
  const another = { body: { patient, mime: 'image/png', filename }, key: 'another' }
  await invokeOk(fixtures, 'createFile', another)
  await invokeOk(fixtures, 'deletePatient', { id: patient })
  await expectRefused(fixtures, 'getFile', 'not_found', { id })
  const rows = await queryAsOwner(
    fixtures,
    sql`select 1 from test.files where patient = ${patient}`,
  )
  expect(rows).toEqual([])
  for (const replay of [
    await invoke(fixtures, 'confirmFile', options),
    await invoke(fixtures, 'createFile', another),
  ]) {
    expect(replay.text).toBe(`{"id":"${patient}","deleted":true}`)
  }
})

const endings: [string, (found: FileReservation) => Promise<unknown>][] = [
  [
    'expires',
    ({ id }) =>
      queryAsOwner(
        fixtures,
        sql`update live.files set expires_at = now() - interval '1 second' where id = ${id}`,
      ),
  ],
  [
    'loses its patient',
    ({ patient }) => invokeOk(fixtures, 'deletePatient', { as: fixtures.ada.live, id: patient }),
  ],
]

test.each(endings)(
  'uploads: a reservation that %s during its upload keeps no bytes',
  async (_, end) => {
    const found = await reserveFile(fixtures, { as: fixtures.ada.live })
    const [row] = await queryAsOwner<{ object: string }>(
      fixtures,
      sql`select object from live.files where id = ${found.id}`,
    )
    // The body is read only once the upload has been accepted.
    const body = new ReadableStream<Uint8Array>(
      {
        async pull(controller) {
          await end(found)
          controller.enqueue(photo)
          controller.close()
        },
      },
      { highWaterMark: 0 },
    )
    expect((await putFile(fixtures, found, { body: body as BodyInit })).status).toBe(403)
    const { storage } = fixtures.context.files
    expect(await storage.stat(uploadKey('live', row?.object ?? ''))).toBeNull()
  },
)
