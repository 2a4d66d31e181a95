// An export from the call to the last byte: the job, the bundle, and their end.

import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { isId } from '#contract/ids.ts'
import { sql } from '#database/sql.ts'
import { ask, queuedCase, must, rivera } from '../testing/call.ts'
import { type Fixtures, openFixtures } from '../testing/fixtures.ts'
import { attached, reserved } from '../testing/files.ts'
import { moment, unknownId, queryAsOwner, refused, told } from '../testing/assertions.ts'
import { completeExports } from './complete.ts'
import { completed, exported } from '../testing/exports.ts'

let fixtures: Fixtures
beforeAll(async () => {
  fixtures = await openFixtures()
})
afterAll(() => fixtures.close())
afterEach(() => expect(fixtures.errors).toEqual([]))

/** A patient with one of everything, and with what must stay out of a bundle beside it. */
async function whole(as: string) {
  const caseBody = await queuedCase(fixtures, as)
  const { patient, id: theCase } = caseBody
  const file = await attached(fixtures, { as, case: theCase })
  await reserved(fixtures, { as, patient })
  await attached(fixtures, { as, case: (await queuedCase(fixtures, as)).id })
  return { ...caseBody, theCase, file }
}

const idsOf = (list: { id: string }[]) => list.map(one => one.id)

describe('in test', () => {
  test('201 pending, completed by the worker, and downloaded', async () => {
    const { patient, theCase, telehealth, privacy, file } = await whole(fixtures.ada.test)
    const approved = await must(fixtures, 'decideCase', {
      id: theCase,
      body: { decision: 'approve' },
    })
    const { answer, lines } = await told(fixtures, () =>
      ask(fixtures, 'createExport', { id: patient }),
    )
    const { id } = answer.body
    const pending = { id, status: 'pending', url: null, expires_at: null }
    expect([answer.status, lines]).toEqual([201, []])
    expect(answer.text).toBe(JSON.stringify(pending))
    expect(isId('exp', id)).toBe(true)
    expect(answer.headers['location']).toBe(`/v1/exports/${id}`)
    expect(await must(fixtures, 'getExport', { id })).toEqual(pending)
    const early = await refused(fixtures, 'downloadExport', 'export_not_ready', { id })
    expect(early.headers).toMatchObject({ 'retry-after': '1' })
    expect(early.body.members).toEqual({ current_status: 'pending' })

    expect(await completed(fixtures)).toBeGreaterThan(0)
    const done = await must(fixtures, 'getPatientExport', { id: patient, names: { job: id } })
    const url = `http://localhost:3000/v1/exports/${id}/download`
    expect(done).toEqual({ id, status: 'completed', url, expires_at: done.expires_at })
    expect(await must(fixtures, 'getExport', { id })).toEqual(done)

    const first = await ask(fixtures, 'downloadExport', { id })
    const bundle = first.body
    expect(Date.parse(done.expires_at) - Date.parse(bundle.created_at)).toBe(86_400_000)
    expect(first.headers).toMatchObject({
      'content-disposition': `attachment; filename="export-${id}.json"`,
    })
    expect(bundle).toEqual({
      export: id,
      organization: fixtures.ada.organization,
      mode: 'test',
      created_at: bundle.created_at,
      patient: await must(fixtures, 'getPatient', { id: patient }),
      cases: [await must(fixtures, 'getCase', { id: theCase })],
      consents: (await must(fixtures, 'listConsents', { id: patient })).data,
      files: [await must(fixtures, 'getFile', { id: file.id })],
      prescriptions: (await must(fixtures, 'listPrescriptions', { id: theCase })).data,
      orders: (await must(fixtures, 'listOrders', { id: theCase })).data,
      documents: [
        { file: file.id, filename: 'license.png', mime: 'image/png', url: null, expires_at: null },
      ],
    })
    expect(bundle.created_at).toMatch(moment)
    expect(idsOf(bundle.consents)).toEqual([telehealth, privacy])
    expect(idsOf(bundle.prescriptions)).toEqual(approved.prescription_ids)
    expect(idsOf(bundle.orders)).toEqual(approved.order_ids)

    await must(fixtures, 'updatePatient', { id: patient, body: { first_name: 'Later' } })
    const second = await ask(fixtures, 'downloadExport', { id })
    expect([second.text, second.headers]).toEqual([first.text, first.headers])
  })

  test('a bundle of more than one page has each record once, in order of id', async () => {
    const { patient, telehealth, privacy } = await queuedCase(fixtures)
    await queryAsOwner(
      fixtures,
      sql`insert into test.cases (tenant, id, patient, status, status_at, consent_ids,
                 requested_medications, answers, hold, files, created_at, updated_at)
          select tenant, ulid('case', created_at + n * interval '1 ms', ${'0'.repeat(16)}), patient,
                 status, status_at, consent_ids, requested_medications, answers, hold, files,
                 created_at, updated_at
            from test.cases, generate_series(1, 450) n where patient = ${patient}`,
    )
    const { id } = await must(fixtures, 'createExport', { id: patient })
    await completed(fixtures)
    const { cases, consents } = await must(fixtures, 'downloadExport', { id })
    expect(idsOf(cases)).toEqual(idsOf(cases).toSorted())
    expect([new Set(idsOf(cases)).size, idsOf(consents)]).toEqual([451, [telehealth, privacy]])
  })

  test('many workers at once complete each job once', async () => {
    const { patient } = await queuedCase(fixtures)
    const jobs = await Promise.all(
      Array.from({ length: 6 }, () => must(fixtures, 'createExport', { id: patient })),
    )
    const counts = await Promise.all([
      completed(fixtures),
      completed(fixtures),
      completed(fixtures),
    ])
    expect(counts.reduce((all, one) => all + one, 0)).toBeGreaterThanOrEqual(jobs.length)
    for (const { id } of jobs) {
      expect((await must(fixtures, 'getExport', { id })).status).toBe('completed')
    }
    const [row] = await queryAsOwner<{ attempts: number }>(
      fixtures,
      sql`select max(attempts) as attempts from test.exports where patient = ${patient}`,
    )
    expect(row?.attempts).toBe(1)
  })

  test('a job whose worker died is taken up when its claim ends; thrice, and it has failed', async () => {
    const { patient } = await queuedCase(fixtures)
    const { id } = await must(fixtures, 'createExport', { id: patient })
    const lose = (attempts: number, due: string) =>
      queryAsOwner(
        fixtures,
        sql`update test.exports set attempts = ${attempts}::int,
                   due_at = now() + ${due}::text::interval where id = ${id}`,
      )
    await lose(1, '10 seconds')
    expect(await completed(fixtures)).toBe(0)
    await lose(3, '-1 second')
    expect(await completed(fixtures)).toBe(0)
    expect((await must(fixtures, 'getExport', { id })).status).toBe('failed')
    const { headers, body } = await refused(fixtures, 'downloadExport', 'export_not_ready', { id })
    expect([headers['retry-after'], body.members.current_status]).toEqual([undefined, 'failed'])
  })

  test('a worker that finished after its claim was lost leaves the other bundle alone', async () => {
    const { patient } = await queuedCase(fixtures)
    const { id } = await must(fixtures, 'createExport', { id: patient })
    const { workerContext } = fixtures
    const { files, base } = fixtures.context
    const { storage } = files
    const slow = {
      ...files,
      storage: {
        ...storage,
        take: async (...given: Parameters<typeof storage.take>) => {
          await queryAsOwner(fixtures, sql`update test.exports set due_at = now() where id = ${id}`)
          await completed(fixtures)
          return storage.take(...given)
        },
      },
    }
    await completeExports(workerContext, { files: slow, base })
    const [row] = await queryAsOwner<{ object: string; attempts: number }>(
      fixtures,
      sql`select object, attempts from test.exports where id = ${id}`,
    )
    expect(row?.attempts).toBe(2)
    expect((await must(fixtures, 'downloadExport', { id })).export).toBe(id)
  })
})

