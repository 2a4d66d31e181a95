// A refused read's audit row records the refusal, with the response's status and code.

import { expect, test } from 'bun:test'
import { sql } from '#database/sql.ts'
import { queryAsOwner, unknownId } from '../testing/assertions.ts'
import { invoke, type CallOptions } from '../testing/call.ts'
import { completePending, requestExport } from '../testing/exports.ts'
import { useFixtures } from '../testing/fixtures.ts'
import { auditRowsOf } from '../testing/sweep.ts'
import type { CallableId } from '#contract/callable.ts'

const fixtures = useFixtures()

const pendingExport = async () => ({ id: (await requestExport(fixtures)).id })
const expiredExport = async () => {
  const { id } = await requestExport(fixtures)
  await completePending(fixtures)
  await queryAsOwner(
    fixtures,
    sql`update test.exports set expires_at = now() - interval '1 ms' where id = ${id}`,
  )
  return { id }
}

const refused: [string, CallableId, number, string, () => Promise<CallOptions> | CallOptions][] = [
  ['a row', 'getPatient', 404, 'not_found', () => ({ id: unknownId('pat') })],
  ['a constant', 'getMedication', 404, 'not_found', () => ({ id: unknownId('med') })],
  ['a list of what is unknown', 'listConsents', 404, 'not_found', () => ({ id: unknownId('pat') })],
  ['what no id can name', 'getPatient', 404, 'not_found', () => ({ id: 'pat_nope\0' })],
  [
    'a file of an unknown row',
    'downloadExport',
    404,
    'not_found',
    () => ({ id: unknownId('exp') }),
  ],
  ['a file that is not ready', 'downloadExport', 409, 'export_not_ready', pendingExport],
  ['a file that has ended', 'downloadExport', 410, 'gone', expiredExport],
]
test.each(refused)(
  'audit: the refused read of %s (%s)',
  async (_, operation, status, code, make) => {
    const options = await make()
    const { answer, rows } = await auditRowsOf(fixtures, () => invoke(fixtures, operation, options))
    expect([answer.status, answer.code as string]).toEqual([status, code])
    expect(rows).toMatchObject([{ action: operation, outcome: 'refused', status, code }])
  },
)
