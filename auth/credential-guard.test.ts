// Tests each condition of the guard for keys and tokens on its own, even for changes that don't
// increment the revision, and how the guard records use.

import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import type { Mode } from '#contract/operation.ts'
import { type Connection, openPool } from '#database/pool.ts'
import { sql, type Statement } from '#database/sql.ts'
import type { CachedCredential } from './credential-cache.ts'
import { guardConnection, ignoreFull, markUsed, rehash, StaleCredential } from './guard.ts'
import { grant, openIntegration, openOrganization } from './integrations.ts'
import { findCredential, presentedCredential } from './principal.ts'
import { acceptAgreement } from './testing/administration.ts'
import { openAuthDatabase, pepper } from './testing/database.ts'
import { passesGuard, setTenant } from './testing/guarded.ts'
import { verify } from './testing/verify.ts'

const context = await openAuthDatabase()
const { owner, gateways, run } = context
afterAll(() => context.close())

let integration: string
let sandbox: string
let token: string
beforeEach(async () => {
  ;({ integration, organization: sandbox } = await owner.use(one => openIntegration(one, 'Ada')))
  token = await context.mint({ integration })
})

const present = (mode: Mode = 'test') =>
  presentedCredential([pepper], { token, mode, organization: null })
async function found(mode: Mode = 'test'): Promise<CachedCredential> {
  const cached = await gateways[mode].use(connection => findCredential(connection, present(mode)))
  if (cached === null) throw new Error('the key was not found')
  return cached
}
/** Whether a call passes the guard on a connection set to a tenant. */
const passes = (cached: CachedCredential, tenant = cached.tenant) =>
  passesGuard(gateways[cached.credential.mode], tenant, connection =>
    guardConnection(connection, cached),
  )
const openOther = async () => {
  const other = await owner.use(one => openIntegration(one, 'Other'))
  const [row] = await run(sql`
    select s.id::text as tenant, i.revision::text as revision
      from test.tenants s join auth.integrations i on i.id = s.integration
     where s.organization = ${other.organization}`)
  return {
    integration: other.integration,
    tenant: String(row?.['tenant']),
    revision: String(row?.['revision']),
  }
}

const changed = (table: Statement, to: Statement, where: () => Statement) => async () => {
  // Disables triggers, so the revision stays the same.
  await run(sql`alter table ${table} disable trigger user`)
  await run(sql`update ${table} set ${to} where ${where()}`)
  await run(sql`alter table ${table} enable trigger user`)
}
const key = (to: Statement) =>
  changed(sql`auth.credentials`, to, () => sql`integration = ${integration}`)
const itsIntegration = (to: Statement) =>
  changed(sql`auth.integrations`, to, () => sql`id = ${integration}`)
const itsTenant = (to: Statement) =>
  changed(sql`test.tenants`, to, () => sql`organization = ${sandbox}`)

test.each<[what: string, change: () => Promise<void>, isPassing: boolean]>([
  ['is unchanged', async () => undefined, true],
  ['is revoked', key(sql`revoked_at = now()`), false],
  ['has expired', key(sql`expires_at = now() - interval '1 ms'`), false],
  ['expires later', key(sql`expires_at = now() + interval '1 minute'`), true],
  ['belongs to a suspended integration', itsIntegration(sql`suspended_at = now()`), false],
  ['belongs to a changed integration', itsIntegration(sql`revision = revision + 1`), false],
  ['belongs to a retired tenant', itsTenant(sql`retired_at = now()`), false],
  ['belongs to a tenant whose clock was advanced', itsTenant(sql`ahead_ms = 1`), false],
])('a cached key that %s', async (_what, change, isPassing) => {
  const cached = await found()
  await change()
  expect(await passes(cached)).toBe(isPassing)
})

describe('a wrong cache entry', () => {
  test('never opens another integration’s tenant, and leaves no tenant set', async () => {
    const [cached, other] = [await found(), await openOther()]
    const wrong = { ...cached, tenant: other.tenant }
    expect(await passes(wrong)).toBe(false)
    await gateways.test.use(async connection => {
      await setTenant(connection, '')
      connection.tenant = undefined
      const query = verify(guardConnection(connection, wrong))
      await expect(query).rejects.toBeInstanceOf(StaleCredential)
      expect(connection.tenant).toBeUndefined()
      const [row] = await connection.run(sql`select current_setting('app.tenant', true) as tenant`)
      expect(row).toEqual({ tenant: '' })
    })
  })

  test('cannot move a key to another integration', async () => {
    const [cached, other] = [await found(), await openOther()]
    const credential = { ...cached.credential, integration: other.integration }
    expect(await passes({ ...cached, credential, revision: other.revision })).toBe(false)
  })
})

