// Tests that members see only their own integration's keys, clients and calls.

import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { sql, type Statement } from '#database/sql.ts'
import { namesOfActors } from './actor-names.ts'
import { findOpenings } from './granted-organizations.ts'
import { newId } from './ids.ts'
import {
  countLiveTokens,
  findIntegrationClient,
  listIntegrationClients,
} from './integration-clients.ts'
import { findIntegrationKey, listIntegrationKeys } from './integration-keys.ts'
import { findIntegrationSettings } from './integration-settings.ts'
import { grant, openIntegration, openOrganization } from './integrations.ts'
import { listOperationUses } from './operation-uses.ts'
import { acceptAgreement } from './testing/administration.ts'
import { openAuthDatabase, pepper } from './testing/database.ts'
import { issueToken } from './testing/tokens.ts'

const context = await openAuthDatabase()
const { owner, run, auth } = context
afterAll(() => context.close())

let integration: string
let other: string
beforeEach(async () => {
  ;({ integration } = await owner.use(one => openIntegration(one, 'Ada')))
  ;({ integration: other } = await owner.use(one => openIntegration(one, 'Other')))
})
const issue = (kind: 'client' | 'agent', of = integration) =>
  owner.use(connection => issueToken(connection, pepper, { integration: of, kind }))

test('actor names: only for the requested clients and people', async () => {
  const [one, another] = [await issue('agent'), await issue('agent')]
  await run(sql`update auth.persons set name = 'Grace' where id = ${one.person}`)
  expect(await namesOfActors(auth, [one.client, null, one.person, 'per_none'])).toEqual(
    new Map([
      [one.client, 'An agent'],
      [one.person ?? '', 'Grace'],
    ]),
  )
  expect(await namesOfActors(auth, [another.client])).toEqual(
    new Map([[another.client, 'An agent']]),
  )
  expect(await namesOfActors(auth, [null])).toEqual(new Map())
})

describe('what a new credential can access', () => {
  const openClinic = (name: string) =>
    owner.use(one => openOrganization(one, name, `clinic-${crypto.randomUUID()}`))
  const openings = () => findOpenings(auth, integration, 'live')

  test('lists organizations with an active grant in the mode, and whether an agreement exists', async () => {
    expect(await openings()).toEqual({ isAgreed: false, organizations: [] })
    const [b, a, revoked, theirs] = [
      await openClinic('B'),
      await openClinic('A'),
      await openClinic('C'),
      await openClinic('D'),
    ]
    for (const organization of [b, a, revoked]) {
      await owner.use(one => grant(one, { integration, organization, mode: 'live' }))
    }
    await owner.use(one => grant(one, { integration: other, organization: theirs, mode: 'live' }))
    await run(sql`update auth.grants set status = 'revoked' where organization = ${revoked}`)
    await owner.use(one => acceptAgreement(one, other, '2026-09-01'))
    const organizations = [
      { id: a, name: 'A' },
      { id: b, name: 'B' },
    ]
    expect(await openings()).toEqual({ isAgreed: false, organizations })
    await owner.use(one => acceptAgreement(one, integration, '2026-09-01'))
    expect(await openings()).toEqual({ isAgreed: true, organizations })
  })
})

describe('keys', () => {
  const add = async (state: Statement, of = integration, mode = 'test') => {
    const id = newId('key')
    await run(sql`
      insert into auth.credentials (id, integration, mode, name, scopes, hash, last4, expires_at,
                                    revoked_at, replaced_by)
      select ${id}, ${of}, ${mode}, 'k', '{}', sha256(${id}::text::bytea), 'abcd', made.*
        from (select ${state}) as made`)
    return id
  }
  const none = sql`null::timestamptz`
  const [past, soon] = [sql`now() - interval '1 s'`, sql`now() + interval '1 hour'`]

  test('are listed newest first, each with its status', async () => {
    const states: [status: string, state: Statement][] = [
      ['active', sql`${none}, ${none}, null::text`],
      ['active', sql`${soon}, ${none}, null::text`],
      ['retiring', sql`${soon}, ${none}, 'key_x'::text`],
      ['retired', sql`${past}, ${none}, 'key_x'::text`],
      ['expired', sql`${past}, ${none}, null::text`],
      ['revoked', sql`${past}, ${past}, 'key_x'::text`],
      ['revoked', sql`${none}, ${past}, null::text`],
    ]
    const expected: string[][] = []
    for (const [status, state] of states) expected.unshift([await add(state), status])
    await add(sql`${none}, ${none}, null::text`, other)
    await add(sql`${none}, ${none}, null::text`, integration, 'live')
    const rows = await listIntegrationKeys(auth, integration, 'test')
    expect(rows.map(({ id, status }) => [id, status])).toEqual(expected)
  })

  test('are found by their ID', async () => {
    const [one] = [await add(sql`${none}, ${none}, null::text`)]
    const another = await add(sql`${none}, ${none}, null::text`)
    expect((await findIntegrationKey(auth, integration, 'test', one))?.id).toBe(one)
    expect((await findIntegrationKey(auth, integration, 'test', another))?.id).toBe(another)
    expect(await findIntegrationKey(auth, integration, 'live', one)).toBeNull()
    expect(await findIntegrationKey(auth, other, 'test', one)).toBeNull()
  })
})

