// A surface for people who sign in. Its credential is a session, which has no integration. Its
// operations act on an integration where the person is a member, for no organization.

import { beforeAll, expect, test } from 'bun:test'
import { Type as t } from 'typebox'
import type { AnyOperation } from '#contract/operation.ts'
import { hashToken } from '#auth/tokens.ts'
import { sql } from '#database/sql.ts'
import { queryAsOwner } from '../testing/assertions.ts'
import { invoke } from '../testing/call.ts'
import { useFixtures } from '../testing/fixtures.ts'
import { personSessions } from './authentication.ts'
import { type AnyPrincipal, handlersOf } from './handler.ts'
import { perform } from './perform.ts'
import { createRateLimits } from './rate-limits.ts'
import { published } from './publish.ts'
import { defineSurface } from './surface.ts'

const fixtures = useFixtures()

const rows = {
  rename: {
    method: 'PATCH',
    path: '/brand',
    tag: 'Brand',
    summary: 'Name the brand.',
    body: t.Object({ name: t.String() }, { additionalProperties: false }),
    status: 200,
    returns: t.Object({ name: t.String() }),
  },
} as const satisfies Record<string, AnyOperation>

const { write } = handlersOf<typeof rows, AnyPrincipal & { organization: null }>()
const pages = defineSurface({
  name: 'portal',
  authentication: personSessions,
  challenge: () => 'Cookie',
  operations: rows,
  handlers: {
    rename: write('rename', {
      decide: (_call, { name }) => name,
      write: ({ principal }, name) => sql`
        changed as (
          insert into brands (integration, name) select ${principal.integration}, ${name} from go
          returning '' as id, ${published(sql`name`)} as answer
        )`,
    }),
  },
  gate: (_operation, { credential: { id, ...who }, tenant }) => ({
    ...who,
    credential: id,
    tenant,
    organization: null,
  }),
})

beforeAll(async () => {
  const { context, ada } = fixtures
  for (const statement of [
    sql`create table test.brands (integration text, name text)`,
    sql`grant insert, select on test.brands to app_test`,
    sql`insert into auth.persons (id, email, name) values ('per_1', 'ada@example.com', 'Ada')`,
    sql`insert into auth.members (integration, person, role)
        values (${ada.integration}, 'per_1', 'owner')`,
    sql`insert into auth.credentials
          (id, kind, origin, sign_in, name, scopes, hash, last4, person, expires_at)
        values ('ses_1', 'session', 'portal', 'ses_1', 'a session', '{}', ${hashToken(context.pepper, 'the cookie')},
                'okie', 'per_1', now() + interval '1 hour')`,
  ]) {
    await queryAsOwner(fixtures, statement)
  }
})

let made = 0
async function rename(
  name: string,
  integration: string,
  key = `key ${made}`.replace(' ', '-'),
  context = fixtures.context,
) {
  const outcome = await perform(context, pages, {
    operation: 'rename',
    path: '/brand',
    names: {},
    query: new URLSearchParams(),
    token: 'the cookie',
    organization: null,
    acting: { integration, mode: 'test' },
    version: null,
    idempotencyKey: key,
    body: { name },
    refusedBody: null,
    request: `req_3000000000000000000000${String(made++).padStart(4, '0')}`,
    address: '203.0.113.30',
    agent: null,
  })
  return 'problem' in outcome ? outcome.problem.code : [outcome.status, outcome.body]
}
const names = async () =>
  (await queryAsOwner<{ name: string }>(fixtures, sql`select name from test.brands`)).map(
    row => row.name,
  )

test('a session acts on its person’s integration, gets replays, and is named in the audit', async () => {
  const { integration } = fixtures.ada
  const before = fixtures.context.pools.test.roundTrips()
  expect(await rename('One', integration, 'once')).toEqual([200, '{"name":"One"}'])
  expect(fixtures.context.pools.test.roundTrips() - before).toBe(2)
  expect(await rename('One', integration, 'once')).toEqual([200, '{"name":"One"}'])
  expect(await names()).toEqual(['One'])
  const audited = await queryAsOwner(
    fixtures,
    sql`select surface, integration, organization, actor, person, client, outcome
          from audit.entries where action = 'rename' order by seq`,
  )
  const caller = { integration, organization: null, actor: 'ses_1', person: 'per_1', client: null }
  expect(audited).toEqual([
    { surface: 'portal', ...caller, outcome: 'ok' },
    { surface: 'portal', ...caller, outcome: 'replayed' },
  ])
})

