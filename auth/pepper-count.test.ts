// Tests the count that must reach zero before a pepper is dropped. It includes everything usable
// under an older pepper, and nothing else.

import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { sql, type Statement } from '#database/sql.ts'
import { newId } from './ids.ts'
import { openIntegration } from './integrations.ts'
import { countOutdated, pepperName } from './pepper.ts'
import { openAuthDatabase, pepper } from './testing/database.ts'
import { newPerson } from './testing/sessions.ts'
import { issueToken } from './testing/tokens.ts'

const [newest, older] = ['the newest', 'an older one']
const context = await openAuthDatabase()
const { owner, run } = context
afterAll(() => context.close())

let integration: string
let person: string
let client: string
let family: string
let ended: string
beforeAll(async () => {
  ;({ integration } = await owner.use(one => openIntegration(one, 'Ada')))
  person = await newPerson(run)
  const issue = () => owner.use(one => issueToken(one, pepper, { integration, kind: 'agent' }))
  ;({ client, family } = await issue())
  ;({ family: ended } = await issue())
  await run(sql`update auth.token_families set revoked_at = now() where id = ${ended}`)
})
beforeEach(async () => {
  await run(sql`delete from auth.credentials`)
  await run(sql`delete from auth.client_secrets`)
  await run(sql`delete from auth.recovery_codes`)
  await run(sql`delete from auth.artifacts`)
})

const hash = sql`sha256(gen_random_uuid()::text::bytea)`
const soon = sql`now() + interval '1 minute'`
const past = sql`now() - interval '1 second'`
const none = sql`null::timestamptz`

/** Adds a row of a kind, under a pepper and in a state. */
const add = {
  key: (under: string | null, [expires, revoked]: Statement[]) => sql`
    insert into auth.credentials (id, integration, mode, name, scopes, hash, last4, pepper,
                                  expires_at, revoked_at)
    values (${newId('key')}, ${integration}, 'test', 'k', '{}', ${hash}, 'abcd', ${under},
            ${expires ?? none}, ${revoked ?? none})`,
  secret: (under: string | null, [expires, revoked]: Statement[]) => sql`
    insert into auth.client_secrets (id, client, hash, last4, pepper, expires_at, revoked_at)
    values (${newId('client_secret')}, ${client}, ${hash}, 'abcd', ${under}, ${expires ?? none},
            ${revoked ?? none})`,
  recovery: (under: string | null, [used]: Statement[]) => sql`
    insert into auth.recovery_codes (hash, person, pepper, used_at)
    values (${hash}, ${person}, ${under}, ${used ?? none})`,
  artifact: (under: string | null, [expires, consumed, denied]: Statement[], of = family) => sql`
    insert into auth.artifacts (hash, kind, client, family, payload, pepper, expires_at,
                                consumed_at, denied_at)
    values (${hash}, 'refresh', ${client}, ${of}, '{}', ${under}, ${expires ?? none},
            ${consumed ?? none}, ${denied ?? none})`,
}
const count = (...peppers: [string, ...string[]]) =>
  owner.use(connection => countOutdated(connection, peppers))
const name = pepperName(older)

const counted: [what: string, row: () => Statement][] = [
  ['a key that doesn’t expire', () => add.key(name, [none, none])],
  ['a key that expires later', () => add.key(name, [soon, none])],
  ['a secret that doesn’t expire', () => add.secret(name, [none, none])],
  ['a secret that expires later', () => add.secret(name, [soon, none])],
  ['a recovery code', () => add.recovery(name, [none])],
  ['a refresh token', () => add.artifact(name, [soon, none, none])],
]
test.each(counted)('counted under an older pepper, or a lost one: %s', async (_what, row) => {
  await run(row())
  expect(await count(newest, older)).toEqual({ older: 1, lost: 0 })
  expect(await count(newest)).toEqual({ older: 0, lost: 1 })
  expect(await count(newest, 'another')).toEqual({ older: 0, lost: 1 })
  expect(await count(older)).toEqual({ older: 0, lost: 0 })
  expect(await count(older, newest)).toEqual({ older: 0, lost: 0 })
})

const left: [what: string, row: () => Statement][] = [
  ['an expired key', () => add.key(name, [past, none])],
  ['a revoked key', () => add.key(name, [none, past])],
  ['an expired secret', () => add.secret(name, [past, none])],
  ['a revoked secret', () => add.secret(name, [none, past])],
  ['a used recovery code', () => add.recovery(name, [past])],
  ['an expired refresh token', () => add.artifact(name, [past, none, none])],
  ['a used refresh token', () => add.artifact(name, [soon, past, none])],
  ['a denied code', () => add.artifact(name, [soon, none, past])],
  ['a refresh token in an ended family', () => add.artifact(name, [soon, none, none], ended)],
]
test.each(left)('not counted: %s', async (_what, row) => {
  await run(row())
  expect(await count(newest, older)).toEqual({ older: 0, lost: 0 })
  expect(await count(newest)).toEqual({ older: 0, lost: 0 })
})

test('a credential without a named pepper is under an older one', async () => {
  await run(add.key(null, [none, none]))
  await run(add.artifact(null, [soon, none, none]))
  expect(await count(newest, older)).toEqual({ older: 2, lost: 0 })
  expect(await count(newest)).toEqual({ older: 2, lost: 0 })
})