describe('clients', () => {
  const addSecret = async (client: string, state: Statement) => {
    const id = newId('client_secret')
    await run(sql`
      insert into auth.client_secrets (id, client, hash, pepper, last4, expires_at, revoked_at)
      select ${id}, ${client}, sha256(${id}::text::bytea), 'p', 'abcd', made.*
        from (select ${state}) as made`)
    return id
  }
  const none = sql`null::timestamptz`

  test('are listed newest first, with their valid secrets and without agents', async () => {
    const [first, second, theirs] = [
      await issue('client'),
      await issue('client'),
      await issue('client', other),
    ]
    await issue('agent')
    const secrets = [
      await addSecret(first.client, sql`${none}, ${none}`),
      await addSecret(first.client, sql`now() + interval '1 hour', ${none}`),
    ]
    await addSecret(first.client, sql`now() - interval '1 s', ${none}`)
    await addSecret(first.client, sql`${none}, now()`)
    const clinic = await owner.use(one =>
      openOrganization(one, 'Clinic', `clinic-${crypto.randomUUID()}`),
    )
    await run(sql`update auth.clients set organization = ${clinic} where id = ${second.client}`)
    const shown = (rows: Awaited<ReturnType<typeof listIntegrationClients>>) =>
      rows.map(row => [row.id, row.family, row.organization_name, row.secrets.map(({ id }) => id)])
    const expected = [
      [second.client, second.family, 'Clinic', []],
      [first.client, first.family, null, secrets],
    ]
    expect(shown(await listIntegrationClients(auth, integration, 'test'))).toEqual(expected)
    expect(await listIntegrationClients(auth, integration, 'live')).toEqual([])
    const find = (client: string, mode: 'test' | 'live' = 'test') =>
      findIntegrationClient(auth, integration, mode, client)
    expect((await find(first.client))?.id).toBe(first.client)
    expect((await find(second.client))?.id).toBe(second.client)
    expect([await find(theirs.client), await find(first.client, 'live')]).toEqual([null, null])
  })

  test('have tokens, and only valid ones are counted', async () => {
    const { family, ...rest } = await issue('client')
    const more = () =>
      owner.use(one => issueToken(one, pepper, { integration, of: { family, ...rest } }))
    const [ended, revoked] = [await more(), await more()]
    await issue('client')
    await run(sql`
      update auth.credentials set expires_at = now() - interval '1 s' where id = ${ended.id}`)
    await run(sql`
      update auth.credentials set revoked_at = now(), last_used_at = '2026-11-20T10:00Z'
       where id = ${revoked.id}`)
    expect(await countLiveTokens(auth, family)).toEqual({
      count: 1,
      last_used_at: '2026-11-20T10:00:00.000Z',
    })
  })
})

test('settings: shows only the integration’s own', async () => {
  const find = (id: string) => auth.use(one => findIntegrationSettings(one, id))
  expect([(await find(other))?.name, (await find(integration))?.name]).toEqual(['Other', 'Ada'])
  expect(await find('int_none')).toBeNull()
})

test("operations: lists the holders' operations, most frequent first", async () => {
  const use = (holder: string, operation: string, calls: number) =>
    run(sql`
      insert into auth.operation_uses (holder, operation, calls, first_at, last_at)
      values (${holder}, ${operation}, ${calls}, '2026-11-01', '2026-11-02')`)
  const [one, two] = [newId('key'), newId('key')]
  await use(one, 'createCase', 3)
  await use(two, 'createCase', 4)
  await use(one, 'listCases', 9)
  await use(one, 'getCase', 1)
  await use(newId('key'), 'listPatients', 100)
  const rows = await listOperationUses(auth, [one, two])
  expect(rows.map(({ operation, calls }) => [operation, calls])).toEqual([
    ['listCases', 9],
    ['createCase', 7],
    ['getCase', 1],
  ])
})
