import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { idPattern } from '#contract/ids.ts'
import { allScopes } from '#contract/scopes.ts'
import { sqlState } from '#database/failures.ts'
import { type Connection, type ConnectionPool, openPool } from '#database/pool.ts'
import { sql } from '#database/sql.ts'
import { type TestDatabase, testDatabase } from '#database/testing/database.ts'
import {
  grant,
  issueKey,
  listKeys,
  openIntegration,
  openOrganization,
  revokeKey,
} from './integrations.ts'
import { modeOfKey } from './keys.ts'

let database: TestDatabase
let owner: ConnectionPool
beforeAll(async () => {
  database = await testDatabase()
  owner = openPool({ url: database.url, size: 1, name: 'owner' })
})
afterAll(async () => {
  await owner.close()
  await database.close()
})
const as = <T>(work: (connection: Connection) => Promise<T>) => owner.use(work)
const stateOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    failure => sqlState(failure),
  )

describe('an integration', () => {
  test('is given its sandbox organization, every scope and a tenant in test at once', async () => {
    const { integration, organization } = await as(connection => openIntegration(connection, 'Ada'))
    expect(integration).toMatch(new RegExp(idPattern('int')))
    const rows = await as(connection =>
      connection.run(sql`
        select o.name, o.slug, o.kind, o.status, g.mode, g.status as granted, g.scopes,
               (select count(*)::int from test.tenants s
                 where s.integration = ${integration} and s.organization is not null) as test,
               (select count(*)::int from live.tenants s
                 where s.integration = ${integration} and s.organization is not null) as live
          from auth.organizations o join auth.grants g on g.organization = o.id
         where o.id = ${organization}`),
    )
    expect([...rows]).toEqual([
      {
        name: 'Harbor Telehealth Clinic (sandbox)',
        slug: 'harbor-sandbox',
        kind: 'DIRECT',
        status: 'active',
        mode: 'test',
        granted: 'active',
        scopes: allScopes,
        test: 1,
        live: 0,
      },
    ])
  })

  test('two have two sandboxes of the same name; two clinics of one slug cannot be', async () => {
    const [one, other] = [
      await as(connection => openIntegration(connection, 'A')),
      await as(connection => openIntegration(connection, 'B')),
    ]
    expect(one.organization).not.toBe(other.organization)
    await as(connection => openOrganization(connection, 'Clinic', 'only-one'))
    expect(
      await stateOf(as(connection => openOrganization(connection, 'Clinic', 'only-one'))),
    ).toBe('23505')
    expect(
      await stateOf(as(connection => openOrganization(connection, 'Clinic', 'Not A Slug'))),
    ).toBe('23514')
  })
})

describe('a grant', () => {
  test('is given once while it is active, and again after it ended, on the same tenant', async () => {
    const { integration } = await as(connection => openIntegration(connection, 'Ada'))
    const organization = await as(connection => openOrganization(connection, 'Clinic', 'granting'))
    const asked = { integration, organization, mode: 'live' } as const
    await as(connection => grant(connection, asked))
    expect(await stateOf(as(connection => grant(connection, asked)))).toBe('23505')
    await as(connection =>
      connection.run(
        sql`update auth.grants set status = 'revoked' where organization = ${organization}`,
      ),
    )
    await as(connection => grant(connection, { ...asked, scopes: ['cases:read'] }))
    const tenants = await as(connection =>
      connection.run(sql`select 1 from live.tenants where organization = ${organization}`),
    )
    expect(tenants).toHaveLength(1)
  })
})

describe('a key', () => {
  test('is seen once: the database holds its hash and its last four characters', async () => {
    const { integration } = await as(connection => openIntegration(connection, 'Ada'))
    const { id, key } = await as(connection =>
      issueKey(connection, 'p', { integration, mode: 'test', name: 'k' }),
    )
    expect(modeOfKey(key)).toBe('test')
    const [row] = await as(connection =>
      connection.run<{ row: string; last4: string; hash: string }>(
        sql`select k::text as row, last4, encode(hash, 'hex') as hash from auth.keys k where id = ${id}`,
      ),
    )
    expect(row?.row).not.toContain(key.slice(12, 50))
    expect(row?.last4).toBe(key.slice(-4))
    expect(row?.hash).toHaveLength(64)
  })

  test('is listed without what could be used as one, and is revoked once', async () => {
    const { integration } = await as(connection => openIntegration(connection, 'Ada'))
    const request = { integration, mode: 'test', name: 'listed', scopes: ['events:read'] } as const
    const { id, key } = await as(connection => issueKey(connection, 'p', request))
    const listed = async () => (await as(listKeys)).find(one => one.id === id)
    expect(await listed()).toMatchObject({
      integration,
      mode: 'test',
      name: 'listed',
      last4: key.slice(-4),
      scopes: ['events:read'],
      expires_at: null,
      revoked_at: null,
      last_used_at: null,
    })
    expect(Object.keys((await listed()) ?? {})).not.toContain('hash')
    expect(await as(connection => revokeKey(connection, id))).toBe(true)
    const { revoked_at } = (await listed()) ?? {}
    expect(revoked_at).not.toBeNull()
    expect(await as(connection => revokeKey(connection, id))).toBe(false)
    expect((await listed())?.revoked_at).toBe(revoked_at ?? '')
    expect(await as(connection => revokeKey(connection, 'key_nobody'))).toBe(false)
  })
})
