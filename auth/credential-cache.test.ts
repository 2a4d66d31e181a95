// Tests cached credentials. Every call revalidates them by a revision number that each change
// increments.

import { afterAll, beforeEach, expect, test } from 'bun:test'
import type { Mode } from '#contract/operation.ts'
import { type Connection } from '#database/pool.ts'
import { sql } from '#database/sql.ts'
import { guardConnection, StaleCredential } from './guard.ts'
import { grant, openIntegration, openOrganization } from './integrations.ts'
import { acceptAgreement } from './testing/administration.ts'
import { authenticateWithCache } from './testing/authenticate.ts'
import { type CredentialCache, createCredentialCache } from './principal.ts'
import { openAuthDatabase, pepper } from './testing/database.ts'
import { issueToken } from './testing/tokens.ts'
import { verify } from './testing/verify.ts'

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

/** Authenticates; returns the credential, the tenant that was set, and the statements that ran. */
const authenticate = (token: string, cache: CredentialCache, mode: Mode = 'test') =>
  gateways[mode].use(async connection => {
    const statements: string[] = []
    const recording: Connection = {
      get tenant() {
        return connection.tenant
      },
      set tenant(opened) {
        connection.tenant = opened
      },
      run(statement) {
        statements.push(statement.text)
        return connection.run(statement)
      },
    }
    const presented = { token, mode, organization: null }
    const credential = await authenticateWithCache(recording, pepper, presented, cache)
    const [open] = await connection.run(sql`select current_setting('app.tenant', true) as tenant`)
    return { credential, statements, tenant: String(open?.['tenant']) }
  })
const isFullLookUp = (texts: string[]) => texts.some(text => text.includes('auth.grants'))

test('a cached credential is revalidated by one short statement, until its permissions change', async () => {
  const cache = createCredentialCache()
  const token = await mint()
  const { tenant } = await authenticate(token, cache)
  const [short = '', ...none] = (await authenticate(token, cache)).statements
  expect(none).toEqual([])
  expect(isFullLookUp([short])).toBe(false)
  const [agreement, of] = [`baa ${sandbox}`, sql`where integration = ${integration}`]
  for (const change of [
    sql`update auth.organizations set name = 'Another' where id = ${sandbox}`,
    sql`update auth.grants set scopes = '{cases:read}' ${of}`,
    sql`update auth.credentials set scopes = '{cases:read}' ${of}`,
    sql`insert into auth.agreements (id, integration, version) values (${agreement}, ${integration}, '1')`,
    sql`delete from auth.agreements ${of}`,
    sql`update test.tenants set retired_at = now() where id = ${tenant}::bigint`,
    sql`insert into test.tenants (integration, organization) values (${integration}, ${sandbox})`,
  ]) {
    await run(change)
    expect(isFullLookUp((await authenticate(token, cache)).statements)).toBe(true)
  }
  expect((await authenticate(token, cache)).statements).toEqual([short])
  for (const change of [
    sql`update auth.credentials set last_used_at = now() ${of}`,
    sql`update test.tenants set last = now() ${of}`,
  ]) {
    await run(change)
    expect((await authenticate(token, cache)).statements).toEqual([short])
  }
})

test('a cached credential never opens another integration’s tenant, even if the cache is wrong', async () => {
  const cache = createCredentialCache()
  const token = await mint()
  const { tenant } = await authenticate(token, cache)
  const other = await owner.use(connection => openIntegration(connection, 'Another'))
  const [theirs] = await run(
    sql`select id::text as id from test.tenants where organization = ${other.organization}`,
  )
  for (const [key, cached] of cache) cache.set(key, { ...cached, tenant: String(theirs?.['id']) })
  const found = await authenticate(token, cache)
  // The database doesn't open the other integration's tenant, so the guard fails and the full
  // lookup runs.
  expect(found.statements).toHaveLength(3)
  expect(isFullLookUp(found.statements)).toBe(true)
  expect(found.tenant).toBe(tenant)
})

test('another tenant’s connection switches to a cached credential’s tenant in one round trip', async () => {
  const cache = createCredentialCache()
  const ada = await mint()
  ;({ integration } = await owner.use(connection => openIntegration(connection, 'Ben')))
  const ben = await mint()
  const first = await authenticate(ada, cache)
  const second = await authenticate(ben, cache)
  expect(second.tenant).not.toBe(first.tenant)
  for (const [token, { credential, tenant }] of [
    [ada, first],
    [ben, second],
    [ada, first],
  ] as const) {
    const again = await authenticate(token, cache)
    expect(again).toMatchObject({ credential, tenant })
    expect(again.statements).toHaveLength(2)
    expect(isFullLookUp(again.statements)).toBe(false)
  }
})

