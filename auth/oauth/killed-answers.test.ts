// The server is killed (SIGKILL) on either side of the statement that issues tokens: before it
// starts, when nothing is used up, or between its commit and the response, when the client has
// received nothing and repeats its request.

import { describe, expect, test } from 'bun:test'
import { sql } from '#database/sql.ts'
import { type AttemptName, attempts } from './testing/attempts.ts'
import { refreshWith } from './testing/agent.ts'
import { tokenFor } from './testing/requests.ts'
import { killCommitted, killWaiting } from './testing/server-processes.ts'
import { useConsistentFixture } from './testing/use-fixture.ts'

const fixture = await useConsistentFixture()

/** A client's token count, its used values, and why its families ended. */
async function stateOf(client: string) {
  const [state] = await fixture.run<{ tokens: number; used: number; ended: string[] }>(sql`
    select (select count(*)::int from auth.credentials k where k.client = ${client}) as tokens,
           (select count(*)::int from auth.artifacts a
             where a.client = ${client} and a.consumed_at is not null) as used,
           array(select f.revoked_reason from auth.token_families f
                  where f.client = ${client} and f.revoked_at is not null) as ended`)
  return state ?? { tokens: 0, used: 0, ended: [] }
}

/** Excludes the client secret, whose first statement already issues the token (killed.test.ts). */
const read = (Object.keys(attempts) as AttemptName[]).filter(name => name !== 'a client secret')

describe('killed before its statement starts', () => {
  test.each(read)(
    'nothing is used up: %s returns tokens when it is sent again',
    async name => {
      const { client, form } = await attempts[name](fixture)
      const before = await stateOf(client)
      // Blocks the first read.
      const lock = sql`lock table auth.artifacts in access exclusive mode`
      await killWaiting(fixture, lock, issuer => tokenFor({ ...fixture, issuer }, form))
      expect(await stateOf(client)).toEqual(before)
      expect((await tokenFor(fixture, form)).status).toBe(200)
      const { tokens, used } = await stateOf(client)
      expect([tokens, used]).toEqual([before.tokens + 1, before.used + 1])
    },
    30_000,
  )
})

describe('killed between the commit and the response', () => {
  async function lose(name: AttemptName) {
    const { client, form } = await attempts[name](fixture)
    const before = await stateOf(client)
    const family = sql`select from auth.token_families where client = ${client} for update`
    await killCommitted(fixture, family, issuer => tokenFor({ ...fixture, issuer }, form))
    const after = await stateOf(client)
    expect(after.tokens).toBe(before.tokens + 1)
    return { client, form, after, used: after.used - before.used }
  }

  test('a refresh token returns the stored successor, and the client continues', async () => {
    const { client, form, used } = await lose('a refresh token')
    expect(used).toBe(1)
    const [stored] = await fixture.run<{ hash: string }>(sql`
      select encode(hash, 'hex') as hash from auth.artifacts
       where client = ${client} and kind = 'refresh' and consumed_at is null`)
    const { status, body } = await tokenFor(fixture, form)
    const successor = String(body['refresh_token'])
    expect([status, fixture.secrets.hash(successor).toHex()]).toEqual([200, stored?.hash ?? ''])
    expect((await refreshWith(fixture, client, successor)).status).toBe(200)
    expect((await stateOf(client)).ended).toEqual([])
  }, 30_000)

  // RFC 6749, 4.1.2: a code sent twice is refused, and its tokens end, because the server can't
  // tell who has the code. The agent sends the person to authorize again.
  test('a code is refused, and the undelivered tokens end', async () => {
    const { client, form, used } = await lose('a code')
    expect(used).toBe(1)
    const { status, body } = await tokenFor(fixture, form)
    expect([status, body['error']]).toEqual([400, 'invalid_grant'])
    expect((await stateOf(client)).ended).toEqual(['reused'])
  }, 30_000)

  // The same applies to a device, which starts over with a new code (RFC 8628, 3.5).
  test('a device code is refused, and the undelivered tokens end', async () => {
    const { client, form, used } = await lose('a device code')
    expect(used).toBe(1)
    const { status, body } = await tokenFor(fixture, form)
    expect([status, body['error']]).toEqual([400, 'invalid_grant'])
    expect((await stateOf(client)).ended).toEqual(['reused'])
  }, 30_000)

  test('a secret returns another token; the undelivered one ends within the hour', async () => {
    const { client, form, after } = await lose('a client secret')
    expect((await tokenFor(fixture, form)).status).toBe(200)
    expect((await stateOf(client)).tokens).toBe(after.tokens + 1)
  }, 30_000)
})
