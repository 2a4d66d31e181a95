// A call waits for each of its statements before it sends the next one and before it answers.

import { expect, test } from 'bun:test'
import { callableIds } from '#contract/callable.ts'
import { sql } from '#database/sql.ts'
import { queryAsOwner } from '../testing/assertions.ts'
import { invoke, invokeOk, rivera } from '../testing/call.ts'
import { type Fixtures, useFixtures } from '../testing/fixtures.ts'
import { validCalls } from '../testing/valid-calls.ts'
import { watchStatements } from '../testing/unanswered.ts'

const fixtures = useFixtures()

function watchedFixtures() {
  const watch = watchStatements()
  const { pools } = fixtures.context
  const context = {
    ...fixtures.context,
    pools: { test: watch.of(pools.test), live: watch.of(pools.live) },
  }
  return { watch, watched: { ...fixtures, context } satisfies Fixtures }
}

test.each(callableIds)(
  'statements: %s waits for each, whether it succeeds or is refused',
  async id => {
    const { watch, watched } = watchedFixtures()
    const options = await validCalls[id](fixtures, fixtures.ada.test)
    for (const of of [{}, {}, { version: 'never' }, { id: 'case_nope' }]) {
      fixtures.context.credentialCache.clear()
      await invoke(watched, id, { ...options, ...of })
      await invoke(watched, id, { ...options, ...of })
      expect([watch.early, watch.used()]).toEqual([[], 0])
    }
  },
)

test('statements: the call that replaces an expired record waits for each', async () => {
  const { watch, watched } = watchedFixtures()
  const options = { key: 'expired', body: rivera }
  await invokeOk(fixtures, 'createPatient', options)
  const expire = sql`update test.idempotency_keys set expires_at = now() - interval '1 ms'
                      where key = 'expired'`
  await queryAsOwner(fixtures, expire)
  const again = await invoke(watched, 'createPatient', options)
  expect([again.status, again.headers['idempotent-replayed']]).toEqual([201, undefined])
  expect([watch.early, watch.used()]).toEqual([[], 0])
})
