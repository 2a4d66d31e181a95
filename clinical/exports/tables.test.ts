// Exports of all tables: their files, links, snapshots and nightly runs.

import { afterEach, describe, expect, test } from 'bun:test'
import { exportTableNames, exportTables } from '#contract/preview/table-exports.ts'
import { limits } from '#contract/limits.ts'
import { now } from '#database/clock.ts'
import { sql } from '#database/sql.ts'
import { documentEndpoint } from '../files/documents.ts'
import { queryAsOwner } from '../testing/assertions.ts'
import { type CallOptions, invoke, invokeOk, queuedCase, rivera } from '../testing/call.ts'
import { completePending } from '../testing/exports.ts'
import { attachFile } from '../testing/files.ts'
import { useFixtures } from '../testing/fixtures.ts'
import { runIntoLock } from '../testing/races.ts'
import { bookedVisit } from '../testing/visits.ts'
import { advanceBy, openClockWorker } from '../testing/sandbox-clock.ts'
import { startNightly } from './schedule.ts'

const fixtures = useFixtures()
afterEach(() => expect(fixtures.errors.splice(0)).toEqual([]))

type Manifest = {
  tables: { name: string; rows: number; size_bytes: number; sha256: string; url: string }[]
}

async function exported(options: CallOptions = {}) {
  const { as = fixtures.ada.test, body = {} } = options
  const { id } = await invokeOk(fixtures, 'createTableExport', { as, body })
  await completePending(fixtures)
  return { id: id as string, manifest: await invokeOk(fixtures, 'getTableExport', { as, id }) }
}

const open = (url: string, headers: Record<string, string> = {}) =>
  documentEndpoint(fixtures.context)(
    new Request(url, { headers }),
    url.slice(url.lastIndexOf('/') + 1),
    { id: 'req_01m7wqryjrscqnw9bcr5fpqt88', address: null },
  )

const urlOf = ({ tables }: Manifest, name: string) =>
  tables.find(table => table.name === name)?.url ?? ''

const linesOf = async (manifest: Manifest, name: string) =>
  (await (await open(urlOf(manifest, name))).text())
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line))

/** Each table's resource, as the API returns it. */
const readers = {
  patients: 'getPatient',
  files: 'getFile',
  cases: 'getCase',
  prescriptions: 'getPrescription',
  orders: 'getOrder',
  visits: 'getVisit',
} as const

/** Creates at least one row of each table. */
async function fillTables(as = fixtures.ada.test) {
  const { id } = await queuedCase(fixtures, as)
  await attachFile(fixtures, { as, case: id })
  await invokeOk(fixtures, 'createMessage', { as, id, body: { body: 'My name is Maria Rivera.' } })
  await bookedVisit(fixtures, as)
  return id
}

describe('an export of all tables', () => {
  test('has every resource as the API returns it, with counts and digests', async () => {
    const id = await fillTables()
    await invokeOk(fixtures, 'decideCase', { id, body: { decision: 'approve' } })
    const { manifest } = await exported({ body: { include_identity: true } })
    expect(manifest.tables.map(({ name }: { name: string }) => name)).toEqual(exportTableNames)
    for (const { name, rows, size_bytes, sha256, url } of manifest.tables) {
      const bytes = Buffer.from(await (await open(url)).arrayBuffer())
      const digest = new Bun.CryptoHasher('sha256').update(bytes).digest('hex')
      expect([name, bytes.length, digest]).toEqual([name, size_bytes, sha256])
      const lines = await linesOf(manifest, name)
      expect(lines.length).toBe(rows)
      expect(rows).toBeGreaterThan(0)
      const ids = lines.map(line => line.id)
      expect(ids).toEqual(ids.toSorted())
    }
    for (const [name, operation] of Object.entries(readers)) {
      for (const line of await linesOf(manifest, name))
        expect(line).toEqual(await invokeOk(fixtures, operation, { id: line.id }))
    }
    const lasts = Date.parse(manifest.expires_at) - Date.parse(manifest.as_of)
    expect(lasts).toBe(limits.exportHours * 3_600_000)
  })

  test('without identity, has state and birth year instead of names, contacts and free text', async () => {
    const as = fixtures.ben.test
    await fillTables(as)
    const { manifest } = await exported({ as })
    const text = JSON.stringify(await allLines(manifest))
    for (const secret of [rivera.first_name, rivera.email, rivera.phone, rivera.address.line1])
      expect(text).not.toContain(secret)
    for (const name of exportTableNames) {
      const fields = (await linesOf(manifest, name)).flatMap(line => Object.keys(line))
      for (const field of exportTables[name]) expect(fields).not.toContain(field)
    }
    const [patient] = await linesOf(manifest, 'patients')
    const birth_year = Number(rivera.date_of_birth.slice(0, 4))
    expect(patient).toMatchObject({ state: rivera.address.state, birth_year, status: 'active' })
  })

  test('in live mode, leaves out a deleted patient’s identity, consents and files', async () => {
    const as = fixtures.ada.live
    const { id, patient } = await queuedCase(fixtures, as)
    await attachFile(fixtures, { as, case: id })
    await invokeOk(fixtures, 'withdrawCase', { as, id })
    await invokeOk(fixtures, 'deletePatient', { as, id: patient })
    const { manifest } = await exported({ as, body: { include_identity: true } })
    for (const name of ['patients', 'consents', 'files'] as const) {
      const lines = await linesOf(manifest, name)
      expect(lines.filter(line => [line.id, line.patient].includes(patient))).toEqual([])
    }
    expect((await linesOf(manifest, 'cases')).map(line => line.id)).toContain(id)
  })

  test('is one snapshot: rows written while it’s read aren’t in any table', async () => {
    const { id: theCase } = await queuedCase(fixtures)
    const { id } = await invokeOk(fixtures, 'createTableExport', { body: {} })
    let late = ''
    await runIntoLock(
      fixtures,
      sql`lock table test.patients in access exclusive mode`,
      [() => completePending(fixtures)],
      async () => {
        const body = { body: 'Written while the patients are read.' }
        late = (await invokeOk(fixtures, 'createMessage', { id: theCase, body })).id
      },
    )
    const manifest = await invokeOk(fixtures, 'getTableExport', { id })
    expect((await linesOf(manifest, 'cases')).map(line => line.id)).toContain(theCase)
    expect((await linesOf(manifest, 'messages')).map(line => line.id)).not.toContain(late)
  })
})