test('a live key needs the agreement from its lookup; a test key needs none', async () => {
  const slug = `clinic-${crypto.randomUUID()}`
  const clinic = await owner.use(one => openOrganization(one, 'Clinic', slug))
  await owner.use(one => grant(one, { integration, organization: clinic, mode: 'live' }))
  const sandboxKey = token
  token = await context.mint({ integration, mode: 'live' })
  expect(await passes(await found('live'))).toBe(true)
  await owner.use(one => acceptAgreement(one, integration, '2026-09-01'))
  const agreed = [await found('live')]
  token = sandboxKey
  agreed.push(await found('test'))
  expect(agreed.map(one => one.credential.agreed)).toEqual([true, true])
  await run(sql`alter table auth.agreements disable trigger user`)
  await run(
    sql`update auth.agreements set terminated_at = now() where integration = ${integration}`,
  )
  await run(sql`alter table auth.agreements enable trigger user`)
  expect(await Promise.all(agreed.map(one => passes(one)))).toEqual([false, true])
})

test('a call fails if its connection is replaced between two of its statements', async () => {
  const cached = await found()
  await gateways.test.use(async connection => {
    await setTenant(connection, cached.tenant)
    const guarded = guardConnection(connection, cached)
    await verify(guarded)
    await setTenant(connection, '')
    connection.tenant = undefined
    await expect(verify(guarded)).rejects.toBeInstanceOf(StaleCredential)
  })
})

test('a key’s use is recorded only for that key', async () => {
  const unused = await context.mint({ integration, name: 'unused' })
  expect(unused).not.toBe(token)
  const cached = await found()
  await run(sql`update auth.credentials set last_used_at = null where integration = ${integration}`)
  expect(await passes(cached)).toBe(true)
  const used = await run(sql`
    select name from auth.credentials
     where integration = ${integration} and last_used_at is not null`)
  expect(used).toEqual([{ name: 'k' }])
})

describe('a connection that fails', () => {
  const failing = (failure: unknown): Connection => ({
    tenant: undefined,
    run: () => Promise.reject(failure),
  })
  const [lost, full] = [new Error('lost'), { errno: '53100' }]

  test('counts as set to no tenant', async () => {
    const cached = await found()
    const connection = failing(lost)
    const query = verify(guardConnection(connection, cached))
    await expect(query).rejects.toThrow('lost')
    expect(connection.tenant).toBeUndefined()
  })

  test('does not fail a call if the disk is full, but does for any other reason', async () => {
    const [newest] = present().hashes
    for (const write of [
      (connection: Connection) => markUsed(connection, 'key_1'),
      (connection: Connection) => rehash(connection, 'key_1', [newest], pepper),
    ]) {
      await write(failing(full))
      await expect(write(failing(lost))).rejects.toThrow('lost')
    }
    expect(() => ignoreFull(full)).not.toThrow()
    expect(() => ignoreFull(lost)).toThrow('lost')
  })
})

describe('bookkeeping during a call', () => {
  /** A connection where one kind of statement fails. */
  const refusing = (connection: Connection, kind: RegExp, failure: unknown): Connection => ({
    get tenant() {
      return connection.tenant
    },
    set tenant(opened) {
      connection.tenant = opened
    },
    run: statement =>
      kind.test(statement.text) ? Promise.reject(failure) : connection.run(statement),
  })
  const unused = () => run(sql`update auth.credentials set last_used_at = null`)
  const works: [what: string, kind: RegExp, work: (connection: Connection) => Promise<unknown>][] =
    [
      [
        'a cached key’s use',
        /update auth.credentials/,
        async connection => {
          const cached = await found()
          await unused()
          connection.tenant = undefined
          return verify(guardConnection(connection, cached))
        },
      ],
      [
        'a looked-up key’s use',
        /update auth.credentials/,
        connection => findCredential(connection, present()),
      ],
      [
        'a key’s hash under a newer pepper',
        /rehash_credential/,
        connection => {
          const presented = { token, mode: 'test', organization: null } as const
          return findCredential(connection, presentedCredential(['new', pepper], presented))
        },
      ],
    ]
  test.each(works)(
    '%s: a full disk fails no call, and a lost connection does',
    async (_what, kind, work) => {
      const pool = openPool({
        url: context.urls.test,
        size: 1,
        name: 'other',
        path: 'test, public',
      })
      const outcome = (failure: unknown) =>
        pool.use(connection =>
          work(refusing(connection, kind, failure)).then(
            result => result !== null,
            (thrown: unknown) => thrown,
          ),
        )
      await unused()
      expect(await outcome({ errno: '53100' })).toBe(true)
      await unused()
      const lost = new Error('lost')
      expect(await outcome(lost)).toBe(lost)
      await pool.close()
    },
  )
})
