// The clinic's bulk exports, and who sees that a file was downloaded.

import { expect, test } from 'bun:test'
import { sql } from '#database/sql.ts'
import { queryAsOwner } from '../testing/assertions.ts'
import { invoke, invokeOk, queuedCase, rivera } from '../testing/call.ts'
import { bulkExported, writeBulkFiles } from '../testing/exports.ts'
import { useFixtures } from '../testing/fixtures.ts'
import { useConsole } from '../testing/staff.ts'

const fixtures = useFixtures()
const staff = useConsole(fixtures)

const textOf = async (bytes?: { open(): Promise<Blob | ReadableStream> }) =>
  bytes === undefined ? '' : new Response(await bytes.open()).text()

test('a clinic exports all of an integration’s patients, including those the integration deleted', async () => {
  const { ada, ben } = fixtures
  const { patient } = await queuedCase(fixtures, ada.live)
  const { id: deleted } = await invokeOk(fixtures, 'createPatient', {
    as: ada.live,
    body: { ...rivera, last_name: 'Okafor' },
  })
  await invokeOk(fixtures, 'deletePatient', { as: ada.live, id: deleted })
  await queuedCase(fixtures, ben.live)
  const records = await staff.hire(['records'])
  const { files } = await bulkExported(fixtures, staff, { as: records, id: ada.integration })
  const texts = []
  for (const id of files)
    texts.push(await textOf((await staff.call('downloadBulkFile', { as: records, id })).bytes))
  const people = texts[0]
    ?.trimEnd()
    .split('\n')
    .map(line => JSON.parse(line).id)
  expect(people).toEqual([patient.replace('_', '-'), deleted.replace('_', '-')])

  // The integration's own export omits deleted patients, and the integration can't see the clinic's
  // export.
  const { id } = await invokeOk(fixtures, 'exportFhirPatients', { as: ada.live })
  await writeBulkFiles(fixtures)
  const { files: own } = await invokeOk(fixtures, 'readFhirExport', { as: ada.live, id })
  expect(own[0]).toMatchObject({ type: 'Patient', count: 1 })
  const foreign = { as: ada.live, id: files[0] ?? '' }
  expect((await invoke(fixtures, 'downloadFhirFile', foreign)).code).toBe('not_found')
  expect((await staff.call('downloadBulkFile', { as: records, id: own[0].id })).code).toBe(
    'not_found',
  )

  const downloads = async (of: string) => {
    const { data } = await staff.ok('listAccess', { as: records, id: of })
    return data
      .filter((one: { outcome: string }) => one.outcome === 'ok')
      .filter((one: { operation: string }) => one.operation.startsWith('download'))
      .map((one: Record<string, string>) => [one['operation'], one['name']])
  }
  expect(await downloads(patient)).toEqual(files.map(() => ['downloadBulkFile', records.name]))
  const { patient: later } = await queuedCase(fixtures, ada.live)
  expect(await downloads(later)).toEqual([])
  const [row] = await queryAsOwner<{ person: string }>(
    fixtures,
    sql`select person from audit.entries where action = 'startBulkExport'`,
  )
  expect(row?.person).toBe(records.person)
})
