// Uploads, links and jobs of files wait for each of their statements before they send the next one,
// and have given back every connection when they end.

import { afterEach, expect, test } from 'bun:test'
import { invokeOk } from '../testing/call.ts'
import { requestExport } from '../testing/exports.ts'
import { attachFile, photo, putFile, reserveFile, scanAll } from '../testing/files.ts'
import { type Fixtures, useFixtures } from '../testing/fixtures.ts'
import { watchStatements } from '../testing/unanswered.ts'
import { deleteExpiredRows, removeDiscarded } from './cleanup.ts'
import { documentEndpoint } from './documents.ts'
import { scanFiles } from './scan.ts'
import { uploadEndpoint } from './upload.ts'

const fixtures = useFixtures()
const watch = watchStatements()
afterEach(() => {
  expect([watch.early, watch.used(), fixtures.errors]).toEqual([[], 0, []])
})

/** The context and that of a worker, with watched pools. */
function watched() {
  const { context, workerContext } = fixtures
  const watchedPools = ({ test, live }: typeof context.pools) => ({
    test: watch.of(test),
    live: watch.of(live),
  })
  return {
    context: { ...context, pools: watchedPools(context.pools) },
    worker: { ...workerContext, pools: watchedPools(workerContext.pools) },
  }
}

test('statements: uploads wait for each, whether they are kept or refused', async () => {
  const guard: Fixtures = { ...fixtures, upload: uploadEndpoint(watched().context) }
  for (const as of [fixtures.ada.test, fixtures.ada.live]) {
    const found = await reserveFile(fixtures, { as })
    const statuses = []
    for (const body of ['', photo]) statuses.push((await putFile(guard, found, { body })).status)
    expect(statuses).toEqual([400, 200])
  }
})

test('statements: links to documents wait for each', async () => {
  const as = fixtures.ada.live
  const { patient } = await attachFile(fixtures, { as })
  await scanAll(fixtures)
  const { id } = await invokeOk(fixtures, 'createExport', { as, id: patient })
  const { documents } = await invokeOk(fixtures, 'downloadExport', { as, id })
  const { url } = documents[0]
  const open = documentEndpoint(watched().context)
  const token = url.slice(url.lastIndexOf('/') + 1)
  const reader = { id: 'req_01m7wqryjrscqnw9bcr5fpqt88', address: null }
  expect((await open(new Request(url), token, reader)).status).toBe(200)
})

test('statements: the scan and the cleanup wait for each', async () => {
  const { context, worker } = watched()
  const { patient } = await requestExport(fixtures, fixtures.ada.live)
  expect(await scanFiles(worker, context.files, null)).toBeGreaterThan(0)
  expect(watch.used()).toBe(0)
  await invokeOk(fixtures, 'deletePatient', { as: fixtures.ada.live, id: patient })
  expect(await removeDiscarded(worker, context.files.storage)).toBeGreaterThan(0)
  expect(watch.used()).toBe(0)
  await deleteExpiredRows(worker)
})
