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
  nameDevelopers,
  openIntegration,
  openOrganization,
  supersedeAgreements,
} from './integrations.ts'
import { revokeKeyOf } from './administration.ts'
import { actOfOperator } from './operator.ts'
import { modeOf } from './tokens.ts'

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
const useOwner = <T>(work: (connection: Connection) => Promise<T>) => owner.use(work)
const stateOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    failure => sqlState(failure),
  )

describe('an integration', () => {
  test('is created with a sandbox organization, every scope and a test tenant', async () => {
    const { integration, organization } = await useOwner(connection =>
      openIntegration(connection, 'Ada'),
    )
    expect(integration).toMatch(new RegExp(idPattern('int')))
    const rows = await useOwner(connection =>
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

  test('has its own sandbox, whose name isn’t unique; a clinic’s slug is unique', async () => {
    const [one, other] = [
      await useOwner(connection => openIntegration(connection, 'A')),
      await useOwner(connection => openIntegration(connection, 'B')),
    ]
    expect(one.organization).not.toBe(other.organization)
    await useOwner(connection => openOrganization(connection, 'Clinic', 'only-one'))
    expect(
      await stateOf(useOwner(connection => openOrganization(connection, 'Clinic', 'only-one'))),
    ).toBe('23505')
    expect(
      await stateOf(useOwner(connection => openOrganization(connection, 'Clinic', 'Not A Slug'))),
    ).toBe('23514')
  })
})

describe('a grant', () => {
  test('exists once while active; a new one after a revocation has the same tenant', async () => {
    const { integration } = await useOwner(connection => openIntegration(connection, 'Ada'))
    const organization = await useOwner(connection =>
      openOrganization(connection, 'Clinic', 'granted'),
    )
    const request = { integration, organization, mode: 'live' } as const
    await useOwner(connection => grant(connection, request))
    expect(await stateOf(useOwner(connection => grant(connection, request)))).toBe('23505')
    await useOwner(connection =>
      connection.run(
        sql`update auth.grants set status = 'revoked' where organization = ${organization}`,
      ),
    )
    await useOwner(connection => grant(connection, { ...request, scopes: ['cases:read'] }))
    const tenants = await useOwner(connection =>
      connection.run(sql`select 1 from live.tenants where organization = ${organization}`),
    )
    expect(tenants).toHaveLength(1)
  })
})

describe('a key', () => {
  test('is returned once: the database stores its hash and its last four characters', async () => {
    const { integration } = await useOwner(connection => openIntegration(connection, 'Ada'))
    const { id, key } = await useOwner(connection =>
      issueKey(connection, 'p', { integration, mode: 'test', name: 'k' }),
    )
    expect(modeOf(key)).toBe('test')
    const [row] = await useOwner(connection =>
      connection.run<{ row: string; last4: string; hash: string }>(
        sql`select k::text as row, last4, encode(hash, 'hex') as hash from auth.credentials k where id = ${id}`,
      ),
    )
    expect(row?.row).not.toContain(key.slice(12, 50))
    expect(row?.last4).toBe(key.slice(-4))
    expect(row?.hash).toHaveLength(64)
  })

  test('is listed without its secret or hash, and is revoked once', async () => {
    const { integration } = await useOwner(connection => openIntegration(connection, 'Ada'))
    const request = { integration, mode: 'test', name: 'listed', scopes: ['events:read'] } as const
    const { id, key } = await useOwner(connection => issueKey(connection, 'p', request))
    const listed = async () => (await useOwner(listKeys)).find(one => one.id === id)
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
    const revoke = async (name: string) =>
      (await useOwner(connection => revokeKeyOf(connection, name, null, actOfOperator()))).refusal
    expect(await revoke(id)).toBeNull()
    const { revoked_at } = (await listed()) ?? {}
    expect(revoked_at).not.toBeNull()
    expect(await revoke(id)).toBe('not_found')
    expect((await listed())?.revoked_at).toBe(revoked_at ?? '')
    expect(await revoke('key_unknown')).toBe('not_found')
  })
})

describe('an agreement', () => {
  test('to an older version ends in thirty days; ended ones don’t change', async () => {
    const add = async (version: string, more = sql`null::timestamptz, null::timestamptz`) => {
      const { integration } = await useOwner(connection => openIntegration(connection, 'Ada'))
      await useOwner(connection =>
        connection.run(sql`
          insert into auth.agreements (id, integration, version, terminated_at, ends_at)
          select ${`baa of ${integration}`}, ${integration}, ${version}, made.*
            from (select ${more}) as made`),
      )
      return integration
    }
    const [older, another] = [await add('2026-09-01'), await add('2026-10-01')]
    await add('2027-01-01')
    await add('2026-09-01', sql`now(), null::timestamptz`)
    await add('2026-09-01', sql`null::timestamptz, now() + interval '1 day'`)
    const supersede = () => useOwner(one => supersedeAgreements(one, '2027-01-01'))
    expect(await supersede()).toEqual([older, another].toSorted())
    const rows = await useOwner(connection =>
      connection.run(sql`
        select round(extract(epoch from ends_at - now()) / 86400)::int as days from auth.agreements
         order by id`),
    )
    expect(rows.map(({ days }) => days)).toEqual([30, 30, null, null, 1])
    expect(await supersede()).toEqual([])
  })
})

test('the developers’ address is set only for the named integration, if it exists', async () => {
  const [one, other] = [
    await useOwner(connection => openIntegration(connection, 'One')),
    await useOwner(connection => openIntegration(connection, 'Other')),
  ]
  const name = (integration: string) =>
    useOwner(connection => nameDevelopers(connection, integration, 'dev@example.com'))
  expect([await name(one.integration), await name('int_none')]).toEqual([true, false])
  const rows = await useOwner(connection =>
    connection.run(sql`
      select name, developers_email as email from auth.integrations
       where id in (${one.integration}, ${other.integration}) order by id`),
  )
  expect([...rows]).toEqual([
    { name: 'One', email: 'dev@example.com' },
    { name: 'Other', email: null },
  ])
})
