// The list of who saw a patient includes every export of the patient's data and every download.

import { expect, test } from 'bun:test'
import { sql } from '#database/sql.ts'
import { deleteExpiredRows } from '../files/cleanup.ts'
import { documentEndpoint } from '../files/documents.ts'
import { queryAsOwner } from '../testing/assertions.ts'
import { invoke, invokeOk, queuedCase } from '../testing/call.ts'
import { completePending } from '../testing/exports.ts'
import { attachFile, scanAll } from '../testing/files.ts'
import { useFixtures } from '../testing/fixtures.ts'
import { useConsole } from '../testing/staff.ts'

const fixtures = useFixtures()
const staff = useConsole(fixtures)

const open = (url: string) =>
  documentEndpoint(fixtures.context)(new Request(url), url.slice(url.lastIndexOf('/') + 1), {
    id: 'req_01m7wqryjrscqnw9bcr5fpqt88',
    address: '203.0.113.9',
  })

type AccessRow = Record<'operation' | 'outcome' | 'surface', string> &
  Record<'integration' | 'address', string | null>

const accessTo = async (patient: string): Promise<AccessRow[]> => {
  const as = await staff.hire(['records'])
  return (await staff.ok('listAccess', { as, id: patient })).data
}

/** The operations that contain this word, newest first. */
const operations = async (patient: string, word: RegExp) =>
  (await accessTo(patient)).map(({ operation }) => operation).filter(one => word.test(one))

test('access: lists each download of a document through a link, allowed or not', async () => {
  const as = fixtures.ada.live
  const { id, patient } = await queuedCase(fixtures, as)
  const { patient: other } = await queuedCase(fixtures, as)
  await attachFile(fixtures, { as, case: id })
  await scanAll(fixtures)
  const { id: job } = await invokeOk(fixtures, 'createExport', { as, id: patient })
  const [{ url }] = (await invokeOk(fixtures, 'downloadExport', { as, id: job })).documents
  expect((await open(url)).status).toBe(200)
  await queryAsOwner(
    fixtures,
    sql`update live.exports set expires_at = now() - interval '1 ms' where id = ${job}`,
  )
  expect((await open(url)).status).toBe(404)
  const reads = (await accessTo(patient)).filter(one => one.operation === 'readDocument')
  const read = { surface: 'rest', integration: "Ada's brand", address: '203.0.113.9' }
  expect(reads).toMatchObject([
    { ...read, outcome: 'refused' },
    { ...read, outcome: 'ok' },
  ])
  expect(await operations(other, /Document/)).toEqual([])
})

test('access: lists an export and its download after the patient is deleted, and after thirty days', async () => {
  const as = fixtures.ada.live
  const { patient } = await queuedCase(fixtures, as)
  const { id } = await invokeOk(fixtures, 'createExport', { as, id: patient })
  await invokeOk(fixtures, 'downloadExport', { as, id })
  await invokeOk(fixtures, 'deletePatient', { as, id: patient })
  const listed = ['expireExport', 'downloadExport', 'createExport']
  await deleteExpiredRows(fixtures.workerContext)
  expect(await operations(patient, /Export/)).toEqual(listed)
  const old = sql`update live.exports set created_at = now() - interval '31 days' where id = ${id}`
  await queryAsOwner(fixtures, old)
  expect(await deleteExpiredRows(fixtures.workerContext)).toBe(0)
  expect(await operations(patient, /Export/)).toEqual(listed)
  expect((await invoke(fixtures, 'getExport', { as, id })).code).toBe('not_found')
})

test('access: lists exports of all tables and their downloads, if the patient was in them', async () => {
  const as = fixtures.ada.live
  const { patient } = await queuedCase(fixtures, as)
  const { patient: foreign } = await queuedCase(fixtures, fixtures.ben.live)
  const { id } = await invokeOk(fixtures, 'createTableExport', { as, body: {} })
  await completePending(fixtures)
  const { tables } = await invokeOk(fixtures, 'getTableExport', { as, id })
  expect((await open(tables[0].url)).status).toBe(200)
  const { patient: later } = await queuedCase(fixtures, as)
  const listed = ['readTable', 'getTableExport', 'createTableExport']
  expect(await operations(patient, /Table/)).toEqual(listed)
  expect(await operations(later, /Table/)).toEqual([])
  expect(await operations(foreign, /Table/)).toEqual([])
  await invokeOk(fixtures, 'deletePatient', { as, id: patient })
  expect(await operations(patient, /Table/)).toEqual(listed)
})