async function allLines(manifest: Manifest) {
  const all = []
  for (const name of exportTableNames) all.push(...(await linesOf(manifest, name)))
  return all
}

describe('a file', () => {
  test('can be downloaded in parts', async () => {
    const { manifest } = await exported()
    const url = urlOf(manifest, 'cases')
    const whole = await open(url)
    const text = await whole.text()
    const etag = whole.headers.get('etag') ?? ''
    const size = text.length
    const part = await open(url, { range: 'bytes=10-', 'if-range': etag })
    expect([part.status, await part.text()]).toEqual([206, text.slice(10)])
    expect(part.headers.get('content-range')).toBe(`bytes 10-${size - 1}/${size}`)
    expect(await (await open(url, { range: 'bytes=0-9' })).text()).toBe(text.slice(0, 10))
    expect((await open(url, { range: `bytes=${size}-` })).status).toBe(416)
    expect((await open(url, { range: 'bytes=10-', 'if-range': '"other"' })).status).toBe(200)
  })

  test('404: an expired link, and a link to an expired export', async () => {
    const { id, manifest } = await exported()
    const url = urlOf(manifest, 'orders')
    const { tokens } = fixtures.context.files
    const named = tokens.open(url.slice(url.lastIndexOf('/') + 1))
    if (named?.kind !== 'table') throw new Error('expected a link to a table')
    const late = `http://localhost/documents/${tokens.encrypt({ ...named, expires: now() })}`
    expect((await open(late)).status).toBe(404)
    await queryAsOwner(
      fixtures,
      sql`update test.exports set expires_at = now() - interval '1 ms' where id = ${id}`,
    )
    expect((await open(url)).status).toBe(404)
    const { tables } = await invokeOk(fixtures, 'getTableExport', { id })
    expect(tables[0].url).toBeNull()
  })
})

describe('a nightly export', () => {
  const schedule = (body: object) => invokeOk(fixtures, 'setExportSchedule', { body })
  const nightly = async () =>
    (await invokeOk(fixtures, 'listTableExports')).data.filter(
      (one: { nightly: boolean }) => one.nightly,
    )

  /** Runs the worker's export jobs once. */
  const pass = async () => {
    await startNightly(fixtures.workerContext)
    await completePending(fixtures)
  }

  test('starts once when it’s due, and the next one is due the following night', async () => {
    const { next_at, ...choice } = await schedule({ nightly: true, include_identity: true })
    expect(choice).toEqual({ nightly: true, include_identity: true })
    expect(new Date(next_at).getUTCHours()).toBe(limits.nightlyExportHourUtc)
    expect(Date.parse(next_at) - now()).toBeWithin(0, 86_400_001)
    await pass()
    expect(await nightly()).toEqual([])
    await queryAsOwner(
      fixtures,
      sql`update test.export_schedules set due_at = now() - interval '1 ms'`,
    )
    await Promise.all([pass(), pass()])
    expect(await nightly()).toMatchObject([{ status: 'completed', include_identity: true }])
    expect(await invokeOk(fixtures, 'getExportSchedule')).toMatchObject({ nightly: true, next_at })
  })

  test('doesn’t start when it’s off or the clinic’s grant isn’t active', async () => {
    const before = (await nightly()).length
    await queryAsOwner(fixtures, sql`update auth.grants set status = 'revoked' where mode = 'test'`)
    await queryAsOwner(
      fixtures,
      sql`update test.export_schedules set due_at = now() - interval '1 ms'`,
    )
    await pass()
    await queryAsOwner(fixtures, sql`update auth.grants set status = 'active' where mode = 'test'`)
    expect((await nightly()).length).toBe(before)
    const off = { nightly: false, include_identity: false, next_at: null }
    expect(await schedule({ nightly: false, include_identity: true })).toEqual(off)
    expect(await invokeOk(fixtures, 'getExportSchedule')).toEqual(off)
  })
})

test('a sandbox that’s advanced three days has an export for each night, as of that night', async () => {
  const as = fixtures.ada.test
  await invokeOk(fixtures, 'resetSandbox', { as })
  await invokeOk(fixtures, 'setExportSchedule', { body: { nightly: true } })
  const worker = await openClockWorker(fixtures)
  await advanceBy(fixtures, 3 * 86_400)
  await worker.stop()
  const { data } = await invokeOk(fixtures, 'listTableExports')
  expect(data).toHaveLength(3)
  const hours = data.map((one: { as_of: string }) => new Date(one.as_of).getUTCHours())
  expect(new Set(hours)).toEqual(new Set([limits.nightlyExportHourUtc]))
})

test('a table export isn’t visible to another integration, the other mode or /v1', async () => {
  const { id } = await exported()
  for (const as of [fixtures.ben.test, fixtures.ada.live])
    expect((await invoke(fixtures, 'getTableExport', { as, id })).status).toBe(404)
  for (const operation of ['getExport', 'downloadExport'] as const)
    expect((await invoke(fixtures, operation, { id })).status).toBe(404)
})