describe('in live', () => {
  test('201 completed at once, with a link for each document', async () => {
    const as = fixtures.ada.live
    const { patient, theCase, file } = await whole(as)
    const job = await must(fixtures, 'createExport', { as, id: patient })
    expect(job.status).toBe('completed')
    const bundle = await must(fixtures, 'downloadExport', { as, id: job.id })
    expect(bundle).toMatchObject({ export: job.id, organization: fixtures.clinic, mode: 'live' })
    expect([idsOf(bundle.cases), idsOf(bundle.files)]).toEqual([[theCase], [file.id]])
    const [document] = bundle.documents
    expect(document).toMatchObject({ file: file.id, expires_at: job.expires_at })
    expect(document.url).toMatch(/^http:\/\/localhost:3000\/documents\/[\w-]+$/)
  })
})

describe('404', () => {
  test('of another patient, another, or the other plane', async () => {
    const { id, patient } = await exported(fixtures)
    const other = await must(fixtures, 'createPatient', { body: rivera })
    const asked = { id: other.id, names: { job: id } }
    await refused(fixtures, 'getPatientExport', 'not_found', asked)
    for (const as of [fixtures.ben.test, fixtures.ada.live]) {
      for (const operation of ['getExport', 'downloadExport'] as const) {
        await refused(fixtures, operation, 'not_found', { as, id })
      }
      await refused(fixtures, 'createExport', 'not_found', { as, id: patient })
    }
    await refused(fixtures, 'createExport', 'not_found', { id: unknownId('pat') })
  })

  test('its patient was deleted, while it was pending too', async () => {
    const done = await exported(fixtures)
    await completed(fixtures)
    const pending = await must(fixtures, 'createExport', { id: done.patient })
    await must(fixtures, 'deletePatient', { id: done.patient })
    for (const id of [done.id, pending.id]) {
      await refused(fixtures, 'getExport', 'not_found', { id })
      await refused(fixtures, 'downloadExport', 'not_found', { id })
    }
    expect(await completed(fixtures)).toBe(0)
  })
})

test('410 once its day is over; the job still reads completed', async () => {
  const { id } = await exported(fixtures)
  await completed(fixtures)
  await queryAsOwner(fixtures, sql`update test.exports set expires_at = now() where id = ${id}`)
  const { body } = await refused(fixtures, 'downloadExport', 'gone', { id })
  expect(body.members.expires_at).toMatch(moment)
  expect((await must(fixtures, 'getExport', { id })).status).toBe('completed')
})

test('429: the sixty-first export of an hour, in words of its own policy', async () => {
  const few = await openFixtures({ quota: 2 })
  const { id } = await must(few, 'createPatient', { body: rivera })
  await must(few, 'createExport', { id })
  await must(few, 'createExport', { id })
  const { body, headers } = await ask(few, 'createExport', { id })
  expect(body.detail).toStartWith('The limit of 60 exports per 3600 seconds is used up.')
  expect(Number(headers['retry-after'])).toBeGreaterThan(3000)
  await must(few, 'getPatient', { id })
  await few.close()
})
