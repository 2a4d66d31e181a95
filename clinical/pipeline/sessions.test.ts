// A surface for people who sign in: its credential is a session, which has no integration, and its
// operations act on an integration that the person is a member of, for no organization.

import { beforeAll, expect, test } from 'bun:test'
import { Type as t } from 'typebox'
import type { AnyOperation } from '#contract/operation.ts'
import { StaleCredential } from '#auth/guard.ts'
import { type CachedCredential, noToken } from '#auth/principal.ts'
import { hashesOf } from '#auth/pepper.ts'
import { hashToken } from '#auth/tokens.ts'
import type { Row } from '#database/pool.ts'
import { sql, type Statement } from '#database/sql.ts'
import { queryAsOwner } from '../testing/assertions.ts'
import { useFixtures } from '../testing/fixtures.ts'
import type { Authentication } from './authentication.ts'
import { type AnyPrincipal, handlersOf } from './handler.ts'
import { perform } from './perform.ts'
import { published } from './publish.ts'
import { defineSurface } from './surface.ts'

const fixtures = useFixtures()

const validSession = (id: Statement, tenant: Statement) => sql`
  select s.id, s.person, m.integration, own.id::text as tenant
    from auth.credentials s
    join auth.members m on m.person = s.person and m.removed_at is null
    join tenants own on own.integration = m.integration and own.organization is null
   where s.kind = 'session' and s.revoked_at is null and s.expires_at > now()
     and s.id = ${id} and own.id = ${tenant}`

const sessions: Authentication = {
  present({ peppers }, { token, organization }) {
    if (token === null) return null
    const hashes = hashesOf(peppers, token)
    const name = `session ${hashes[0].toHex()} ${organization}`
    return { hashes, mode: 'test', organization, audience: 'api', name, newest: peppers[0] }
  },
  isValid: async () => false,
  async find(connection, { hashes, mode, organization: integration, name }, cache) {
    connection.tenant = undefined
    const [found] = await connection.run<Row & Record<'id' | 'person' | 'tenant', string>>(sql`
      select f.*, set_config('app.tenant', f.tenant, false) from (${validSession(
        sql`(select id from auth.credentials where hash = ${hashes[0]})`,
        sql`(select id from tenants where integration = ${integration} and organization is null)`,
      )}) f`)
    if (!found || integration === null) return null
    const { id, person, tenant } = found
    connection.tenant = tenant
    const may = { scopes: [], agreed: false, organizations: [] }
    const credential = { ...noToken, ...may, id, person, integration, mode }
    const cached: CachedCredential = { credential, tenant, revision: '' }
    cache?.set(name, cached)
    return cached
  },
  guard(connection, { credential, tenant }) {
    let isVerified = false
    const standing = sql`
      select false as stale from (${validSession(sql`${credential.id}`, sql`${tenant}::bigint`)}) s
       where current_setting('app.tenant', true) = ${tenant}`
    return {
      get isVerified() {
        return isVerified
      },
      async query<R extends Row>(build: (guard: Statement) => Statement) {
        if (connection.tenant !== tenant) {
          await connection.run(sql`select set_config('app.tenant', ${tenant}, false)`)
          connection.tenant = tenant
        }
        const [first, ...others] = await connection.run<R>(build(standing))
        if (!first) throw new StaleCredential('the session ended')
        isVerified = true
        return [first, ...others]
      },
    }
  },
}

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
  authentication: sessions,
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
    sql`create policy sessions on auth.credentials to app_test using (kind = 'session')`,
    sql`insert into auth.persons (id, email, name) values ('per_1', 'ada@example.com', 'Ada')`,
    sql`insert into auth.members (integration, person, role)
        values (${ada.integration}, 'per_1', 'owner')`,
    sql`insert into auth.credentials (id, kind, name, scopes, hash, last4, person, expires_at)
        values ('ses_1', 'session', 'a session', '{}', ${hashToken(context.pepper, 'the cookie')},
                'okie', 'per_1', now() + interval '1 hour')`,
  ]) {
    await queryAsOwner(fixtures, statement)
  }
})

let made = 0
async function rename(name: string, integration: string, key = `key ${made}`.replace(' ', '-')) {
  const outcome = await perform(fixtures.context, pages, {
    operation: 'rename',
    path: '/brand',
    names: {},
    query: new URLSearchParams(),
    token: 'the cookie',
    organization: integration,
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

test('a session acts on an integration of its person, replays, and is named in the audit', async () => {
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

test('a session is refused for an integration of others, and once it has ended', async () => {
  expect(await rename('Two', fixtures.ben.integration)).toBe('unauthorized')
  await queryAsOwner(
    fixtures,
    sql`update auth.credentials set revoked_at = now() where id = 'ses_1'`,
  )
  expect(await rename('Three', fixtures.ada.integration)).toBe('unauthorized')
  expect(await names()).toEqual(['One'])
})