test('a session is refused for others’ integrations, and where it isn’t valid', async () => {
  expect(await rename('Two', fixtures.ben.integration)).toBe('unauthorized')
  await queryAsOwner(fixtures, sql`update auth.credentials set origin = 'auth' where id = 'ses_1'`)
  expect(await rename('Two', fixtures.ada.integration)).toBe('unauthorized')
  await queryAsOwner(
    fixtures,
    sql`update auth.credentials set origin = 'portal' where id = 'ses_1'`,
  )
  expect(await rename('Two', fixtures.ada.integration)).toEqual([200, '{"name":"Two"}'])
})

/** Each change is undone, so the next one finds the session again. */
test.each([
  [
    'a member who was removed',
    sql`update auth.members set removed_at = now() where person = 'per_1'`,
    sql`update auth.members set removed_at = null where person = 'per_1'`,
  ],
  [
    'a person who was disabled',
    sql`update auth.persons set disabled_at = now() where id = 'per_1'`,
    sql`update auth.persons set disabled_at = null where id = 'per_1'`,
  ],
  [
    'an integration that was suspended',
    sql`update auth.integrations set suspended_at = now() where id = ${sql`(select integration from auth.members where person = 'per_1')`}`,
    sql`update auth.integrations set suspended_at = null`,
  ],
  [
    'a session that has expired',
    sql`update auth.credentials set expires_at = now() - interval '1 ms' where id = 'ses_1'`,
    sql`update auth.credentials set expires_at = now() + interval '1 hour' where id = 'ses_1'`,
  ],
  [
    'a session that has ended',
    sql`update auth.credentials set revoked_at = now() where id = 'ses_1'`,
    sql`update auth.credentials set revoked_at = null where id = 'ses_1'`,
  ],
])('the cached session of %s is refused on the next call', async (_what, end, restore) => {
  const { integration } = fixtures.ada
  expect(await rename('Three', integration)).toEqual([200, '{"name":"Three"}'])
  await queryAsOwner(fixtures, end)
  expect(await rename('Four', integration)).toBe('unauthorized')
  await queryAsOwner(fixtures, restore)
})

test('a member’s calls succeed while the integration’s quota is used up', async () => {
  const { integration, test: key } = fixtures.ada
  const limiter = createRateLimits(1)
  const tight = { ...fixtures, context: { ...fixtures.context, limiter } }
  expect((await invoke(tight, 'listPatients', { as: key })).status).toBe(200)
  expect((await invoke(tight, 'listPatients', { as: key })).status).toBe(429)
  expect(await rename('Busy', integration, 'busy', tight.context)).toEqual([200, '{"name":"Busy"}'])
  // A member's own quota also counts.
  expect(await rename('Busy', integration, 'busier', tight.context)).toBe('rate_limited')
})

test('a member’s calls succeed from an address where keys failed too often', async () => {
  const limiter = createRateLimits(100)
  const limited = { ...fixtures.context, limiter }
  while (!(await limiter.hasFailedTooOften('203.0.113.30'))) {
    await limiter.recordAuthFailure('203.0.113.30')
  }
  limited.credentialCache.clear()
  const { integration } = fixtures.ada
  expect(await rename('Same', integration, 'same', limited)).toEqual([200, '{"name":"Same"}'])
  limited.credentialCache.clear()
  expect(await rename('Same', fixtures.ben.integration, 'other', limited)).toBe('rate_limited')
})

test('a changed role applies to the next call', async () => {
  const { integration } = fixtures.ada
  expect(await rename('Five', integration)).toEqual([200, '{"name":"Five"}'])
  const cached = fixtures.context.credentialCache
  const scopesNow = () =>
    [...cached.values()].find(({ credential }) => credential.id === 'ses_1')?.credential.scopes
  expect(scopesNow()).toContain('patients:write')
  await queryAsOwner(fixtures, sql`update auth.members set role = 'billing' where person = 'per_1'`)
  expect(await rename('Six', integration)).toEqual([200, '{"name":"Six"}'])
  expect(scopesNow()).toEqual(['organization:read', 'billing:read'])
})
