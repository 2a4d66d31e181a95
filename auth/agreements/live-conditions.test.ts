// Tests live mode's requirements besides the agreement. Each requirement counts once the
// integration itself meets it in live mode, and stops counting when it ends.
import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { sql, type Statement } from '#database/sql.ts'
import { newId } from '../ids.ts'
import { grant, openOrganization } from '../integrations.ts'
import { openPeople, peppers, type TestPeople } from '../testing/people.ts'
import { issueToken } from '../testing/tokens.ts'
import { findLiveConditions } from './agreements.ts'

let people: TestPeople
beforeAll(async () => void (people = await openPeople()))
afterAll(() => people.close())

let integration: string
let other: string
beforeEach(async () => {
  integration = await people.addMember(await people.addPerson(false))
  other = await people.addMember(await people.addPerson(false))
})

const conditions = async (of = integration) => ({
  ...(await people.pool.use(connection => findLiveConditions(connection, of))),
})
const none = { has_grant: false, has_pending_grant: false, has_key: false, last_call_at: null }
const [past, soon, open] = [
  sql`now() - interval '1 s'`,
  sql`now() + interval '1 hour'`,
  sql`null::timestamptz`,
]

const openClinic = () =>
  people.owner.use(one => openOrganization(one, 'Clinic', `clinic-${crypto.randomUUID()}`))
const addGrant = async (of: string, mode: 'test' | 'live', state: Statement) => {
  const organization = await openClinic()
  await people.owner.use(one => grant(one, { integration: of, organization, mode }))
  await people.run(sql`update auth.grants set ${state} where organization = ${organization}`)
}
const addKey = (of: string, mode: 'test' | 'live', [expires, revoked, used]: Statement[]) => {
  const id = newId('key')
  return people.run(sql`
    insert into auth.credentials (id, integration, mode, name, scopes, hash, last4, expires_at,
                                  revoked_at, last_used_at)
    values (${id}, ${of}, ${mode}, 'k', '{}', sha256(${id}::text::bytea), 'abcd',
            ${expires ?? open}, ${revoked ?? open}, ${used ?? open})`)
}
const addClient = (of: string, mode: 'test' | 'live', revoked: Statement) =>
  people.run(sql`
    insert into auth.clients (id, kind, integration, mode, scopes, name, revoked_at)
    values (${newId('client')}, 'confidential', ${of}, ${mode}, '{}', 'x', ${revoked})`)
const addToken = async (of: string, mode: 'test' | 'live', used: string) => {
  const { id } = await people.owner.use(one =>
    issueToken(one, peppers[0], { integration: of, mode }),
  )
  await people.run(sql`
    update auth.credentials set last_used_at = ${used}::timestamptz where id = ${id}`)
  // The client would otherwise count as a key.
  await people.run(sql`update auth.clients set revoked_at = now() where integration = ${of}`)
}
const [pending, active] = [sql`status = 'pending'`, sql`status = 'active'`]

test('live mode: anything ended, in test mode or from another integration does not count', async () => {
  await addGrant(other, 'live', active)
  await addGrant(other, 'live', sql`${pending}, lapses_at = ${soon}`)
  await addKey(other, 'live', [open, open, past])
  await addClient(other, 'live', open)
  await addGrant(integration, 'test', sql`${pending}, lapses_at = ${soon}`)
  await addGrant(integration, 'live', sql`status = 'revoked'`)
  await addGrant(integration, 'live', sql`status = 'declined', lapses_at = ${soon}`)
  await addGrant(integration, 'live', sql`${pending}, lapses_at = ${past}`)
  await addKey(integration, 'test', [open, open, past])
  await addKey(integration, 'live', [past])
  await addKey(integration, 'live', [open, past])
  await addClient(integration, 'test', open)
  await addClient(integration, 'live', past)
  await addToken(integration, 'test', '2026-11-20T10:00Z')
  expect(await conditions()).toEqual(none)
  expect(await conditions('int_none')).toEqual(none)
})

test.each<[what: string, add: () => Promise<unknown>, seen: Partial<typeof none> | object]>([
  ['an active grant', () => addGrant(integration, 'live', active), { has_grant: true }],
  [
    'a requested grant',
    () => addGrant(integration, 'live', sql`${pending}, lapses_at = ${soon}`),
    { has_pending_grant: true },
  ],
  ['a key that doesn’t expire', () => addKey(integration, 'live', [open]), { has_key: true }],
  ['a key that expires later', () => addKey(integration, 'live', [soon]), { has_key: true }],
  ['a client', () => addClient(integration, 'live', open), { has_key: true }],
  [
    'a call with a key',
    () => addKey(integration, 'live', [open, past, sql`'2026-11-20T10:00Z'::timestamptz`]),
    { last_call_at: '2026-11-20T10:00:00.000Z' },
  ],
  [
    'a call with a token',
    () => addToken(integration, 'live', '2026-11-20T11:00Z'),
    { last_call_at: '2026-11-20T11:00:00.000Z' },
  ],
])('live mode: %s is detected', async (_what, add, seen) => {
  await add()
  expect(await conditions()).toEqual({ ...none, ...seen } as typeof none)
})
