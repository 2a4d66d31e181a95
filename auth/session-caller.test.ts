// Tests a member's session as a call's credential: the lookup's result, and each condition that
// makes its guard fail on its own.

import { afterAll, beforeEach, expect, test } from 'bun:test'
import type { Mode } from '#contract/operation.ts'
import { roleScopes } from '#contract/scopes.ts'
import type { Connection } from '#database/pool.ts'
import { sql, type Statement } from '#database/sql.ts'
import { type CachedCredential, createCredentialCache } from './credential-cache.ts'
import { StaleCredential } from './guard.ts'
import { grant, openIntegration, openOrganization } from './integrations.ts'
import {
  findSession,
  findSessionOfIntegration,
  guardSession,
  presentSession,
  presentSessionOfIntegration,
} from './session-caller.ts'
import { acceptAgreement } from './testing/administration.ts'
import { openAuthDatabase, pepper } from './testing/database.ts'
import { passesGuard, setTenant } from './testing/guarded.ts'
import { newPerson, newSession } from './testing/sessions.ts'
import { verify } from './testing/verify.ts'

const context = await openAuthDatabase()
const { owner, gateways, run } = context
afterAll(() => context.close())

let integration: string
let organization: string
let person: string
let session: { id: string; token: string }
beforeEach(async () => {
  ;({ integration, organization } = await owner.use(one => openIntegration(one, 'Ada')))
  person = await newPerson(run)
  await run(sql`
    insert into auth.members (integration, person, role)
    values (${integration}, ${person}, 'developer')`)
  session = await newSession(run, person, 'portal')
})

const present = (mode: Mode = 'test', of: string | null = null) =>
  presentSession([pepper], { token: session.token, integration, mode, organization: of })
const settingOf = async (connection: Connection) => {
  const [row] = await connection.run(sql`select current_setting('app.tenant', true) as tenant`)
  return row?.['tenant']
}
async function found(mode: Mode = 'test'): Promise<CachedCredential> {
  const cached = await gateways[mode].use(connection => findSession(connection, present(mode)))
  if (cached === null) throw new Error('the session was not found')
  return cached
}
/** Whether a call passes the guard on a connection set to a tenant. */
const passes = (cached: CachedCredential, tenant = cached.tenant) =>
  passesGuard(gateways[cached.credential.mode], tenant, connection =>
    guardSession(connection, cached),
  )
/** Changes rows without incrementing the integration's revision. */
async function quietly(table: Statement, change: Statement) {
  await run(sql`alter table ${table} disable trigger user`)
  await run(change)
  await run(sql`alter table ${table} enable trigger user`)
}
const openLive = async () => {
  const slug = `clinic-${crypto.randomUUID()}`
  const clinic = await owner.use(one => openOrganization(one, 'Clinic', slug))
  await owner.use(one => grant(one, { integration, organization: clinic, mode: 'live' }))
  return clinic
}

test('a session acts for its only organization, with the role’s scopes', async () => {
  const cache = createCredentialCache()
  const name = present().name
  const result = await gateways.test.use(async connection => {
    const cached = await findSession(connection, present(), cache)
    return { cached, opened: connection.tenant, set: await settingOf(connection) }
  })
  const { cached } = result
  expect(cached?.credential).toMatchObject({
    id: session.id,
    kind: 'session',
    person,
    integration,
    mode: 'test',
    client: null,
    family: null,
    agreed: false,
    scopes: roleScopes.developer,
    organizations: [{ id: organization, tenant: cached?.tenant }],
  })
  expect([result.opened, result.set, cached?.ahead]).toEqual([cached?.tenant, cached?.tenant, 0])
  expect(cache.get(name)).toBe(cached ?? undefined)
})

test('a session with access to several organizations sets no tenant, and is not cached', async () => {
  const slug = `clinic-${crypto.randomUUID()}`
  const second = await owner.use(one => openOrganization(one, 'Clinic', slug))
  await owner.use(one => grant(one, { integration, organization: second, mode: 'test' }))
  const cache = createCredentialCache()
  const opened = await gateways.test.use(async connection => {
    const cached = await findSession(connection, present(), cache)
    return [cached?.tenant, cached?.ahead, cached?.credential.organizations.length]
  })
  expect([...opened, cache.size]).toEqual(['', 0, 2, 0])
  const named = await gateways.test.use(one => findSession(one, present('test', second), cache))
  expect([named?.tenant === '', cache.size]).toEqual([false, 1])
})

test('an ended session is not found, and is dropped from the cache', async () => {
  const cache = createCredentialCache()
  const find = () => gateways.test.use(one => findSession(one, present(), cache))
  expect(await find()).not.toBeNull()
  expect(cache.size).toBe(1)
  await run(sql`update auth.credentials set revoked_at = now() where id = ${session.id}`)
  expect(await find()).toBeNull()
  expect(cache.size).toBe(0)
})

