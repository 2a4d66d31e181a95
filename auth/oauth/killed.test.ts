// The server is killed (SIGKILL) in the middle of each statement that issues tokens. The
// statement's work happens completely or not at all, and the next server continues from there.

import { describe, expect, test } from 'bun:test'
import { sql } from '#database/sql.ts'
import { type AttemptName, attempts } from './testing/attempts.ts'
import { tokenFor } from './testing/requests.ts'
import { killWaiting } from './testing/server-processes.ts'
import { useFixture } from './testing/use-fixture.ts'

const fixture = await useFixture()

/** Rows the statement waits for, before its first effect and between its effects. */
const locks = {
  'the family': (client: string) =>
    sql`select from auth.token_families where client = ${client} for update`,
  'the client': (client: string) =>
    sql`select from auth.clients where id = ${client} for no key update`,
  'the integration': (client: string) => sql`
    select from auth.integrations where id = any (array(
      select integration from auth.token_families where client = ${client})) for update`,
}

/** One client's tokens, and what they were issued from. */
async function stateOf(client: string) {
  const [state] = await fixture.run<{ tokens: number; refresh: number; used: number }>(sql`
    select (select count(*)::int from auth.credentials k where k.client = ${client}) as tokens,
           (select count(*)::int from auth.artifacts a
             where a.client = ${client} and a.kind = 'refresh') as refresh,
           (select count(*)::int from auth.artifacts a
             where a.client = ${client} and a.consumed_at is not null) as used`)
  return state ?? { tokens: 0, refresh: 0, used: 0 }
}

/** Issuing tokens for a client's secret doesn't wait for the client's row. */
const locksOf = (name: AttemptName) =>
  (Object.keys(locks) as (keyof typeof locks)[]).filter(
    lock => name !== 'a client secret' || lock !== 'the client',
  )

describe.each(Object.keys(attempts) as AttemptName[])(
  'killed while issuing tokens for %s',
  name => {
    test.each(locksOf(name))(
      'with its statement waiting for %s',
      async lock => {
        const attempt = await attempts[name](fixture)
        // Makes the statement record the use.
        await fixture.run(sql`
        update auth.clients set last_token_at = null where id = ${attempt.client}`)
        const before = await stateOf(attempt.client)
        await killWaiting(fixture, locks[lock](attempt.client), issuer =>
          tokenFor({ ...fixture, issuer }, attempt.form),
        )
        const after = await stateOf(attempt.client)
        const born = after.tokens - before.tokens
        expect(born).toBeLessThanOrEqual(1)
        const isBound = name !== 'a client secret'
        // Either the code or token was used and new tokens were issued, or neither happened.
        expect(after.used - before.used).toBe(isBound ? born : 0)
        expect(after.refresh - before.refresh).toBe(isBound ? born : 0)
        const { status, body } = await tokenFor(fixture, attempt.form)
        const isLost = isBound && born === 1 && name !== 'a refresh token'
        expect([status, body['error']]).toEqual(isLost ? [400, 'invalid_grant'] : [200, undefined])
        const [orphans] = await fixture.run<{ count: number }>(sql`
        select count(*)::int as count from auth.credentials k
          join auth.token_families f on f.id = k.family
         where k.client = ${attempt.client} and k.kind <> 'client' and f.revoked_at is null
           and not exists (select from auth.artifacts a
                            where a.family = f.id and a.consumed_at is not null)`)
        expect(orphans?.count).toBe(0)
      },
      30_000,
    )
  },
)
