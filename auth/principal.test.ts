// Tests credential lookup: which key is found, for which organizations, with which scopes, and the
// tenant set on its connection.

import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { allScopes, type MemberRole, roleScopes, type Scope } from '#contract/scopes.ts'
import { sql } from '#database/sql.ts'
import { type Mode } from '#contract/operation.ts'
import type { KeyCreation } from './administration.ts'
import { grant, openIntegration, openOrganization } from './integrations.ts'
import { acceptAgreement } from './testing/administration.ts'
import { issueToken } from './testing/tokens.ts'
import { mintKey } from './tokens.ts'
import { authenticateWithCache } from './testing/authenticate.ts'
import { actingFor, type CredentialCache, createCredentialCache } from './principal.ts'
import { openAuthDatabase, pepper } from './testing/database.ts'

const credentialCache = createCredentialCache()
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
const mint = (more: Partial<KeyCreation> = {}) => context.mint({ integration, ...more })

/** Returns the gateway's result and its connection's tenant. Expects the same result with and
 *  without the cache. */
async function authenticate(
  token: string,
  mode: Mode = 'test',
  organization: string | null = null,
) {
  return gateways[mode].use(async connection => {
    const lookUp = async (cache?: CredentialCache) => {
      const credential = await authenticateWithCache(
        connection,
        pepper,
        { token, mode, organization },
        cache,
      )
      const [row] = await connection.run<{ tenant: string }>(
        sql`select current_setting('app.tenant', true) as tenant`,
      )
      return { credential, tenant: row?.tenant }
    }
    const cached = await lookUp(credentialCache)
    expect(cached).toEqual(await lookUp())
    return cached
  })
}

const clinic = async (scopes?: Scope[]) => {
  const slug = `clinic-${crypto.randomUUID()}`
  const organization = await owner.use(connection => openOrganization(connection, 'Clinic', slug))
  await owner.use(connection =>
    grant(connection, { integration, organization, mode: 'test', ...(scopes ? { scopes } : {}) }),
  )
  return organization
}

describe('an API key', () => {
  test('is found with its integration, scopes and organizations, and opens its tenant', async () => {
    const { credential, tenant } = await authenticate(await mint({ scopes: ['cases:read'] }))
    expect(credential).toMatchObject({ integration, mode: 'test', scopes: ['cases:read'] })
    expect(credential?.organizations.map(one => one.id)).toEqual([sandbox])
    expect(tenant).toBe(credential?.organizations[0]?.tenant ?? 'none')
  })

  test('an unknown, revoked, expired or suspended credential is not found, and opens no tenant', async () => {
    const good = await mint()
    const revoked = await mint({ name: 'revoked' })
    await run(sql`update auth.credentials set revoked_at = now() where name = 'revoked'`)
    const expired = await mint({ expiresAt: '2020-01-01T00:00:00Z' })
    const other = await owner.use(connection => openIntegration(connection, 'Away'))
    const suspended = await mint({ integration: other.integration })
    await run(
      sql`update auth.integrations set suspended_at = now() where id = ${other.integration}`,
    )
    for (const token of ['unknown', revoked, expired, suspended]) {
      expect((await authenticate(good)).credential).not.toBeNull()
      expect(await authenticate(token)).toEqual({ credential: null, tenant: '' })
    }
    await run(sql`update auth.integrations set suspended_at = null where id = ${other.integration}`)
    expect((await authenticate(suspended)).credential).not.toBeNull()
    expect(
      (await authenticate(await mint({ expiresAt: '2999-01-01T00:00:00Z' }))).credential,
    ).not.toBeNull()
  })

  test('is bound to its mode: the same secret isn’t found in the other mode', async () => {
    const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
    for (const [mode, other] of [
      ['test', 'live'],
      ['live', 'test'],
    ] as const) {
      const token = await mint({ mode })
      const secret = token.slice('svc_sk_test_'.length, -6)
      let value = 0n
      for (const one of secret) value = value * 62n + BigInt(digits.indexOf(one))
      // The forged key has a valid checksum.
      const forged = mintKey(other, Buffer.from(value.toString(16).padStart(64, '0'), 'hex'))
      expect(forged.slice(12, -6)).toBe(secret)
      expect((await authenticate(token, mode)).credential?.mode).toBe(mode)
      expect((await authenticate(forged, other)).credential).toBeNull()
      // The other mode's role doesn't find the real key either.
      expect((await authenticate(token, other)).credential).toBeNull()
    }
  })

  test('is not found with another pepper', async () => {
    const token = await mint()
    const credential = await gateways.test.use(connection =>
      authenticateWithCache(connection, 'another', { token, mode: 'test', organization: null }),
    )
    expect(credential).toBeNull()
  })

  test('has its use recorded at most once a minute', async () => {
    const token = await mint({ name: 'used' })
    const used = async () =>
      (
        await run(sql`select iso(last_used_at) as at from auth.credentials where name = 'used'`)
      )[0]?.['at']
    expect(await used()).toBeNull()
    await authenticate(token)
    const first = await used()
    expect(first).not.toBeNull()
    await authenticate(token)
    expect(await used()).toBe(first)
    await run(
      sql`update auth.credentials set last_used_at = now() - interval '61 seconds' where name = 'used'`,
    )
    const earlier = await used()
    const roundTrips = gateways.test.roundTrips()
    await authenticate(token)
    expect(String(await used()) > String(earlier)).toBe(true)
    await authenticate(token)
    // Four reads of the setting, four lookups, and one recorded use.
    expect(gateways.test.roundTrips() - roundTrips).toBe(9)
  })
})

