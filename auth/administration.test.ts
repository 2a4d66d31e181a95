// Tests changes to keys, clients and agreements, with the authorization server's database role. No
// other role can make them.

import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { allScopes } from '#contract/scopes.ts'
import type { Mode } from '#contract/operation.ts'
import { type Connection } from '#database/pool.ts'
import { sql, type Statement } from '#database/sql.ts'
import {
  addClientSecret,
  createClient,
  createKey,
  revokeClient,
  revokeClientSecret,
  revokeKeyOf,
} from './administration.ts'
import { grant, openIntegration, openOrganization } from './integrations.ts'
import { acceptAgreement } from './testing/administration.ts'
import { pepperName } from './pepper.ts'
import { authenticateWithCache } from './testing/authenticate.ts'
import { openAuthDatabase, pepper } from './testing/database.ts'
import { hashToken, isClientSecret } from './tokens.ts'
import type { Act } from './act.ts'

const context = await openAuthDatabase()
const { owner, gateways, run, auth } = context
afterAll(() => context.close())

let integration: string
let requests = 0
beforeEach(async () => {
  ;({ integration } = await owner.use(connection => openIntegration(connection, 'Ada')))
})
const person = 'per_00000000000000000000000001'
const newAct = (): Act => ({
  surface: 'portal',
  request: `req_${++requests}`,
  person,
  address: '203.0.113.7',
  agent: 'a browser',
})
/** Makes a change. Returns its result and its request's audit rows. */
async function make<T>(work: (connection: Connection, act: Act) => Promise<T>) {
  const act = newAct()
  const made = await auth.use(connection => work(connection, act))
  const audited = await run(sql`
    select action, mode, integration, actor, person, client, surface, target, outcome, status, code
      from audit.entries where request = ${act.request}`)
  return { made, audited: [...audited] }
}
const openLive = async () => {
  const organization = await owner.use(connection =>
    openOrganization(connection, 'Clinic', `clinic-${crypto.randomUUID()}`),
  )
  await owner.use(connection => grant(connection, { integration, organization, mode: 'live' }))
  return organization
}
const agree = () => owner.use(connection => acceptAgreement(connection, integration, '2026-09-01'))
const find = (token: string, mode: Mode = 'test') =>
  gateways[mode].use(connection =>
    authenticateWithCache(connection, pepper, { token, mode, organization: null }),
  )
const keyOf = (mode: Mode, more = {}) =>
  make((connection, act) =>
    createKey(connection, pepper, { integration, mode, name: 'k', ...more }, act),
  )

describe('create a key', () => {
  test('ok: the key works, and its hash, pepper and audit row are stored', async () => {
    const { made, audited } = await keyOf('test', { scopes: ['cases:read'] })
    if (made.refusal !== null) throw new Error(made.refusal)
    expect((await find(made.key))?.scopes).toEqual(['cases:read'])
    const [row] = await run(sql`
      select encode(hash, 'hex') as hash, pepper, last4 from auth.credentials where id = ${made.id}`)
    expect(row).toEqual({
      hash: hashToken(pepper, made.key).toHex(),
      pepper: pepperName(pepper),
      last4: made.key.slice(-4),
    })
    expect(audited).toEqual([
      {
        action: 'createKey',
        mode: 'test',
        integration,
        actor: person,
        person,
        client: null,
        surface: 'portal',
        target: made.id,
        outcome: 'ok',
        status: 200,
        code: null,
      },
    ])
  })

  test('a live key: refused without an agreement or a grant, then allowed', async () => {
    expect((await keyOf('live')).made.refusal).toBe('agreement_required')
    await agree()
    expect((await keyOf('live')).made.refusal).toBe('grant_required')
    const organization = await openLive()
    const { made } = await keyOf('live')
    if (made.refusal !== null) throw new Error(made.refusal)
    expect((await find(made.key, 'live'))?.organizations.map(({ id }) => id)).toEqual([
      organization,
    ])
    await run(sql`
      update auth.agreements set ends_at = now() - interval '1 second'
       where integration = ${integration}`)
    const { made: late, audited } = await keyOf('live')
    expect(late).toEqual({ refusal: 'agreement_required' })
    expect(audited).toMatchObject([{ outcome: 'refused', status: 409, code: 'agreement_required' }])
    await agree()
    await run(sql`update auth.grants set status = 'revoked' where organization = ${organization}`)
    expect((await keyOf('live')).made.refusal).toBe('grant_required')
  })

  test.each([
    [{ scopes: [] }, 'unknown_scope'],
    [{ scopes: ['cases:read', 'all'] }, 'unknown_scope'],
    [{ integration: 'int_unknown' }, 'unknown_integration'],
    [{ organization: 'org_unknown' }, 'grant_required'],
    [{ expiresAt: '2020-01-01T00:00:00Z' }, 'expired'],
  ])('refused: %j is %s, and nothing is stored', async (more, refusal) => {
    const { made } = await keyOf('test', more)
    expect(made).toEqual({ refusal } as typeof made)
    const keys = await run(sql`select from auth.credentials where integration = ${integration}`)
    expect(keys).toHaveLength(0)
  })

  test('refused: a suspended integration', async () => {
    await run(sql`update auth.integrations set suspended_at = now() where id = ${integration}`)
    expect((await keyOf('test')).made.refusal).toBe('unknown_integration')
  })

  test('the scopes match the contract', async () => {
    const [row] = await run(sql`select auth.all_scopes() as scopes`)
    expect(row?.['scopes']).toEqual(allScopes)
  })
})

