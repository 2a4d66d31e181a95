// In live mode, a deleted patient disappears for the integration, and the clinic keeps its record.

import { expect, test } from 'bun:test'
import type { OperationId } from '#contract/api.ts'
import { sql } from '#database/sql.ts'
import { deleteExpiredRows } from '../files/cleanup.ts'
import { expectRefused, queryAsOwner } from '../testing/assertions.ts'
import { invoke, invokeOk, queuedCase, rivera } from '../testing/call.ts'
import { attachFile } from '../testing/files.ts'
import { useFixtures } from '../testing/fixtures.ts'

const fixtures = useFixtures()

test('deletePatient in live mode: 404 for the integration, kept for the clinic', async () => {
  const as = fixtures.ada.live
  const body = { ...rivera, external_id: 'mine-1' }
  const { id } = await invokeOk(fixtures, 'createPatient', { as, body, key: 'then-deleted' })
  await invokeOk(fixtures, 'deletePatient', { as, id })
  const rows = await queryAsOwner(
    fixtures,
    sql`select external_id, first_name, email, deleted_at is not null as deleted
          from live.patients where id = ${id}`,
  )
  expect(rows).toEqual([
    {
      external_id: 'mine-1',
      first_name: rivera.first_name,
      email: rivera.email,
      deleted: true,
    },
  ])
  const reads: OperationId[] = ['getPatient', 'listConsents', 'getPatientExport']
  for (const operation of reads) {
    await expectRefused(fixtures, operation, 'not_found', { as, id })
  }
  await expectRefused(fixtures, 'updatePatient', 'not_found', {
    as,
    id,
    body: { first_name: 'Bea' },
  })
  const listed = await invokeOk(fixtures, 'listPatients', { as })
  expect(listed.data).toEqual([])
  const replay = await invoke(fixtures, 'createPatient', { as, body, key: 'then-deleted' })
  expect(replay.text).toBe(`{"id":"${id}","deleted":true}`)
})

test('deletePatient in live mode: cases are withdrawn and stay readable, documents stay with the clinic', async () => {
  const as = fixtures.ada.live
  const { id, patient } = await queuedCase(fixtures, as)
  const { id: file } = await attachFile(fixtures, { as, case: id })
  await invokeOk(fixtures, 'deletePatient', { as, id: patient })
  await deleteExpiredRows({ ...fixtures.workerContext, stopping: new AbortController().signal })
  expect((await invokeOk(fixtures, 'getCase', { as, id })).status).toBe('withdrawn')
  await expectRefused(fixtures, 'getFile', 'not_found', { as, id: file })
  const kept = await queryAsOwner(
    fixtures,
    sql`select id, status from live.files where patient = ${patient}`,
  )
  expect(kept).toEqual([{ id: file, status: 'attached' }])
})
