// A bulk export of many files: killed workers, queued exports, and a third-party client.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import path from 'node:path'
import { MedplumClient } from '@medplum/core'
import { queryAsOwner } from '#clinical/testing/assertions.ts'
import { bulkLimits } from '#contract/fhir/bulk.ts'
import { sql } from '#database/sql.ts'
import { until } from '#http/testing/until.ts'
import { base, bulkClient, locationOf, type Manifest } from '../testing/bulk.ts'
import { openFhir, type Resource } from '../testing/fhir.ts'

let fhir: Awaited<ReturnType<typeof openFhir>>
beforeAll(async () => {
  fhir = await openFhir()
}, 60_000)
afterEach(async () => {
  const { fixtures } = fhir.gateway
  expect(fixtures.errors).toEqual([])
  await queryAsOwner(fixtures, sql`update test.bulk_exports set status = 'deleted'`)
})
afterAll(() => fhir.gateway.close())

const { call, kickOff, work } = bulkClient(() => fhir.gateway)

describe('fhir: a large export', () => {
  const people = 2 * bulkLimits.rowsPerFile + 500

  /** Adds copies of the patient. */
  async function populate() {
    const { fixtures } = fhir.gateway
    await queryAsOwner(
      fixtures,
      sql`insert into test.patients (tenant, id, first_name, last_name, date_of_birth, sex_at_birth,
                                     email, phone, address, created_at, updated_at)
          select tenant, ulid('pat', created_at - n * interval '1 ms', ${'0'.repeat(16)}), first_name,
                 last_name, date_of_birth, sex_at_birth, email, phone, address, created_at, updated_at
            from test.patients p, generate_series(1, ${people}::int) n
           where id = ${fhir.record.patient}`,
    )
  }

  const due = () =>
    queryAsOwner(fhir.gateway.fixtures, sql`update test.bulk_exports set due_at = now()`)

  /** Writes files like a worker, but blocks before storing the second file until it's killed. */
  const program = `
    import { writeFiles } from '#clinical/fhir/bulk/job.ts'
    import { openStorage } from '#clinical/storage/open.ts'
    import { openPool } from '#database/pool.ts'
    import { until } from '#http/testing/until.ts'
    const { url, folder, base } = await Bun.stdin.json()
    const pool = openPool({ url, size: 1, name: 'crashing', path: 'test, public' })
    let n = 0
    const fresh = () => String(n++).padStart(16, '0')
    const storage = openStorage({ folder }, () => 0, fresh)
    const store = (...given) =>
      n < 6 ? storage.store(...given) : (console.log('storing'), new Promise(() => {}))
    const stopping = new AbortController().signal
    const work = () =>
      writeFiles({ pools: { test: pool, live: pool }, fresh, stopping }, 'test',
                 { files: { storage: { ...storage, store } }, base })
    await until(async () => (await work()) < 0)`

  test('continues where a killed worker stopped: each patient once, however many files', async () => {
    await populate()
    const { fixtures } = fhir.gateway
    const started = await kickOff('?_type=Patient')
    const child = Bun.spawn([process.execPath, '-e', program], {
      cwd: path.join(import.meta.dir, '../..'),
      stdin: 'pipe',
      stdout: 'pipe',
    })
    const url = fixtures.database.urls.worker_test
    await child.stdin.write(JSON.stringify({ url, folder: fixtures.folder, base }))
    await child.stdin.end()
    const { value } = await child.stdout.getReader().read()
    expect(new TextDecoder().decode(value)).toBe('storing\n')
    child.kill('SIGKILL')
    await child.exited
    const progress = async () => (await call(locationOf(started))).headers.get('x-progress')
    expect(await progress()).toBe(`${bulkLimits.rowsPerFile} resources in 1 files`)
    // At first, the killed worker's claim hasn't expired. After it expires, two workers find the
    // export.
    expect(await work()).toBe(0)
    await until(async () => {
      await due()
      await Promise.all([work(), work()])
      return (await call(locationOf(started))).status !== 202
    })
    const { output } = (await (await call(locationOf(started))).json()) as Manifest
    expect(output.map(({ count }) => count)).toEqual([
      bulkLimits.rowsPerFile,
      bulkLimits.rowsPerFile,
      501,
    ])
    const ids = new Set<string>()
    for (const { url } of output)
      for (const line of (await (await call(url)).text()).trimEnd().split('\n'))
        ids.add((JSON.parse(line) as Resource).id)
    expect(ids.size).toBe(people + 1)
  }, 60_000)

  test('lets another integration’s small export finish first', async () => {
    const { ben } = fhir.gateway.fixtures
    await kickOff('?_type=Patient')
    const small = await kickOff('', { as: ben.test })
    await work()
    expect((await call(locationOf(small), { as: ben.test })).status).toBe(200)
  })
})

test('fhir: @medplum/core exports, unmodified', async () => {
  const { gateway } = fhir
  const port = `http://localhost:${gateway.port}`
  const medplum = new MedplumClient({
    baseUrl: `${port}/`,
    fhirUrlPath: 'preview/fhir',
    // The fixtures' public origin isn't the port they listen on.
    fetch: (url: string, init: RequestInit) => fetch(url.replace(base, port), init),
    accessToken: gateway.fixtures.ada.test,
  })
  const polls = { pollStatusOnAccepted: true, pollStatusPeriod: 50 }
  const exporting = medplum.bulkExport('Patient', 'Consent', undefined, polls)
  // The client polls until the worker has written the file.
  await until(async () => (await work()) > 0)
  const { output } = (await exporting) as Manifest
  expect(output.map(({ type }) => type)).toEqual(['Consent'])
})