describe('organizations', () => {
  test('with several organizations no tenant is opened unless the call names one', async () => {
    const second = await clinic()
    const token = await mint()
    const { credential, tenant } = await authenticate(token)
    const ids = credential?.organizations.map(one => one.id)
    expect(ids).toEqual([sandbox, second].sort())
    expect(tenant).toBe('')
    for (const one of credential?.organizations ?? []) {
      expect((await authenticate(token, 'test', one.id)).tenant).toBe(one.tenant)
    }
    expect((await authenticate(token, 'test', 'org_unknown')).tenant).toBe('')
  })

  test('a key bound to one organization can’t access others', async () => {
    const second = await clinic()
    const token = await mint({ organization: second })
    const { credential, tenant } = await authenticate(token)
    expect(credential?.organizations.map(one => one.id)).toEqual([second])
    expect(tenant).toBe(credential?.organizations[0]?.tenant ?? 'none')
    expect((await authenticate(token, 'test', sandbox)).tenant).toBe('')
  })

  test.each(['revoked', 'pending', 'declined'])(
    'a grant that is %s gives no access',
    async status => {
      const second = await clinic()
      await run(sql`update auth.grants set status = ${status} where organization = ${second}`)
      const { credential, tenant } = await authenticate(await mint())
      expect(credential?.organizations.map(one => one.id)).toEqual([sandbox])
      expect(tenant).not.toBe('')
      await run(sql`update auth.grants set status = ${status} where integration = ${integration}`)
      const none = await authenticate(await mint())
      expect([none.credential?.organizations, none.tenant]).toEqual([[], ''])
    },
  )
})

describe('scopes', () => {
  test('are the intersection of key and grant, in published order, computed on each call', async () => {
    const scopes = ['visits:read', 'cases:read', 'patients:read'] as const
    const token = await mint({ scopes })
    const effective = async () => {
      const { credential } = await authenticate(token)
      const [granted] = credential?.organizations ?? []
      return credential && granted ? actingFor(credential, granted).scopes : null
    }
    expect(await effective()).toEqual(['patients:read', 'cases:read', 'visits:read'])
    await run(sql`
      update auth.grants set scopes = '{visits:read,cases:read,cases:write}' where integration = ${integration}`)
    expect(await effective()).toEqual(['cases:read', 'visits:read'])
    await run(sql`update auth.grants set scopes = '{}' where integration = ${integration}`)
    expect(await effective()).toEqual([])
  })
})

/** Returns pseudo-random subsets of the scopes, the same in each run. */
function subsets(seed: number) {
  let state = seed
  return () =>
    allScopes.filter(() => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
      return state > 2 ** 31
    })
}

describe('scopes for any credential and grant', () => {
  const roles = [null, ...(Object.keys(roleScopes) as MemberRole[])]
  const cases = roles.flatMap((role, seed) => {
    const next = subsets(seed + 1)
    return Array.from({ length: 12 }, () => ({ role, own: next(), granted: next() }))
  })
  test('are those that the credential, grant and role all allow', async () => {
    const sizes = new Set<number>()
    for (const { role, own, granted } of cases) {
      const token =
        role === null
          ? await mint({ scopes: own })
          : await owner.use(async connection => {
              const request = { integration, kind: 'agent', role, scopes: own } as const
              return (await issueToken(connection, pepper, request)).token
            })
      await run(
        sql`update auth.grants set scopes = ${granted}::text[] where integration = ${integration}`,
      )
      const { credential } = await authenticate(token)
      const [found] = credential?.organizations ?? []
      const effective = credential && found ? actingFor(credential, found).scopes : null
      const allowed: readonly Scope[] = role === null ? allScopes : roleScopes[role]
      const expected = allScopes.filter(scope =>
        [own, granted, allowed].every(one => one.includes(scope)),
      )
      expect({ role, own, granted, effective }).toEqual({ role, own, granted, effective: expected })
      sizes.add(expected.length)
    }
    expect(sizes.size).toBeGreaterThan(4)
  })
})

describe('the agreement', () => {
  test('is in effect from its acceptance until it ends or is terminated', async () => {
    const token = await mint()
    const agreed = async () => (await authenticate(token)).credential?.agreed
    expect(await agreed()).toBe(false)
    await owner.use(connection => acceptAgreement(connection, integration, '2026-09-01'))
    expect(await agreed()).toBe(true)
    // Timestamps are rounded to the millisecond, so a second ago is safely in the past.
    const past = sql`now() - interval '1 second'`
    for (const ended of [sql`ends_at = ${past}`, sql`ends_at = null, terminated_at = ${past}`]) {
      await run(sql`update auth.agreements set ${ended} where integration = ${integration}`)
      expect(await agreed()).toBe(false)
    }
    await owner.use(connection => acceptAgreement(connection, integration, '2026-10-01'))
    expect(await agreed()).toBe(true)
  })
})