test('a credential is looked up again when the connection is not set to its tenant', async () => {
  const cache = createCredentialCache()
  const token = await mint()
  const { tenant } = await authenticate(token, cache)
  await gateways.test.use(connection =>
    connection.run(sql`select set_config('app.tenant', '', false)`),
  )
  const again = await authenticate(token, cache)
  expect([again.tenant, isFullLookUp(again.statements)]).toEqual([tenant, true])
})

test('no later statement in a call runs on a connection set to another tenant', async () => {
  const cache = createCredentialCache()
  const token = await mint()
  await authenticate(token, cache)
  const [cached] = [...cache.values()]
  if (!cached) throw new Error('the credential was not cached')
  await gateways.test.use(async connection => {
    const guarded = guardConnection(connection, cached)
    const read = () => verify(guarded)
    await read()
    await read()
    expect(guarded.isVerified).toBe(true)
    for (const tenant of ['', '0']) {
      await connection.run(sql`select set_config('app.tenant', ${tenant}, false)`)
      await expect(read()).rejects.toBeInstanceOf(StaleCredential)
    }
  })
})

test.each([
  ['while its credential is cached', createCredentialCache(), false],
  ['when it is looked up', null, true],
])('a key’s use is recorded at most once a minute %s', async (_when, kept, isLookedUp) => {
  const use = (token: string) => authenticate(token, kept ?? createCredentialCache())
  const token = await mint()
  await use(token)
  const of = sql`where integration = ${integration}`
  for (const [seconds, isRecorded] of [
    [59, false],
    [61, true],
  ] as const) {
    await run(
      sql`update auth.credentials set last_used_at = now() - ${seconds}::int * interval '1 second' ${of}`,
    )
    expect(isFullLookUp((await use(token)).statements)).toBe(isLookedUp)
    const [row] = await run(
      sql`select last_used_at > now() - interval '30 seconds' as recorded from auth.credentials ${of}`,
    )
    expect([seconds, row?.['recorded']]).toEqual([seconds, isRecorded])
  }
})

test('a cached live credential is revalidated with its agreement, which may expire', async () => {
  const cache = createCredentialCache()
  const token = await mint('live')
  const organization = await owner.use(connection =>
    openOrganization(connection, 'Clinic', `clinic-${crypto.randomUUID()}`),
  )
  await owner.use(connection => grant(connection, { integration, organization, mode: 'live' }))
  await owner.use(connection => acceptAgreement(connection, integration, '2026-09-01'))
  expect((await authenticate(token, cache, 'live')).credential?.agreed).toBe(true)
  expect((await authenticate(token, cache, 'live')).statements).toHaveLength(1)
  await run(sql`alter table auth.agreements disable trigger bump_revision`)
  await run(sql`
    update auth.agreements set ends_at = now() + interval '1 hour'
     where integration = ${integration}`)
  expect((await authenticate(token, cache, 'live')).statements).toHaveLength(1)
  await run(sql`
    update auth.agreements set ends_at = now() - interval '1 second'
     where integration = ${integration}`)
  await run(sql`alter table auth.agreements enable trigger bump_revision`)
  expect((await authenticate(token, cache, 'live')).credential?.agreed).toBe(false)
})

test('a cached token ends with its own family, including when the family expires', async () => {
  const cache = createCredentialCache()
  const issue = () => owner.use(one => issueToken(one, pepper, { integration, kind: 'agent' }))
  const [ending, standing] = [await issue(), await issue()]
  for (const { token } of [ending, standing]) {
    expect((await authenticate(token, cache)).credential).not.toBeNull()
    expect((await authenticate(token, cache)).statements).toHaveLength(1)
  }
  await run(sql`alter table auth.token_families disable trigger user`)
  await run(sql`
    update auth.token_families
       set ends_at = now() + case id when ${ending.family} then '-1 second' else '1 hour' end::interval
     where integration = ${integration}`)
  await run(sql`alter table auth.token_families enable trigger user`)
  expect((await authenticate(ending.token, cache)).credential).toBeNull()
  expect((await authenticate(standing.token, cache)).credential).not.toBeNull()
})

test('the credential cache drops its oldest entry when it is full', async () => {
  const cache = createCredentialCache(1)
  const [first, second] = [await mint(), await mint()]
  await authenticate(first, cache)
  expect(isFullLookUp((await authenticate(first, cache)).statements)).toBe(false)
  await authenticate(second, cache)
  expect(isFullLookUp((await authenticate(first, cache)).statements)).toBe(true)
})
