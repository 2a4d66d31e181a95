// Exports: creation, bundle, download and expiration.

import { afterEach, describe, expect, test } from 'bun:test'
import { isId } from '#contract/ids.ts'
import { sql } from '#database/sql.ts'
import { invoke, queuedCase, invokeOk, rivera } from '../testing/call.ts'
import { useFixtures, openFixtures } from '../testing/fixtures.ts'
import { attachFile, reserveFile } from '../testing/files.ts'
import { timestampPattern, queryAsOwner, expectRefused, eventsOf } from '../testing/assertions.ts'
import { completeExports } from './complete.ts'
import { completePending, requestExport } from '../testing/exports.ts'

const fixtures = useFixtures()
afterEach(() => expect(fixtures.errors.splice(0)).toEqual([]))

/** Creates a patient with one of each resource, and resources that must not be in the bundle. */
async function fullPatient(as: string) {
  const queued = await queuedCase(fixtures, as)
  const { patient, id: theCase } = queued
  const file = await attachFile(fixtures, { as, case: theCase })
  await reserveFile(fixtures, { as, patient })
  await attachFile(fixtures, { as, case: (await queuedCase(fixtures, as)).id })
  return { ...queued, theCase, file }
}

const idsOf = (list: { id: string }[]) => list.map(one => one.id)

describe('exports in test mode', () => {
  test('201: an export is pending, is completed by the worker and can be downloaded', async () => {
    const { patient, theCase, telehealth, privacy, file } = await fullPatient(fixtures.ada.test)
    const approved = await invokeOk(fixtures, 'decideCase', {
      id: theCase,
      body: { decision: 'approve' },
    })
    const { answer, lines } = await eventsOf(fixtures, () =>
      invoke(fixtures, 'createExport', { id: patient }),
    )
    const { id } = answer.body
    const pending = { id, status: 'pending', url: null, expires_at: null }
    expect([answer.status, lines]).toEqual([201, []])
    expect(answer.text).toBe(JSON.stringify(pending))
    expect(isId('exp', id)).toBe(true)
    expect(answer.headers['location']).toBe(`/v1/exports/${id}`)
    expect(await invokeOk(fixtures, 'getExport', { id })).toEqual(pending)
    const early = await expectRefused(fixtures, 'downloadExport', 'export_not_ready', { id })
    expect(early.headers).toMatchObject({ 'retry-after': '1' })
    expect(early.body.members).toEqual({ current_status: 'pending' })

    expect(await completePending(fixtures)).toBeGreaterThan(0)
    const done = await invokeOk(fixtures, 'getPatientExport', { id: patient, names: { job: id } })
    const url = `http://localhost:3000/v1/exports/${id}/download`
    expect(done).toEqual({ id, status: 'completed', url, expires_at: done.expires_at })
    expect(await invokeOk(fixtures, 'getExport', { id })).toEqual(done)

    const first = await invoke(fixtures, 'downloadExport', { id })
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
      patient: await invokeOk(fixtures, 'getPatient', { id: patient }),
      cases: [await invokeOk(fixtures, 'getCase', { id: theCase })],
      consents: (await invokeOk(fixtures, 'listConsents', { id: patient })).data,
      files: [await invokeOk(fixtures, 'getFile', { id: file.id })],
      prescriptions: (await invokeOk(fixtures, 'listPrescriptions', { id: theCase })).data,
      orders: (await invokeOk(fixtures, 'listOrders', { id: theCase })).data,
      documents: [
        { file: file.id, filename: 'license.png', mime: 'image/png', url: null, expires_at: null },
      ],
    })
    expect(bundle.created_at).toMatch(timestampPattern)
    expect(idsOf(bundle.consents)).toEqual([telehealth, privacy])
    expect(idsOf(bundle.prescriptions)).toEqual(approved.prescription_ids)
    expect(idsOf(bundle.orders)).toEqual(approved.order_ids)

    await invokeOk(fixtures, 'updatePatient', { id: patient, body: { first_name: 'Later' } })
    const second = await invoke(fixtures, 'downloadExport', { id })
    expect([second.text, second.headers]).toEqual([first.text, first.headers])
  })

  test('a bundle of several database pages has each record once, in ID order', async () => {
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
    const { id } = await invokeOk(fixtures, 'createExport', { id: patient })
    await completePending(fixtures)
    const { cases, consents } = await invokeOk(fixtures, 'downloadExport', { id })
    expect(idsOf(cases)).toEqual(idsOf(cases).toSorted())
    expect([new Set(idsOf(cases)).size, idsOf(consents)]).toEqual([451, [telehealth, privacy]])
  })

  test('concurrent workers complete each export once', async () => {
    const { patient } = await queuedCase(fixtures)
    const jobs = await Promise.all(
      Array.from({ length: 6 }, () => invokeOk(fixtures, 'createExport', { id: patient })),
    )
    const counts = await Promise.all([
      completePending(fixtures),
      completePending(fixtures),
      completePending(fixtures),
    ])
    expect(counts.reduce((all, one) => all + one, 0)).toBeGreaterThanOrEqual(jobs.length)
    for (const { id } of jobs) {
      expect((await invokeOk(fixtures, 'getExport', { id })).status).toBe('completed')
    }
    const [row] = await queryAsOwner<{ attempts: number }>(
      fixtures,
      sql`select max(attempts) as attempts from test.exports where patient = ${patient}`,
    )
    expect(row?.attempts).toBe(1)
  })

  test('an export whose worker died is retried when its claim expires, and fails after three claims', async () => {
    const { patient } = await queuedCase(fixtures)
    const { id } = await invokeOk(fixtures, 'createExport', { id: patient })
    const lose = (attempts: number, due: string) =>
      queryAsOwner(
        fixtures,
        sql`update test.exports set attempts = ${attempts}::int,
                   due_at = now() + ${due}::text::interval where id = ${id}`,
      )
    await lose(1, '10 seconds')
    expect(await completePending(fixtures)).toBe(0)
    await lose(3, '-1 second')
    expect(await completePending(fixtures)).toBe(0)
    expect((await invokeOk(fixtures, 'getExport', { id })).status).toBe('failed')
    const { headers, body } = await expectRefused(fixtures, 'downloadExport', 'export_not_ready', {
      id,
    })
    expect([headers['retry-after'], body.members.current_status]).toEqual([undefined, 'failed'])
  })

  test('a worker that finishes after its claim expired doesn’t replace the other worker’s bundle', async () => {
    const { patient } = await queuedCase(fixtures)
    const { id } = await invokeOk(fixtures, 'createExport', { id: patient })
    const { workerContext } = fixtures
    const { files, base } = fixtures.context
    const { storage } = files
    const slow = {
      ...files,
      storage: {
        ...storage,
        store: async (...args: Parameters<typeof storage.store>) => {
          await queryAsOwner(fixtures, sql`update test.exports set due_at = now() where id = ${id}`)
          await completePending(fixtures)
          return storage.store(...args)
        },
      },
    }
    await completeExports(workerContext, { files: slow, base })
    const [row] = await queryAsOwner<{ object: string; attempts: number }>(
      fixtures,
      sql`select object, attempts from test.exports where id = ${id}`,
    )
    expect(row?.attempts).toBe(2)
    expect((await invokeOk(fixtures, 'downloadExport', { id })).export).toBe(id)
  })
})

