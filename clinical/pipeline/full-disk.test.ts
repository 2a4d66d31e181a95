// Calls while the database's disk is full. A trigger refuses one table's rows with PostgreSQL's
// disk-full error; clinical/sweeps/durability.test.ts fills a real disk.

import { afterEach, expect, test } from 'bun:test'
import { unauthenticated } from '#auth/audit.ts'
import { openPool } from '#database/pool.ts'
import { sql } from '#database/sql.ts'
import { openBackgroundWriter } from '../audit/background-writer.ts'
import { queryAsOwner } from '../testing/assertions.ts'
import { invoke, invokeOk, rivera } from '../testing/call.ts'
import { useFixtures } from '../testing/fixtures.ts'

const fixtures = useFixtures({ poolSize: 1 })
const tables = {
  audit: sql`audit.entries`,
  keys: sql`test.idempotency_keys`,
  used: sql`auth.credentials`,
}

async function fillDisk(table: keyof typeof tables): Promise<void> {
  await queryAsOwner(
    fixtures,
    sql`create or replace function public.refuse_row() returns trigger language plpgsql as
        $$ begin raise exception 'No space left on device' using errcode = 'disk_full'; end $$`,
  )
  await queryAsOwner(
    fixtures,
    sql`create trigger disk_full before insert or update on ${tables[table]}
        for each row execute function public.refuse_row()`,
  )
}
async function freeDisk(): Promise<void> {
  for (const table of Object.values(tables)) {
    await queryAsOwner(fixtures, sql`drop trigger if exists disk_full on ${table}`)
  }
  await fixtures.context.auditWriter.flush()
  fixtures.errors.length = 0
}
afterEach(freeDisk)

const caller = { ...unauthenticated, mode: 'test' } as const
const auditOf = (request: string) =>
  queryAsOwner(fixtures, sql`select outcome, status from audit.entries where request = ${request}`)

test('full disk: a read succeeds, and its audit row is written once there’s room', async () => {
  const { id } = await invokeOk(fixtures, 'createPatient', { body: rivera })
  const request = 'req_of_a_read_on_a_full_disk'
  await fillDisk('audit')
  expect((await invokeOk(fixtures, 'getPatient', { id, request })).id).toBe(id)
  expect(await auditOf(request)).toEqual([])
  await freeDisk()
  expect(await auditOf(request)).toEqual([{ outcome: 'ok', status: 200 }])
})

test('full disk: a call succeeds even if its key’s use can’t be recorded', async () => {
  await invokeOk(fixtures, 'createPatient', { body: rivera })
  await queryAsOwner(fixtures, sql`update auth.credentials set last_used_at = null`)
  await fillDisk('used')
  // Uses a write, because a read would be repeated without its audit row.
  const { id } = await invokeOk(fixtures, 'createPatient', { body: rivera })
  const used = sql`select from auth.credentials where last_used_at is not null`
  expect(await queryAsOwner(fixtures, used)).toHaveLength(0)
  await freeDisk()
  await invokeOk(fixtures, 'getPatient', { id })
  expect(await queryAsOwner(fixtures, used)).toHaveLength(1)
})

test('full disk: a read whose audit row can’t be kept is refused', async () => {
  const { id } = await invokeOk(fixtures, 'createPatient', { body: rivera })
  const pool = openPool({ url: fixtures.database.urls.test, size: 1, name: 'full' })
  const auditWriter = openBackgroundWriter(pool, Date.now, () => undefined)
  const context = { ...fixtures.context, auditWriter }
  const read = () => invoke({ ...fixtures, context }, 'getPatient', { id })
  await fillDisk('audit')
  expect((await read()).status).toBe(200)
  for (let row = 1; row < 10_000; row++) {
    const audited = { surface: 'rest', action: 'getPatient', target: id } as const
    const sent = { request: `req_${row}`, address: null, agent: null }
    expect(auditWriter.recordRead({ ...audited, ...sent }, caller, '')).toBe(true)
  }
  const refused = await read()
  expect([refused.code, refused.headers['retry-after']]).toEqual(['service_unavailable', '30'])
  expect(JSON.stringify(refused.body)).not.toContain('Rivera')
  await auditWriter.close()
  await pool.close()
})

test('full disk: a refused call gets its own code, and is audited once there’s room', async () => {
  await invokeOk(fixtures, 'createPatient', { body: rivera })
  const request = 'req_of_a_refusal_on_a_full_disk'
  await fillDisk('audit')
  expect((await invoke(fixtures, 'getPatient', { id: 'pat_0', request })).code).toBe('not_found')
  expect(await auditOf(request)).toEqual([])
  await freeDisk()
  expect(await auditOf(request)).toEqual([{ outcome: 'refused', status: 404 }])
})

test('full disk: a write with a verified credential is refused without a retry', async () => {
  const { id } = await invokeOk(fixtures, 'createPatient', { body: rivera })
  await fillDisk('keys')
  const before = fixtures.context.pools.test.roundTrips()
  const refused = await invoke(fixtures, 'updatePatient', { id, body: { first_name: 'Bea' } })
  expect(refused.code).toBe('service_unavailable')
  // Round trips: facts and write.
  expect(fixtures.context.pools.test.roundTrips() - before).toBe(2)
})
