// Clinical API access tokens over real HTTP, at two gateways that share only the database. A change
// to a token's permissions applies to the next request at either gateway.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { issueKey, openIntegration } from '#auth/integrations.ts'
import { hashToken, mintAccessToken } from '#auth/tokens.ts'
import { type IssuedToken, issueToken, type TokenRequest } from '#auth/testing/tokens.ts'
import { allScopes, roleScopes } from '#contract/scopes.ts'
import { randomBytes } from '#database/clock.ts'
import { sql, type Statement } from '#database/sql.ts'
import { invokeOk } from '#clinical/testing/call.ts'
import { queryAsOwner } from '#clinical/testing/assertions.ts'
import { openTestGateway } from '#gateway/testing/gateway.ts'

type Gateway = Awaited<ReturnType<typeof openTestGateway>>
let here: Gateway
let there: Gateway
beforeAll(async () => {
  here = await openTestGateway()
  there = await openTestGateway({ beside: here.fixtures })
})
afterAll(async () => {
  await there.close()
  await here.close()
})

const run = (statement: Statement) => queryAsOwner(here.fixtures, statement)
const issue = (request: Partial<TokenRequest> = {}): Promise<IssuedToken> =>
  here.fixtures.owner.use(connection =>
    issueToken(connection, here.fixtures.context.pepper, {
      integration: here.fixtures.ada.integration,
      ...request,
    }),
  )
const newIntegration = async () =>
  (await here.fixtures.owner.use(connection => openIntegration(connection, 'Cal'))).integration

/** Both gateways' responses: the status, or the code of an error. */
const answersTo = (as: string, path = '/v1/organization') =>
  Promise.all(
    [here, there].map(async gateway => {
      const answer = await gateway.call(path, { as })
      return answer.ok ? answer.status : (await answer.json()).code
    }),
  )
const twice = <T>(one: T): [T, T] => [one, one]
const scopesOf = async (as: string) =>
  (await (await here.call('/v1/organization', { as })).json()).scopes

const kinds = ['client', 'agent', 'device'] as const

describe('v1: access tokens', () => {
  test.each(kinds)('200: %s token acts like its integration’s key', async kind => {
    const { ada } = here.fixtures
    const { token } = await issue({ kind })
    const own = await (await here.call('/v1/organization', { as: token })).text()
    expect(own).toBe(await (await here.call('/v1/organization', { as: ada.test })).text())
  })

  test('200: a confidential client’s live token, with an agreement in force', async () => {
    const { token } = await issue({ mode: 'live' })
    expect(await answersTo(token)).toEqual(twice(200))
  })

  test.each(['agent', 'device'] as const)('no live %s token exists', async kind => {
    await expect(issue({ kind, mode: 'live' })).rejects.toThrow('token_families_check')
    const { family, client, person } = await issue({ kind })
    const forged = issue({ kind, mode: 'live', of: { token: '', id: '', family, client, person } })
    await expect(forged).rejects.toThrow('agents_and_devices_are_test')
  })

  test('401: a person’s session isn’t an API token', async () => {
    const { person } = await issue({ kind: 'agent' })
    const token = mintAccessToken('test', randomBytes(32))
    await run(sql`
      insert into auth.credentials
        (id, kind, origin, sign_in, person, name, scopes, hash, last4, expires_at)
      values (${`tok_${token.slice(-26)}`}, 'session', 'portal', 'tok_1', ${person}, 'a session', '{}',
              ${hashToken(here.fixtures.context.pepper, token)}, ${token.slice(-4)},
              now() + interval '1 hour')`)
    expect(await answersTo(token)).toEqual(twice('unauthorized'))
  })

  test('401 without a query: a token with one character changed', async () => {
    const { token } = await issue()
    const gateways = [here, there]
    for (const gateway of gateways) gateway.breaks(new Error('a query'))
    for (const at of [12, 30, 60]) {
      const other = token[at] === 'x' ? 'y' : 'x'
      const changed = token.slice(0, at) + other + token.slice(at + 1)
      expect(await answersTo(changed)).toEqual(twice('unauthorized'))
    }
    expect(await answersTo(token)).toEqual(twice('internal_error'))
    for (const gateway of gateways) gateway.breaks(undefined)
  })

  test('401: a token only for the tool server', async () => {
    expect(await answersTo((await issue({ audience: ['mcp'] })).token)).toEqual(
      twice('unauthorized'),
    )
    expect(await answersTo((await issue({ audience: ['api'] })).token)).toEqual(twice(200))
    expect(await answersTo((await issue({ audience: ['api', 'mcp'] })).token)).toEqual(twice(200))
  })
})

describe('v1: a person’s token’s scopes', () => {
  test.each(Object.entries(roleScopes))('are limited by the role %s', async (role, allowed) => {
    const request = { kind: 'agent', integration: await newIntegration() } as const
    const { token } = await issue({ ...request, role: role as keyof typeof roleScopes })
    expect(await scopesOf(token)).toEqual([...allowed])
    const scopes = ['organization:read', 'cases:write', 'cases:read'] as const
    const narrow = await issue({ ...request, role: role as keyof typeof roleScopes, scopes })
    const both = allScopes.filter(
      one => [...scopes, ''].includes(one) && allowed.some(two => two === one),
    )
    expect(await scopesOf(narrow.token)).toEqual(both)
  })
})

type Change = {
  name: string
  change(issued: IssuedToken & { integration: string }): Statement
  code: string
  kinds?: readonly (typeof kinds)[number][]
}
const byPerson = ['agent', 'device'] as const

