// Tests the audit rows of the authorization server, which runs under its own role.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { sqlState } from '#database/failures.ts'
import { type ConnectionPool, openPool } from '#database/pool.ts'
import { sql, type Statement } from '#database/sql.ts'
import { type TestDatabase, testDatabase } from '#database/testing/database.ts'
import { type AuditedCall, insertAuditRows, refusedRow, unauthenticated } from './audit.ts'

let database: TestDatabase
let owner: ConnectionPool
let pool: ConnectionPool
beforeAll(async () => {
  database = await testDatabase()
  owner = openPool({ url: database.url, size: 1, name: 'owner' })
  pool = openPool({ url: database.urls.auth, size: 1, name: 'auth' })
})
afterAll(async () => {
  await Promise.all([owner.close(), pool.close()])
  await database.close()
})

const run = (statement: Statement) => pool.use(connection => connection.run(statement))
const audited: AuditedCall = {
  surface: 'oauth',
  action: 'oauth.register',
  target: null,
  request: 'req_1',
  address: '203.0.113.7',
  agent: 'a test',
}
const rows = () =>
  owner.use(connection =>
    connection.run(sql`
      select surface, action, target, outcome, status, code, actor, person, client, version
        from audit.entries order by seq`),
  )

test('audit: the authorization server’s statement inserts its audit row with its effect', async () => {
  const client = 'cli_1'
  const made = sql`select id, 'ok', 201::int2, null::text from made`
  await run(sql`
    with made as (
      insert into auth.clients (id, kind, name) values (${client}, 'registered', 'An agent')
      returning id
    ), audited as (${insertAuditRows({ ...unauthenticated, client }, audited, made)})
    select id from made`)
  const token = { ...audited, action: 'oauth.token' }
  await run(insertAuditRows(unauthenticated, token, refusedRow(400, 'invalid_grant')))
  const row = { surface: 'oauth', actor: null, person: null, version: 1 }
  const registered = { action: 'oauth.register', target: client, client }
  const refused = { action: 'oauth.token', target: null, client: null }
  expect(await rows()).toEqual([
    { ...row, ...registered, outcome: 'ok', status: 201, code: null },
    { ...row, ...refused, outcome: 'refused', status: 400, code: 'invalid_grant' },
  ])
})

test('audit: the authorization server’s role can insert rows and nothing else', async () => {
  for (const statement of [
    sql`select 1 from audit.entries`,
    sql`update audit.entries set client = null`,
    sql`delete from audit.entries`,
    sql`select 1 from audit.signatures`,
  ]) {
    const state = await run(statement).then(
      () => 'done',
      (failure: unknown) => sqlState(failure),
    )
    expect(state).toBe('42501')
  }
})
