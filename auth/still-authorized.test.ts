// Tests whether a key is still authorized, which decides whether realtime subscribers stay
// connected.

import { afterAll, beforeEach, expect, test } from 'bun:test'
import { sql, type Statement } from '#database/sql.ts'
import type { Mode } from '#contract/operation.ts'
import { grant, openIntegration, openOrganization } from './integrations.ts'
import { acceptAgreement } from './testing/administration.ts'
import { stillAuthorized } from './principal.ts'
import { openAuthDatabase, pepper } from './testing/database.ts'
import { issueToken, type TokenRequest } from './testing/tokens.ts'

const context = await openAuthDatabase()
const { owner, gateways, run } = context
afterAll(() => context.close())

let integration: string
let clinic: string
let other: string
let credential: string
beforeEach(async () => {
  ;({ integration } = await owner.use(connection => openIntegration(connection, 'Ada')))
  ;[clinic, other] = [await grantedClinic(), await grantedClinic()]
  await owner.use(connection => acceptAgreement(connection, integration, '2026-09-01'))
  credential = await newKey('live')
})

async function grantedClinic(): Promise<string> {
  const slug = `clinic-${crypto.randomUUID()}`
  const organization = await owner.use(connection => openOrganization(connection, 'Clinic', slug))
  await owner.use(connection => grant(connection, { integration, organization, mode: 'live' }))
  return organization
}
async function newKey(mode: Mode): Promise<string> {
  await context.mint({ integration, mode })
  const rows = await run(
    sql`select id from auth.credentials where integration = ${integration} and mode = ${mode}`,
  )
  return String(rows[0]?.['id'])
}
/** The organizations that the key may still subscribe to. */
const authorized = async (mode: Mode = 'live', key = credential) => {
  const held = [clinic, other].map(organization => ({ holder: key, organization }))
  const rows = await gateways[mode].use(connection =>
    stillAuthorized(connection, mode, 'realtime:subscribe', held),
  )
  return rows.map(row => row.organization).toSorted()
}

/** Each change to the key or its access to `clinic`, and whether the key can still access the other
 *  clinic. */
const changes: [string, () => Statement, boolean][] = [
  [
    'the clinic no longer grants the scope',
    () => sql`auth.grants set scopes = '{cases:read}'`,
    true,
  ],
  ['the clinic revokes the grant', () => sql`auth.grants set status = 'revoked'`, true],
  ['the key loses the scope', () => sql`auth.credentials set scopes = '{cases:read}'`, false],
  ['the key is revoked', () => sql`auth.credentials set revoked_at = now()`, false],
  [
    'the key expires',
    () => sql`auth.credentials set expires_at = now() - interval '1 second'`,
    false,
  ],
  ['the agreement ends', () => sql`auth.agreements set terminated_at = now()`, false],
]

test.each(changes)(
  'a subscriber’s authorization ends when %s',
  async (_name, change, keepsOther) => {
    expect(await authorized()).toEqual([clinic, other].toSorted())
    const only = keepsOther ? sql`and organization = ${clinic}` : sql``
    await run(sql`update ${change()} where integration = ${integration} ${only}`)
    expect(await authorized()).toEqual(keepsOther ? [other] : [])
  },
)

test('a subscriber’s authorization ends when its integration is suspended', async () => {
  await run(sql`update auth.integrations set suspended_at = now() where id = ${integration}`)
  expect(await authorized()).toEqual([])
})

test('a subscriber’s authorization ends when its key is bound to another organization', async () => {
  await run(sql`update auth.credentials set organization = ${other} where id = ${credential}`)
  expect(await authorized()).toEqual([other])
})

test('a subscriber’s authorization is valid only in its key’s mode', async () => {
  expect(await authorized('test')).toEqual([])
  expect(await authorized('live', await newKey('test'))).toEqual([])
})

/** A live client's token, and a test agent's tokens, by family. */
const familyOf = async (request: Omit<TokenRequest, 'integration'>) =>
  (await owner.use(connection => issueToken(connection, pepper, { integration, ...request })))
    .family

