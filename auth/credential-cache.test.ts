// Who came before: asked for by a count of changes, which every change moves, and never believed.

import { afterAll, beforeEach, expect, test } from 'bun:test'
import type { Mode } from '#contract/operation.ts'
import { type Connection } from '#database/pool.ts'
import { sql } from '#database/sql.ts'
import { acceptAgreement, grant, openIntegration, openOrganization } from './integrations.ts'
import { authenticateWithCache } from './testing/authenticate.ts'
import { type CredentialCache, createCredentialCache } from './principal.ts'
import { openAuthDatabase, pepper } from './testing/database.ts'

const context = await openAuthDatabase()
const { owner, gateways, run } = context
let integration: string
let sandbox: string
afterAll(() => context.close())
beforeEach(async () => {
  ;({ integration, organization: sandbox } = await owner.use(connection =>
    openIntegration(connection, 'Ada'),
  ))
})
const mint = (mode: Mode = 'test') => context.mint({ integration, mode })

/** One look-up: what it found, which tenant it left open, and the statements that it took. */
const look = (token: string, memory: CredentialCache, mode: Mode = 'test') =>
  gateways[mode].use(async connection => {
    const asked: string[] = []
    const heard: Connection = {
      get tenant() {
        return connection.tenant
      },
      set tenant(opened) {
        connection.tenant = opened
      },
      run(statement) {
        asked.push(statement.text)
        return connection.run(statement)
      },
    }
    const presented = { token, mode, organization: null }
    const credential = await authenticateWithCache(heard, pepper, presented, memory)
    const [open] = await connection.run(sql`select current_setting('app.tenant', true) as tenant`)
    return { credential, asked, tenant: String(open?.['tenant']) }
  })
const isWhole = (texts: string[]) => texts.some(text => text.includes('auth.grants'))

test('is asked for by one short statement, until something changes', async () => {
  const memory = createCredentialCache()
  const token = await mint()
  const { tenant } = await look(token, memory)
  const [short = '', ...none] = (await look(token, memory)).asked
  expect(none).toEqual([])
  expect(isWhole([short])).toBe(false)
  const [agreement, of] = [`baa ${sandbox}`, sql`where integration = ${integration}`]
  for (const change of [
    sql`update auth.organizations set name = 'Another' where id = ${sandbox}`,
    sql`update auth.grants set scopes = '{cases:read}' ${of}`,
    sql`update auth.keys set scopes = '{cases:read}' ${of}`,
    sql`insert into auth.agreements (id, integration, version) values (${agreement}, ${integration}, '1')`,
    sql`delete from auth.agreements ${of}`,
    sql`update test.tenants set retired_at = now() where id = ${tenant}::bigint`,
    sql`insert into test.tenants (integration, organization) values (${integration}, ${sandbox})`,
  ]) {
    await run(change)
    expect(isWhole((await look(token, memory)).asked)).toBe(true)
  }
  expect((await look(token, memory)).asked).toEqual([short])
  for (const change of [
    sql`update auth.keys set last_used_at = now() ${of}`,
    sql`update test.tenants set last = now() ${of}`,
  ]) {
    await run(change)
    expect((await look(token, memory)).asked).toEqual([short])
  }
})

test('never sets a tenant of somebody else, whatever is remembered', async () => {
  const memory = createCredentialCache()
  const token = await mint()
  const { tenant } = await look(token, memory)
  const other = await owner.use(connection => openIntegration(connection, 'Somebody'))
  const [theirs] = await run(
    sql`select id::text as id from test.tenants where organization = ${other.organization}`,
  )
  for (const [key, kept] of memory) memory.set(key, { ...kept, tenant: String(theirs?.['id']) })
  const found = await look(token, memory)
  // Into their tenant, where it is not let in; the door, which is shut; and the whole look-up.
  expect(found.asked).toHaveLength(3)
  expect(isWhole(found.asked)).toBe(true)
  expect(found.tenant).toBe(tenant)
})

test('is let into its own tenant where somebody else stood, in the same go', async () => {
  const memory = createCredentialCache()
  const ada = await mint()
  ;({ integration } = await owner.use(connection => openIntegration(connection, 'Ben')))
  const ben = await mint()
  const first = await look(ada, memory)
  const second = await look(ben, memory)
  expect(second.tenant).not.toBe(first.tenant)
  for (const [token, { credential, tenant }] of [
    [ada, first],
    [ben, second],
    [ada, first],
  ] as const) {
    const again = await look(token, memory)
    expect(again).toMatchObject({ credential, tenant })
    expect(again.asked).toHaveLength(2)
    expect(isWhole(again.asked)).toBe(false)
  }
})

test('finds its way back where the connection stands elsewhere than was thought', async () => {
  const memory = createCredentialCache()
  const token = await mint()
  const { tenant } = await look(token, memory)
  await gateways.test.use(connection =>
    connection.run(sql`select set_config('app.tenant', '', false)`),
  )
  const again = await look(token, memory)
  expect([again.tenant, isWhole(again.asked)]).toEqual([tenant, true])
})

test('of live is asked about its agreement each time, which may end by the clock alone', async () => {
  const memory = createCredentialCache()
  const token = await mint('live')
  const organization = await owner.use(connection =>
    openOrganization(connection, 'Clinic', `clinic-${crypto.randomUUID()}`),
  )
  await owner.use(connection => grant(connection, { integration, organization, mode: 'live' }))
  await owner.use(connection => acceptAgreement(connection, integration, '2026-09-01'))
  expect((await look(token, memory, 'live')).credential?.agreed).toBe(true)
  expect((await look(token, memory, 'live')).asked).toHaveLength(1)
  await run(sql`alter table auth.agreements disable trigger bump_revision`)
  await run(sql`
    update auth.agreements set ends_at = now() - interval '1 second'
     where integration = ${integration}`)
  await run(sql`alter table auth.agreements enable trigger bump_revision`)
  expect((await look(token, memory, 'live')).credential?.agreed).toBe(false)
})

test('is forgotten when the memory is full, the oldest first', async () => {
  const memory = createCredentialCache(1)
  const [first, second] = [await mint(), await mint()]
  await look(first, memory)
  expect(isWhole((await look(first, memory)).asked)).toBe(false)
  await look(second, memory)
  expect(isWhole((await look(first, memory)).asked)).toBe(true)
})
