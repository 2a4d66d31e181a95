// Rows of the audit that were signed before a migration added columns, beside rows from after it.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { SQL } from 'bun'
import { migrate, readMigrations } from '#database/migrate.ts'
import { type ConnectionPool, openPool } from '#database/pool.ts'
import { type TestDatabase, testDatabase } from '#database/testing/database.ts'
import { until } from '#http/testing/until.ts'
import { signOnce, signerOf } from './sign.ts'
import { verifyAudit } from './verify.ts'

const signer = signerOf('a secret for tests')
const actorsNamed = '0021_audit_actor.sql'
const shapesKept = '0043_audit_shape.sql'

let database: TestDatabase
let owner: SQL
let pool: ConnectionPool
let worker: ConnectionPool
/** One row of each version, among others. */
let old = ''
let middle = ''
let current = ''

const verify = (since?: string | null) =>
  pool.use(connection => verifyAudit(connection, [signer], since))

/** Open transactions in other databases of the server delay a signature. */
const signAll = () =>
  until(async () => {
    await worker.use(connection => signOnce(connection, signer))
    return (await verify()).waiting === 0
  })

beforeAll(async () => {
  database = await testDatabase(readMigrations().filter(({ name }) => name < actorsNamed))
  owner = new SQL(database.url, { max: 1 })
  pool = openPool({ url: database.url, size: 1, name: 'verify' })
  worker = openPool({ url: database.urls.worker_test, size: 1, name: 'worker' })
})
afterAll(async () => {
  await Promise.all([owner.close(), pool.close(), worker.close()])
  await database.close()
})

/** As each version of the platform wrote a row. */
const writeOld = () => owner`
  insert into audit.entries (mode, integration, organization, actor, surface, action, target,
                             outcome, status, code, request, address, agent)
  values ('test', 'int_1', 'org_1', 'key_1', 'rest', 'getPatient', 'pat_1', 'ok', 200, 'none',
          'req_1', '203.0.113.7', 'a test') returning seq::text`
const writeMiddle = () => owner`
  insert into audit.entries (mode, integration, organization, actor, person, client, surface,
                             action, target, outcome, status, code, request, address, agent)
  values ('test', 'int_1', 'org_1', 'tok_1', 'per_1', 'cli_1', 'mcp', 'getPatient', 'pat_1', 'ok',
          200, 'none', 'req_1', '203.0.113.7', 'a test') returning seq::text`
const writeCurrent = () => owner`
  insert into audit.entries (mode, integration, organization, actor, person, client, surface,
                             action, target, outcome, status, code, request, address, agent, shape)
  values ('test', 'int_1', 'org_1', 'tok_1', 'per_1', 'cli_1', 'mcp', 'createPatient', 'pat_1',
          'ok', 201, 'none', 'req_1', '203.0.113.7', 'a test', '{}') returning seq::text`

/** Changes the audit as the owner with the triggers off, which no role of the platform can do. */
async function tamper(statement: string): Promise<void> {
  await owner`set session_replication_role = replica`
  await owner.unsafe(statement)
  await owner`set session_replication_role = origin`
}

/** Another value of a column, by its type. */
const changed: Record<string, (column: string) => string> = {
  text: column => (column === 'outcome' ? `'error'` : `coalesce(${column}, '') || 'x'`),
  smallint: column => `${column} + 1`,
  xid8: column => `(${column}::text::bigint - 1)::text::xid8`,
  'timestamp with time zone': column => `${column} + interval '1 microsecond'`,
}

describe('an audit with rows from before and after a migration that added columns', () => {
  test('verifies, with the seals from before as they were', async () => {
    for (let at = 0; at < 3; at++) old = (await writeOld())[0].seq
    await signAll()
    const { head } = await verify()
    expect(head).toBeString()
    const before = readMigrations().filter(({ name }) => name < shapesKept)
    expect(await migrate(owner, undefined, before)).toContain(actorsNamed)
    expect(await verify(head)).toMatchObject({ sealed: 3, waiting: 0, findings: [] })
    for (let at = 0; at < 3; at++) middle = (await writeMiddle())[0].seq
    await signAll()
    expect(await migrate(owner)).toContain(shapesKept)
    expect(await verify(head)).toMatchObject({ sealed: 6, waiting: 0, findings: [] })
    for (let at = 0; at < 3; at++) current = (await writeCurrent())[0].seq
    await signAll()
    expect(await verify(head)).toMatchObject({ sealed: 9, waiting: 0, findings: [] })
    const versions = await owner`select version from audit.entries order by seq`
    expect(versions.map((row: { version: number }) => row.version)).toEqual([
      1, 1, 1, 2, 2, 2, 3, 3, 3,
    ])
  })

  test('names each row of which any column was changed', async () => {
    const columns: { name: string; type: string }[] = await owner`
      select column_name as name, data_type as type from information_schema.columns
       where table_schema = 'audit' and table_name = 'entries'`
    const sealed = columns.filter(({ name }) => name !== 'seq')
    expect(sealed.map(({ name }) => name)).toContain('version')
    expect(sealed.length).toBeGreaterThan(15)
    await owner`create table kept as select * from audit.entries`
    for (const { name, type } of sealed) {
      for (const seq of [old, middle, current]) {
        const other = changed[type]?.(name)
        await tamper(`update audit.entries set ${name} = ${other} where seq = ${seq}`)
        const { findings } = await verify()
        expect([name, findings]).toEqual([name, [{ what: 'row_changed', where: seq }]])
        await tamper(`update audit.entries e set ${name} = k.${name} from kept k
                       where k.seq = e.seq and e.seq = ${seq}`)
      }
    }
    expect((await verify()).findings).toEqual([])
  })

  test('names a row that was moved to another place', async () => {
    await owner`alter table audit.entries alter column seq drop identity`
    for (const seq of [old, middle, current]) {
      await tamper(`update audit.entries set seq = 5000 where seq = ${seq}`)
      const { findings } = await verify()
      expect(findings).toContainEqual({ what: 'row_removed', where: seq })
      expect(findings).toContainEqual({ what: 'row_added', where: '5000' })
      await tamper(`update audit.entries set seq = ${seq} where seq = 5000`)
    }
    expect((await verify()).findings).toEqual([])
  })

  test('names a row that was turned into one of another version', async () => {
    const lowered = (version: string, seq: string) =>
      tamper(`update audit.entries set version = ${version} where seq = ${seq}`)
    const findings = [{ what: 'row_changed', where: current }]
    for (const version of ['2', '2, shape = null', '1', '1, person = null, client = null']) {
      await lowered(version, current)
      expect((await verify()).findings).toMatchObject(findings)
    }
    await lowered('1', middle)
    expect((await verify()).findings).toContainEqual({ what: 'row_changed', where: middle })
  })
})