test('a session’s guard opens its tenant on a connection without one', async () => {
  const cached = await found()
  expect(await passes(cached)).toBe(true)
  const opened = await gateways.test.use(async connection => {
    await setTenant(connection, '')
    connection.tenant = undefined
    await verify(guardSession(connection, cached))
    return settingOf(connection)
  })
  expect(opened).toBe(cached.tenant)
})

test('a session’s guard never opens another integration’s tenant, even if the cache is wrong', async () => {
  const cached = await found()
  const other = await owner.use(one => openIntegration(one, 'Other'))
  const [theirs] = await run(sql`
    select id::text as id from test.tenants where organization = ${other.organization}`)
  const wrong = { ...cached, tenant: String(theirs?.['id']) }
  expect(await passes(wrong)).toBe(false)
  const opened = await gateways.test.use(async connection => {
    await setTenant(connection, '')
    connection.tenant = undefined
    const query = verify(guardSession(connection, wrong))
    await expect(query).rejects.toBeInstanceOf(StaleCredential)
    return settingOf(connection)
  })
  expect(opened).toBe('')
})

const ends: [what: string, end: (cached: CachedCredential) => Promise<unknown>][] = [
  [
    'the session is revoked',
    () => run(sql`update auth.credentials set revoked_at = now() where id = ${session.id}`),
  ],
  [
    'its tenant is retired',
    ({ tenant }) =>
      quietly(
        sql`test.tenants`,
        sql`update test.tenants set retired_at = now() where id = ${tenant}::bigint`,
      ),
  ],
  [
    'its tenant’s clock is advanced',
    ({ tenant }) =>
      quietly(
        sql`test.tenants`,
        sql`update test.tenants set ahead_ms = ahead_ms + 1 where id = ${tenant}::bigint`,
      ),
  ],
  [
    'the member’s role changes',
    () =>
      run(sql`
        update auth.members set role = 'viewer'
         where integration = ${integration} and person = ${person}`),
  ],
]
test.each(ends)('a session’s guard fails once %s', async (_what, end) => {
  const cached = await found()
  expect(await passes(cached)).toBe(true)
  await end(cached)
  expect(await passes(cached)).toBe(false)
})

test('a session’s guard fails on a connection that is set to another tenant', async () => {
  const cached = await found()
  const failed = await gateways.test.use(async connection => {
    await setTenant(connection, '0')
    connection.tenant = cached.tenant
    return verify(guardSession(connection, cached)).catch((failure: unknown) => failure)
  })
  expect(failed).toBeInstanceOf(StaleCredential)
})

test('a live session needs the agreement from its lookup; a test session needs none', async () => {
  await openLive()
  const without = await found('live')
  expect([without.credential.agreed, await passes(without)]).toEqual([false, true])
  await owner.use(one => acceptAgreement(one, integration, '2026-09-01'))
  const [live, sandbox] = [await found('live'), await found('test')]
  expect([live, sandbox].map(one => one.credential.agreed)).toEqual([true, true])
  expect([await passes(live), await passes(sandbox)]).toEqual([true, true])
  await quietly(
    sql`auth.agreements`,
    sql`update auth.agreements set ends_at = now() - interval '1 second'
         where integration = ${integration}`,
  )
  expect([await passes(live), await passes(sandbox)]).toEqual([false, true])
})

test('a session that acts for the integration sets its own tenant, without any clinic', async () => {
  const cache = createCredentialCache()
  const own = presentSessionOfIntegration([pepper], {
    token: session.token,
    integration,
    mode: 'live',
  })
  const find = () => gateways.live.use(one => findSessionOfIntegration(one, own, cache))
  // No clinic has ever granted live access.
  expect([(await find())?.tenant, cache.size]).toEqual(['', 0])
  const clinic = await openLive()
  await run(sql`
    update auth.grants set status = 'revoked', ended_at = now()
     where integration = ${integration} and organization = ${clinic}`)
  const cached = await find()
  const [tenant] = await run(sql`
    select id::text as id from live.tenants
     where integration = ${integration} and organization is null`)
  expect<unknown>(cached?.tenant).toBe(tenant?.['id'])
  expect(cached?.credential).toMatchObject({ person, organizations: [] })
  expect(cache.has(present('live').name)).toBe(false)
  if (cached === null) throw new Error('the session was not found')
  expect(await passes(cached)).toBe(true)
  await run(sql`update auth.members set removed_at = now() where person = ${person}`)
  expect(await passes(cached)).toBe(false)
  expect(await find()).toBeNull()
})