const changes: Change[] = [
  {
    name: 'it is revoked',
    change: ({ id }) => sql`update auth.credentials set revoked_at = now() where id = ${id}`,
    code: 'unauthorized',
  },
  {
    name: 'it was issued 3,601 seconds ago',
    change: ({ id }) => sql`
      update auth.credentials set expires_at = now() - interval '1 second' where id = ${id}`,
    code: 'unauthorized',
  },
  {
    name: 'its family is revoked',
    change: ({ family }) => sql`
      update auth.token_families set revoked_at = now() where id = ${family}`,
    code: 'unauthorized',
  },
  {
    name: 'its family ends',
    change: ({ family }) => sql`
      update auth.token_families set ends_at = now() - interval '1 second' where id = ${family}`,
    code: 'unauthorized',
  },
  {
    name: 'its client is revoked',
    change: ({ client }) => sql`update auth.clients set revoked_at = now() where id = ${client}`,
    code: 'unauthorized',
  },
  {
    name: 'its member is removed',
    change: ({ person }) => sql`
      update auth.members set removed_at = now() where person = ${person}`,
    code: 'unauthorized',
    kinds: byPerson,
  },
  {
    name: 'its person is disabled',
    change: ({ person }) => sql`update auth.persons set disabled_at = now() where id = ${person}`,
    code: 'unauthorized',
    kinds: byPerson,
  },
  {
    name: 'its member gets a role without the scope',
    change: ({ person }) => sql`
      update auth.members set role = 'billing' where person = ${person}`,
    code: 'insufficient_scope',
    kinds: byPerson,
  },
  {
    name: 'its integration is suspended',
    change: ({ integration }) => sql`
      update auth.integrations set suspended_at = now() where id = ${integration}`,
    code: 'unauthorized',
  },
  {
    name: 'its clinic grants the scope no more',
    change: ({ integration }) => sql`
      update auth.grants set scopes = '{organization:read}' where integration = ${integration}`,
    code: 'insufficient_scope',
  },
]

describe('v1: each change to a token applies to the next request at both gateways', () => {
  test.each(changes)('$code: $name', async ({ change, code, kinds: only = kinds }) => {
    for (const kind of only) {
      const integration = await newIntegration()
      const issued = await issue({ kind, integration })
      const read = () => answersTo(issued.token, '/v1/patients')
      // Reads twice, so both gateways have cached the token.
      expect([kind, await read(), await read()]).toEqual([kind, twice(200), twice(200)])
      await run(change({ ...issued, integration }))
      expect([kind, await read()]).toEqual([kind, twice(code)])
    }
  })

  test('unauthorized: a second after it expires, but not ten seconds before', async () => {
    const { token, id } = await issue({ kind: 'agent' })
    const issuedAgo = async (seconds: number) => {
      await run(sql`
        update auth.credentials set expires_at = now() + (3600 - ${seconds}::int) * interval '1 second'
         where id = ${id}`)
      return answersTo(token)
    }
    // Leaves ten seconds, so the token can't expire before the API responds.
    expect(await issuedAgo(3590)).toEqual(twice(200))
    expect(await issuedAgo(3601)).toEqual(twice('unauthorized'))
    expect(await issuedAgo(3590)).toEqual(twice(200))
  })

  test('baa_required: its integration no longer has an agreement in force', async () => {
    const { ben } = here.fixtures
    const { token } = await issue({ mode: 'live', integration: ben.integration })
    expect([await answersTo(token), await answersTo(token)]).toEqual([twice(200), twice(200)])
    await run(sql`
      update auth.agreements set terminated_at = now() where integration = ${ben.integration}`)
    expect(await answersTo(token)).toEqual(twice('baa_required'))
  })

  test('200: another token or key still works', async () => {
    const { owner, context } = here.fixtures
    const integration = await newIntegration()
    const [ended, beside] = [
      await issue({ kind: 'agent', integration }),
      await issue({ integration }),
    ]
    const { key } = await owner.use(connection =>
      issueKey(connection, context.pepper, { integration, mode: 'test', name: 'beside' }),
    )
    for (const as of [ended.token, beside.token, key])
      expect(await answersTo(as)).toEqual(twice(200))
    await run(sql`update auth.members set removed_at = now() where person = ${ended.person}`)
    expect(await answersTo(ended.token)).toEqual(twice('unauthorized'))
    for (const as of [beside.token, key]) expect(await answersTo(as)).toEqual(twice(200))
  })

  test('200: a refreshed token, whose predecessor is revoked', async () => {
    const first = await issue({ kind: 'device' })
    const next = await issue({ kind: 'device', of: first })
    await run(sql`update auth.credentials set revoked_at = now() where id = ${first.id}`)
    expect(await answersTo(first.token)).toEqual(twice('unauthorized'))
    expect(await answersTo(next.token)).toEqual(twice(200))
  })
})

test('v1: a request with a cached token takes one statement, like a key', async () => {
  const { auditWriter, pools } = here.fixtures.context
  // Flushes the audit rows of the tests above, because these rows are written in the background.
  await auditWriter.flush()
  const { ada } = here.fixtures
  for (const as of [ada.test, ...(await Promise.all(kinds.map(kind => issue({ kind }))))]) {
    const list = () =>
      invokeOk(here.fixtures, 'listPatients', { as: typeof as === 'string' ? as : as.token })
    await list()
    const before = pools.test.roundTrips()
    await list()
    expect(pools.test.roundTrips() - before).toBe(1)
  }
})
