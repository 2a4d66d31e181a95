// A signature covers every column of a row, including its position and version.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { SQL } from 'bun'
import { type ConnectionPool, openPool } from '#database/pool.ts'
import { type TestDatabase, testDatabase } from '#database/testing/database.ts'
import { until } from '#http/testing/until.ts'
import { signOnce, signerOf } from './sign.ts'
import { verifyAudit } from './verify.ts'

const signer = signerOf('a secret for tests')

let database: TestDatabase
let owner: SQL
let pool: ConnectionPool
let worker: ConnectionPool
let signed = ''

const verify = (since?: string | null) =>
  pool.use(connection => verifyAudit(connection, [signer], since))

/** Signs all rows. Repeats, because open transactions in the server's other databases delay
 *  signing. */
const signAll = () =>
  until(async () => {
    await worker.use(connection => signOnce(connection, signer))
    return (await verify()).waiting === 0
  })

beforeAll(async () => {
  database = await testDatabase()
  owner = new SQL(database.url, { max: 1 })
  pool = openPool({ url: database.url, size: 1, name: 'verify' })
  worker = openPool({ url: database.urls.worker_test, size: 1, name: 'worker' })
  for (let at = 0; at < 3; at++) signed = (await write())[0].seq
  await signAll()
})
afterAll(async () => {
  await Promise.all([owner.close(), pool.close(), worker.close()])
  await database.close()
})

const write = () => owner`
  insert into audit.entries (mode, integration, organization, actor, person, client, surface,
                             action, target, outcome, status, code, request, address, agent, shape)
  values ('test', 'int_1', 'org_1', 'tok_1', 'per_1', 'cli_1', 'mcp', 'createPatient', 'pat_1',
          'ok', 201, 'none', 'req_1', '203.0.113.7', 'a test', '{}') returning seq::text`

/** Changes the audit as its owner with triggers off, which no platform role can do. */
async function tamper(statement: string): Promise<void> {
  await owner`set session_replication_role = replica`
  await owner.unsafe(statement)
  await owner`set session_replication_role = origin`
}

/** Returns a different value for a column, by type. */
const changed: Record<string, (column: string) => string> = {
  text: column => (column === 'outcome' ? `'error'` : `coalesce(${column}, '') || 'x'`),
  ARRAY: column => `coalesce(${column}, '{}') || '{pat_1}'::text[]`,
  smallint: column => `${column} + 1`,
  xid8: column => `(${column}::text::bigint - 1)::text::xid8`,
  'timestamp with time zone': column => `${column} + interval '1 microsecond'`,
}

describe('a signed audit row', () => {
  test('verifies as it was written', async () => {
    expect(await verify()).toMatchObject({ sealed: 3, waiting: 0, findings: [] })
  })

  test('is reported if any column was changed, including its version', async () => {
    const columns: { name: string; type: string }[] = await owner`
      select column_name as name, data_type as type from information_schema.columns
       where table_schema = 'audit' and table_name = 'entries'`
    const sealed = columns.filter(({ name }) => name !== 'seq')
    expect(sealed.map(({ name }) => name)).toContain('version')
    expect(sealed.length).toBeGreaterThan(15)
    await owner`create table kept as select * from audit.entries`
    for (const { name, type } of sealed) {
      const other = changed[type]?.(name)
      await tamper(`update audit.entries set ${name} = ${other} where seq = ${signed}`)
      const { findings } = await verify()
      expect([name, findings]).toEqual([name, [{ what: 'row_changed', where: signed }]])
      await tamper(`update audit.entries e set ${name} = k.${name} from kept k
                     where k.seq = e.seq and e.seq = ${signed}`)
    }
    expect((await verify()).findings).toEqual([])
  })

  test('is reported if it was moved', async () => {
    await owner`alter table audit.entries alter column seq drop identity`
    await tamper(`update audit.entries set seq = 5000 where seq = ${signed}`)
    const { findings } = await verify()
    expect(findings).toContainEqual({ what: 'row_removed', where: signed })
    expect(findings).toContainEqual({ what: 'row_added', where: '5000' })
    await tamper(`update audit.entries set seq = ${signed} where seq = 5000`)
    expect((await verify()).findings).toEqual([])
  })
})
