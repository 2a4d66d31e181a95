import { afterAll, expect, test } from 'bun:test'
import { sql } from '#database/sql.ts'
import { openIntegration } from './integrations.ts'
import { openKeyCheck } from './key-check.ts'
import { hashToken, mintKey } from './tokens.ts'
import { openAuthDatabase, pepper } from './testing/database.ts'

const context = await openAuthDatabase()
const { owner, gateways, run } = context
afterAll(() => context.close())
const pool = gateways.test
const integrationOf = async (name: string) =>
  (await owner.use(connection => openIntegration(connection, name))).integration
const hashOf = (key: string) => hashToken(pepper, key)
const invented = (seed: number) => hashOf(mintKey('test', new Uint8Array(32).fill(seed)))

test('key check: accepts only valid keys, as the credential lookup does', async () => {
  const check = openKeyCheck(pool)
  const integration = await integrationOf('Valid')
  const suspended = await integrationOf('Suspended')
  const valid = await context.mint({ integration })
  const revoked = await context.mint({ integration })
  const expired = await context.mint({ integration })
  const ofSuspended = await context.mint({ integration: suspended })
  await run(sql`update auth.credentials set revoked_at = now() where hash = ${hashOf(revoked)}`)
  await run(
    sql`update auth.credentials set expires_at = now() - interval '1 ms' where hash = ${hashOf(expired)}`,
  )
  await run(sql`update auth.integrations set suspended_at = now() where id = ${suspended}`)
  const keys = [valid, revoked, valid, expired, ofSuspended]
  const checked = await Promise.all(keys.map(key => check([hashOf(key)])))
  expect(checked).toEqual([true, false, true, false, false])
  expect(await check([invented(1)])).toBe(false)
})

test('key check: keys that arrive during a query share the next queries, a thousand at a time', async () => {
  const check = openKeyCheck(pool)
  const valid = [hashOf(await context.mint({ integration: await integrationOf('Flooded') }))]
  const hashes = Array.from({ length: 1500 }, (_, at) => [hashOf(`svc_sk_test_${at}`)])
  const before = pool.roundTrips()
  const checked = await Promise.all([...hashes, valid, ...hashes].map(check))
  expect(pool.roundTrips() - before).toBe(3)
  expect(checked.flatMap((isValid, at) => (isValid ? [at] : []))).toEqual([1500])
})

test('key check: a failed query rejects only its own keys', async () => {
  let broken = true
  const check = openKeyCheck({
    ...pool,
    use: work => (broken ? Promise.reject(new Error('away')) : pool.use(work)),
  })
  await expect(check([invented(2)])).rejects.toThrow('away')
  broken = false
  expect(await check([invented(2)])).toBe(false)
})
