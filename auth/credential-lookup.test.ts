// Tests that a credential lookup ignores grants in the other mode, other integrations' tenants, and
// roles elsewhere. Also tests which lookups are cached.

import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { roleScopes } from '#contract/scopes.ts'
import { sql } from '#database/sql.ts'
import { grant, openIntegration, openOrganization } from './integrations.ts'
import {
  createCredentialCache,
  type CredentialCache,
  findCredential,
  presentedCredential,
  stillAuthorized,
} from './principal.ts'
import { acceptAgreement } from './testing/administration.ts'
import { authenticateWithCache } from './testing/authenticate.ts'
import { openAuthDatabase, pepper } from './testing/database.ts'
import { issueToken } from './testing/tokens.ts'

const context = await openAuthDatabase()
const { owner, gateways, run } = context
afterAll(() => context.close())

let integration: string
let sandbox: string
beforeEach(async () => {
  ;({ integration, organization: sandbox } = await owner.use(one => openIntegration(one, 'Ada')))
})
const find = (token: string) =>
  gateways.test.use(connection =>
    authenticateWithCache(connection, pepper, { token, mode: 'test', organization: null }),
  )
const openClinic = () =>
  owner.use(one => openOrganization(one, 'Clinic', `clinic-${crypto.randomUUID()}`))

test('a test key has no scopes or organizations that were granted in live mode', async () => {
  const clinic = await openClinic()
  await owner.use(one => grant(one, { integration, organization: clinic, mode: 'live' }))
  await owner.use(one => grant(one, { integration, organization: sandbox, mode: 'live' }))
  await run(sql`
    update auth.grants set scopes = '{cases:read}'
     where integration = ${integration} and mode = 'test'`)
  const found = await find(await context.mint({ integration }))
  expect(found?.organizations.map(({ id, scopes }) => [id, scopes])).toEqual([
    [sandbox, ['cases:read']],
  ])
})

test('a key has its own tenant in a clinic that granted another integration access as well', async () => {
  const [clinic, other] = [
    await openClinic(),
    await owner.use(one => openIntegration(one, 'Other')),
  ]
  for (const one of [other.integration, integration]) {
    await owner.use(connection =>
      grant(connection, { integration: one, organization: clinic, mode: 'test' }),
    )
  }
  const found = await find(await context.mint({ integration, organization: clinic }))
  const own = await run(sql`
    select id::text as tenant from test.tenants
     where integration = ${integration} and organization = ${clinic}`)
  expect(own).toHaveLength(1)
  expect(found?.organizations.map(({ tenant }) => ({ tenant }))).toEqual([...own] as never)
})

test('a person’s token can do what their role in its own integration allows', async () => {
  const { integration: elsewhere } = await owner.use(one => openIntegration(one, 'Elsewhere'))
  const { token, person } = await owner.use(connection =>
    issueToken(connection, pepper, { integration, kind: 'agent', role: 'viewer' }),
  )
  await run(sql`
    insert into auth.members (integration, person, role) values (${elsewhere}, ${person}, 'owner')`)
  expect((await find(token))?.scopes).toEqual([...roleScopes.viewer])
})

test('a subscriber’s authorization ends when its tenant is retired', async () => {
  const [clinic, other] = [await openClinic(), await openClinic()]
  for (const organization of [clinic, other]) {
    await owner.use(one => grant(one, { integration, organization, mode: 'live' }))
  }
  await owner.use(one => acceptAgreement(one, integration, '2026-09-01'))
  await context.mint({ integration, mode: 'live' })
  const [key] = await run(sql`select id from auth.credentials where integration = ${integration}`)
  const holder = String(key?.['id'])
  const authorized = async () => {
    const held = [clinic, other].map(organization => ({ holder, organization }))
    const rows = await gateways.live.use(connection =>
      stillAuthorized(connection, 'live', 'realtime:subscribe', held),
    )
    return rows.map(({ organization }) => organization).toSorted()
  }
  expect(await authorized()).toEqual([clinic, other].toSorted())
  await run(sql`update live.tenants set retired_at = now() where organization = ${clinic}`)
  expect(await authorized()).toEqual([other])
})

describe('the credential cache', () => {
  let token: string
  beforeEach(async () => void (token = await context.mint({ integration })))
  const look = (cache: CredentialCache, organization: string | null = null) => {
    const presented = presentedCredential([pepper], { token, mode: 'test', organization })
    return gateways.test.use(connection => findCredential(connection, presented, cache))
  }

  test('drops a key that is no longer found', async () => {
    const cache = createCredentialCache()
    await look(cache)
    expect(cache.size).toBe(1)
    await run(
      sql`update auth.credentials set revoked_at = now() where integration = ${integration}`,
    )
    expect(await look(cache)).toBeNull()
    expect(cache.size).toBe(0)
  })

  test('caches a key only with a tenant, and with that tenant’s clock', async () => {
    const slug = `clinic-${crypto.randomUUID()}`
    const second = await owner.use(one => openOrganization(one, 'Clinic', slug))
    await owner.use(one => grant(one, { integration, organization: second, mode: 'test' }))
    const cache = createCredentialCache()
    const cached = await look(cache)
    expect([cached?.tenant, cached?.ahead, cache.size]).toEqual(['', 0, 0])
    await run(sql`update test.tenants set ahead_ms = 5000 where organization = ${second}`)
    expect((await look(cache, second))?.ahead).toBe(5000)
    expect((await look(cache, sandbox))?.ahead).toBe(0)
    expect(cache.size).toBe(2)
  })
})
