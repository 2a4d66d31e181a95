// A PostgreSQL server may have another DateStyle and time zone. No response may depend on either.

import { beforeAll, expect, test } from 'bun:test'
import { sql } from '#database/sql.ts'
import { invoke, queuedCase, invokeOk, rivera } from '../testing/call.ts'
import { useFixtures } from '../testing/fixtures.ts'
import { queryAsOwner } from '../testing/assertions.ts'

const fixtures = useFixtures()
beforeAll(async () => {
  await queryAsOwner(
    fixtures,
    sql`do $$ begin
          execute format('alter database %I set datestyle = ''SQL, DMY''', current_database());
          execute format('alter database %I set timezone = ''America/New_York''', current_database());
        end $$`,
  )
  await fixtures.reopen()
})

test('dates and timestamps read the same under another DateStyle and time zone', async () => {
  const { id, date_of_birth } = await invokeOk(fixtures, 'createPatient', { body: rivera })
  expect(date_of_birth).toBe('1988-03-14')
  const accepted_at = '2026-07-01T00:30:00.000Z'
  const body = { kind: 'privacy', version: '1', accepted_at }
  expect(await invokeOk(fixtures, 'recordConsent', { id, body })).toMatchObject({ accepted_at })
  const patch = { date_of_birth: '1988-03-14' }
  const before = await invoke(fixtures, 'getPatient', { id })
  expect((await invoke(fixtures, 'updatePatient', { id, body: patch })).text).toBe(before.text)
})

test('a prescription expires a year later to the millisecond, even across a clock change', async () => {
  const { id } = await queuedCase(fixtures)
  // The approval is in New York's standard time, and the same time a year later is in daylight
  // saving time. The tenant's clock never goes back, so the year is far ahead.
  await queryAsOwner(fixtures, sql`update test.tenants set last = '2094-03-13 18:00:00Z'`)
  const approved = await invokeOk(fixtures, 'decideCase', { id, body: { decision: 'approve' } })
  const { created_at, expires_at } = await invokeOk(fixtures, 'getPrescription', {
    id: approved.prescription_ids[0],
  })
  expect(expires_at).toBe(created_at.replace('2094', '2095'))
})
