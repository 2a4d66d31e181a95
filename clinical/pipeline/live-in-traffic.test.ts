// Changes that end or narrow live access while two gateways serve calls: after the commit both
// gateways refuse a call, no matter what they have cached.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { sql, type Statement } from '#database/sql.ts'
import { until } from '#http/testing/until.ts'
import { queryAsOwner } from '../testing/assertions.ts'
import { invoke, invokeOk, rivera } from '../testing/call.ts'
import { createContext, type OpenAppContext } from '../context.ts'
import { type Fixtures, fixturesBase, useFixtures } from '../testing/fixtures.ts'

const fixtures = useFixtures()
let other: OpenAppContext
beforeAll(() => {
  other = createContext({
    urls: fixtures.database.urls,
    poolSize: 4,
    pepper: fixtures.context.pepper,
    base: fixturesBase,
    storage: { folder: fixtures.folder, bucket: undefined },
    rateLimit: 1_000_000,
    isLiveOpen: () => true,
    onError: failure => fixtures.errors.push(failure),
  })
})
afterAll(async () => {
  await other.close()
  expect(fixtures.errors).toEqual([])
})

const ofGrant = () => sql`integration = ${fixtures.ada.integration} and mode = 'live'`

type Change = {
  end: () => Statement
  restore: () => Statement
  code: string
}
const changes: Record<string, Change> = {
  'a revoked grant': {
    end: () => sql`update auth.grants set status = 'revoked' where ${ofGrant()}`,
    restore: () => sql`update auth.grants set status = 'active' where ${ofGrant()}`,
    code: 'organization_not_granted',
  },
  'a grant that is narrowed': {
    end: () => sql`update auth.grants set scopes = array_remove(array_remove(scopes,
                     'patients:write'), 'patients:read') where ${ofGrant()}`,
    restore: () => sql`update auth.grants set scopes = scopes || '{patients:write,patients:read}'
                        where ${ofGrant()}`,
    code: 'insufficient_scope',
  },
  'an agreement that ends': {
    end: () => sql`update auth.agreements set terminated_at = clock_timestamp()
                    where integration = ${fixtures.ada.integration}`,
    restore: () => sql`update auth.agreements set terminated_at = null
                        where integration = ${fixtures.ada.integration}`,
    code: 'baa_required',
  },
}

test.each(Object.entries(changes))(
  '%s refuses the next call on both gateways',
  async (_name, change) => {
    const there: Fixtures = { ...fixtures, context: other }
    const as = fixtures.ada.live
    const { id } = await invokeOk(fixtures, 'createPatient', { as, body: rivera })
    const seen: { began: number; code: string | null }[] = []
    const over = new AbortController()
    const traffic = [fixtures, there].flatMap(gateway => {
      const call = async (operation: 'getPatient' | 'createPatient') => {
        while (!over.signal.aborted) {
          const began = performance.now()
          const body = operation === 'createPatient' ? { body: rivera } : { id }
          const { code } = await invoke(gateway, operation, { as, ...body })
          seen.push({ began, code })
        }
      }
      return [call('getPatient'), call('createPatient')]
    })
    const served = () => seen.filter(one => one.code === null).length
    await until(() => served() > 20)
    await queryAsOwner(fixtures, change.end())
    const ended = performance.now()
    await until(() => seen.filter(one => one.began > ended).length > 20)
    over.abort()
    await Promise.all(traffic)
    const after = seen.filter(one => one.began > ended)
    expect([...new Set(after.map(one => one.code))]).toEqual([change.code])
    await queryAsOwner(fixtures, change.restore())
    // The call succeeds again, so the refusal wasn't cached.
    for (const gateway of [fixtures, there]) {
      expect((await invoke(gateway, 'getPatient', { as, id })).code).toBeNull()
    }
  },
)