describe('exports in live mode', () => {
  test('201: an export is completed immediately, with a link for each document', async () => {
    const as = fixtures.ada.live
    const { patient, theCase, file } = await fullPatient(as)
    const job = await invokeOk(fixtures, 'createExport', { as, id: patient })
    expect(job.status).toBe('completed')
    const bundle = await invokeOk(fixtures, 'downloadExport', { as, id: job.id })
    expect(bundle).toMatchObject({ export: job.id, organization: fixtures.clinic, mode: 'live' })
    expect([idsOf(bundle.cases), idsOf(bundle.files)]).toEqual([[theCase], [file.id]])
    const [document] = bundle.documents
    expect(document).toMatchObject({ file: file.id, expires_at: job.expires_at })
    expect(document.url).toMatch(/^http:\/\/localhost:3000\/documents\/[\w-]+$/)
  })
})

describe('exports 404', () => {
  test('an export from another patient', async () => {
    const { id } = await requestExport(fixtures)
    const other = await invokeOk(fixtures, 'createPatient', { body: rivera })
    const options = { id: other.id, names: { job: id } }
    await expectRefused(fixtures, 'getPatientExport', 'not_found', options)
  })

  test('an export whose patient was deleted, even if it was still pending', async () => {
    const done = await requestExport(fixtures)
    await completePending(fixtures)
    const pending = await invokeOk(fixtures, 'createExport', { id: done.patient })
    await invokeOk(fixtures, 'deletePatient', { id: done.patient })
    for (const id of [done.id, pending.id]) {
      await expectRefused(fixtures, 'getExport', 'not_found', { id })
      await expectRefused(fixtures, 'downloadExport', 'not_found', { id })
    }
    expect(await completePending(fixtures)).toBe(0)
  })
})

test('downloadExport 410 after 24 hours; the export still reads completed', async () => {
  const { id } = await requestExport(fixtures)
  await completePending(fixtures)
  await queryAsOwner(
    fixtures,
    sql`update test.exports set expires_at = now() - interval '1 ms' where id = ${id}`,
  )
  const { body } = await expectRefused(fixtures, 'downloadExport', 'gone', { id })
  expect(body.members.expires_at).toMatch(timestampPattern)
  expect((await invokeOk(fixtures, 'getExport', { id })).status).toBe('completed')
})

test('createExport 429 names the exports policy', async () => {
  const few = await openFixtures({ quota: 2 })
  const { id } = await invokeOk(few, 'createPatient', { body: rivera })
  await invokeOk(few, 'createExport', { id })
  await invokeOk(few, 'createExport', { id })
  const { body, headers } = await invoke(few, 'createExport', { id })
  expect(body.detail).toStartWith('The limit of 60 exports per 3600 seconds was reached.')
  expect(Number(headers['retry-after'])).toBeGreaterThan(3000)
  await invokeOk(few, 'getPatient', { id })
  await few.close()
})