test('revoke a key: once, and only the integration’s own key', async () => {
  const { made } = await keyOf('test')
  if (made.refusal !== null) throw new Error(made.refusal)
  const revoke = (of: string | null) =>
    make((connection, act) => revokeKeyOf(connection, made.id, of, act))
  expect((await revoke('int_other')).made.refusal).toBe('not_found')
  expect(await find(made.key)).not.toBeNull()
  const { made: done, audited } = await revoke(integration)
  expect(done.refusal).toBeNull()
  expect(audited).toMatchObject([{ action: 'revokeKey', integration, target: made.id }])
  expect(await find(made.key)).toBeNull()
  expect((await revoke(null)).made.refusal).toBe('not_found')
})

describe('clients', () => {
  const clientOf = async (mode: Mode = 'test') => {
    const { made } = await make((connection, act) =>
      createClient(connection, pepper, { integration, mode, name: 'Backend' }, act),
    )
    if (made.refusal !== null) throw new Error(made.refusal)
    return made
  }
  const add = (client: string, of: string | null = integration) =>
    make((connection, act) => addClientSecret(connection, pepper, { client, integration: of }, act))

  test('ok: a client is stored with its secret’s hash', async () => {
    const { id, secret, secretId } = await clientOf()
    expect(isClientSecret(secret)).toBe(true)
    const rows = await run(sql`
      select c.kind, c.mode, c.scopes, s.id, encode(s.hash, 'hex') as hash, s.pepper, s.last4
        from auth.clients c join auth.client_secrets s on s.client = c.id where c.id = ${id}`)
    expect([...rows]).toEqual([
      {
        kind: 'confidential',
        mode: 'test',
        scopes: [...allScopes],
        id: secretId,
        hash: hashToken(pepper, secret).toHex(),
        pepper: pepperName(pepper),
        last4: secret.slice(-4),
      },
    ])
  })

  test('refused: live without an agreement and a grant', async () => {
    await expect(clientOf('live')).rejects.toThrow('agreement_required')
    await agree()
    await expect(clientOf('live')).rejects.toThrow('grant_required')
    await openLive()
    expect((await clientOf('live')).id).toStartWith('cli_')
  })

  test('two_secrets: a client has at most two, even if several are added at once', async () => {
    const { id, secretId } = await clientOf()
    const all = await Promise.all(Array.from({ length: 4 }, () => add(id)))
    expect(all.map(({ made }) => made.refusal ?? 'ok').toSorted()).toEqual([
      'ok',
      'two_secrets',
      'two_secrets',
      'two_secrets',
    ])
    const revoke = (of: string) =>
      make((connection, act) => revokeClientSecret(connection, secretId, of, act))
    expect((await revoke('int_other')).made.refusal).toBe('not_found')
    expect((await revoke(integration)).made.refusal).toBeNull()
    expect((await revoke(integration)).made.refusal).toBe('not_found')
    expect((await add(id, 'int_other')).made.refusal).toBe('not_found')
    expect((await add(id)).made.refusal).toBeNull()
  })

  test('already_sent: the same form adds one secret', async () => {
    const { id } = await clientOf()
    const once = `secret of ${id}`
    const send = () =>
      auth.use(connection =>
        addClientSecret(connection, pepper, { client: id, integration }, { ...newAct(), once }),
      )
    const results = await Promise.all([send(), send()])
    expect(results.map(({ refusal }) => refusal ?? 'ok').toSorted()).toEqual(['already_sent', 'ok'])
    const secrets = await run(sql`select from auth.client_secrets where client = ${id}`)
    expect(secrets).toHaveLength(2)
  })

  test('revoking a client ends its families in the same transaction', async () => {
    const { id } = await clientOf()
    const revoke = (of: string | null) =>
      make((connection, act) => revokeClient(connection, id, of, act))
    expect((await revoke('int_other')).made.refusal).toBe('not_found')
    expect((await revoke(integration)).audited).toMatchObject([
      { action: 'revokeClient', client: id, target: id, outcome: 'ok' },
    ])
    const [family] = await run(sql`
      select revoked_reason from auth.token_families where client = ${id} and revoked_at is not null`)
    expect(family).toEqual({ revoked_reason: 'client_revoked' })
    expect((await revoke(null)).made.refusal).toBe('not_found')
    expect((await add(id)).made.refusal).toBe('not_found')
  })
})

describe('the database roles', () => {
  const calls: [name: string, call: Statement][] = [
    ['create_key', sql`auth.create_key('', '', '', '', '{}', '', '', '', '{}')`],
    ['revoke_key', sql`auth.revoke_key('', null, '{}')`],
    ['create_client', sql`auth.create_client('', '', '', '', '{}', '', '', '', '', '{}')`],
    ['add_client_secret', sql`auth.add_client_secret('', '', null, '', '', '', '{}')`],
    ['revoke_client_secret', sql`auth.revoke_client_secret('', null, '{}')`],
    ['revoke_client', sql`auth.revoke_client('', null, '{}')`],
    ['accept_agreement', sql`auth.accept_agreement('', '', '', '', '', '', '', '', '{}')`],
  ]
  test.each(calls)('of a gateway can’t execute %s', async (_name, call) => {
    for (const pool of [gateways.test, gateways.live]) {
      await expect(pool.use(connection => connection.run(sql`select ${call}`))).rejects.toThrow(
        'permission denied for function',
      )
    }
  })

  test('of the authorization server can’t write keys or clients directly', async () => {
    for (const statement of [
      sql`update auth.credentials set scopes = '{}' where kind = 'key'`,
      sql`insert into auth.client_secrets (id, client, hash, pepper, last4) values ('', '', '', '', '')`,
      sql`insert into auth.agreements (id, integration, version) values ('', '', '')`,
      sql`select auth.record_act('{}', '', '', '', '', '', null)`,
    ]) {
      await expect(auth.use(connection => connection.run(statement))).rejects.toThrow(
        'permission denied',
      )
    }
  })
})
