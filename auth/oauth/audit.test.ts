import { afterAll, expect, test } from 'bun:test'
import { openPool } from '#database/pool.ts'
import { sql } from '#database/sql.ts'
import { testDatabase } from '#database/testing/database.ts'
import { openRefusalLog, type Refusal } from './audit.ts'

const database = await testDatabase()
const owner = openPool({ url: database.url, size: 1, name: 'owner' })
const pool = openPool({ url: database.urls.auth, size: 1, name: 'refusals' })
afterAll(async () => {
  await Promise.all([owner.close(), pool.close()])
  await database.close()
})

const call = (requestId: string) => ({ requestId, address: '203.0.113.7', agent: 'a test' })
const refusal: Refusal = {
  action: 'oauth.token',
  outcome: 'refused',
  status: 401,
  code: 'invalid_client',
  client: null,
}
const stored = async (pattern: string) => {
  const rows = await owner.use(connection =>
    connection.run<{ request: string }>(
      sql`select request from audit.entries where request like ${pattern} order by request`,
    ),
  )
  return rows.map(({ request }) => request)
}

test('refusal log: refusals that arrive during a write share the next statements', async () => {
  const log = openRefusalLog(pool)
  const before = pool.roundTrips()
  const requests = Array.from({ length: 1500 }, (_, at) => `shared_${String(at).padStart(4, '0')}`)
  await Promise.all(requests.map(request => log.record(call(request), refusal)))
  expect(pool.roundTrips() - before).toBe(3)
  expect(await stored('shared_%')).toEqual(requests)
})

test('refusal log: at most ten thousand wait, and closing waits for them', async () => {
  const gate = Promise.withResolvers<void>()
  const log = openRefusalLog({
    ...pool,
    use: async work => {
      await gate.promise
      return pool.use(work)
    },
  })
  for (let at = 0; at < 10_100; at++) void log.record(call(`flood_${at}`), refusal)
  gate.resolve()
  await log.flush()
  expect(await stored('flood_%')).toHaveLength(10_000)
})

test("refusal log: a lost database fails its statement's rows, and the next ones are stored", async () => {
  let isAway = true
  const log = openRefusalLog({
    ...pool,
    use: work => (isAway ? Promise.reject(new Error('away')) : pool.use(work)),
  })
  await expect(log.record(call('away_1'), refusal)).rejects.toThrow('away')
  isAway = false
  await log.record(call('away_2'), refusal)
  expect(await stored('away_%')).toEqual(['away_2'])
})