test('a token family’s authorization is limited by its scopes, its organization and the role', async () => {
  expect(await authorized('live', await familyOf({ mode: 'live' }))).toEqual(
    [clinic, other].toSorted(),
  )
  const bound = await familyOf({ mode: 'live', organization: clinic })
  expect(await authorized('live', bound)).toEqual([clinic])
  const narrow = await familyOf({ mode: 'live', scopes: ['cases:read'] })
  expect(await authorized('live', narrow)).toEqual([])
  expect(await authorized('test', await familyOf({ mode: 'live' }))).toEqual([])
  await owner.use(connection =>
    grant(connection, { integration, organization: clinic, mode: 'test' }),
  )
  for (const [role, expected] of [
    ['owner', [clinic]],
    ['developer', [clinic]],
    ['billing', []],
    ['viewer', []],
  ] as const) {
    const family = await familyOf({ kind: 'agent', role })
    expect([role, await authorized('test', family)]).toEqual([role, [...expected]])
  }
})

test('a token family’s authorization ends when its person leaves the integration', async () => {
  await owner.use(connection =>
    grant(connection, { integration, organization: clinic, mode: 'test' }),
  )
  const [left, stays] = [
    await familyOf({ kind: 'agent', role: 'owner' }),
    await familyOf({ kind: 'agent', role: 'owner' }),
  ]
  const leaver = sql`(select person from auth.token_families where id = ${left})`
  // Another integration's member isn't a member here.
  const { integration: elsewhere } = await owner.use(connection =>
    openIntegration(connection, 'Ben'),
  )
  await run(
    sql`insert into auth.members (integration, person, role) values (${elsewhere}, ${leaver}, 'owner')`,
  )
  expect(await authorized('test', left)).toEqual([clinic])
  const change = (to: Statement) =>
    run(
      sql`update auth.members set ${to} where integration = ${integration} and person = ${leaver}`,
    )
  await change(sql`role = 'viewer'`)
  expect(await authorized('test', left)).toEqual([])
  await change(sql`role = 'developer'`)
  expect(await authorized('test', left)).toEqual([clinic])
  await change(sql`removed_at = now()`)
  expect(await authorized('test', left)).toEqual([])
  expect(await authorized('test', stays)).toEqual([clinic])
  await run(sql`update auth.token_families set ends_at = now() - interval '1 second'
               where id = ${stays}`)
  expect(await authorized('test', stays)).toEqual([])
})

test('a subscriber’s authorization does not depend on a single token', async () => {
  const { id, family } = await owner.use(connection =>
    issueToken(connection, pepper, { integration, mode: 'live' }),
  )
  expect(await authorized('live', family)).toEqual([clinic, other].toSorted())
  expect(await authorized('live', id)).toEqual([])
})

test('a subscriber’s authorization names its own integration’s tenant', async () => {
  const { integration: elsewhere } = await owner.use(connection =>
    openIntegration(connection, 'Ben'),
  )
  await owner.use(connection =>
    grant(connection, { integration: elsewhere, organization: clinic, mode: 'live' }),
  )
  const tenants = await gateways.live.use(connection =>
    stillAuthorized(connection, 'live', 'realtime:subscribe', [
      { holder: credential, organization: clinic },
    ]),
  )
  const own = await run(sql`select id::text as tenant from live.tenants
                             where integration = ${integration} and organization = ${clinic}`)
  expect(tenants.map(({ tenant }) => tenant)).toEqual(own.map(row => String(row['tenant'])))
  expect(own).toHaveLength(1)
  await run(sql`update auth.grants set status = 'revoked'
                 where integration = ${integration} and organization = ${clinic}`)
  expect(await authorized()).toEqual([other])
})

test('a subscriber’s authorization lasts until its key expires; test keys need no agreement', async () => {
  const key = await newKey('test')
  await owner.use(connection =>
    grant(connection, { integration, organization: clinic, mode: 'test' }),
  )
  await run(
    sql`update auth.agreements set terminated_at = now() where integration = ${integration}`,
  )
  await run(sql`update auth.credentials set expires_at = now() + interval '1 minute'
                 where id = ${key}`)
  expect(await authorized('test', key)).toEqual([clinic])
  // Access in live mode doesn't carry over to test mode, even though the clinic granted both.
  expect(await authorized('test')).toEqual([])
  expect(await authorized('test', await familyOf({ mode: 'live' }))).toEqual([])
})
