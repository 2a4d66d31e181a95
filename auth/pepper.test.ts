// Tests replacing the pepper, with two gateways that share the database and have the peppers in the
// order of each step.

import { afterAll, beforeEach, expect, test } from 'bun:test'
import { sql } from '#database/sql.ts'
import { issueKey, openIntegration } from './integrations.ts'
import { keysCommand } from './keys-command.ts'
import { hashesOf, pepperName, type Peppers } from './pepper.ts'
import { createCredentialCache } from './principal.ts'
import { authenticateWithCache } from './testing/authenticate.ts'
import { openAuthDatabase } from './testing/database.ts'
import { issueToken } from './testing/tokens.ts'
import { hashToken } from './tokens.ts'

const context = await openAuthDatabase()
const { owner, gateways, run } = context
afterAll(() => context.close())

const [before, after] = ['the pepper that is replaced', 'the pepper that replaces it']
let integration: string
beforeEach(async () => {
  await run(sql`delete from auth.credentials`)
  ;({ integration } = await owner.use(connection => openIntegration(connection, 'Ada')))
})

/** A gateway, with its own cache. */
function openGateway(...peppers: Peppers) {
  const cache = createCredentialCache()
  return {
    cache,
    find: async (token: string) => {
      const presented = { token, mode: 'test', organization: null } as const
      return gateways.test.use(connection =>
        authenticateWithCache(connection, peppers, presented, cache),
      )
    },
    issue: async () =>
      (
        await owner.use(connection =>
          issueKey(connection, peppers[0], { integration, mode: 'test', name: 'k' }),
        )
      ).key,
    list: () =>
      owner.use(connection => keysCommand(['list'], { connection, peppers, now: Date.now() })),
  }
}
const stored = async () =>
  (
    await run(sql`select pepper, encode(hash, 'hex') as hash from auth.credentials order by id`)
  ).map(({ pepper, hash }) => [pepper, hash])

test('a credential is found under each pepper, and rehashed with the newest when used', async () => {
  const key = await openGateway(before).issue()
  const { token } = await owner.use(connection =>
    issueToken(connection, before, { integration, kind: 'agent' }),
  )
  const gateway = openGateway(after, before)
  expect(await stored()).toEqual([
    [pepperName(before), hashToken(before, key).toHex()],
    [pepperName(before), hashToken(before, token).toHex()],
  ])
  for (const one of [key, token]) expect(await gateway.find(one)).not.toBeNull()
  expect(await stored()).toEqual([
    [pepperName(after), hashToken(after, key).toHex()],
    [pepperName(after), hashToken(after, token).toHex()],
  ])
  // Each cached lookup takes one statement. A gateway with only the newest pepper finds the key
  // too.
  const roundTrips = gateways.test.roundTrips()
  for (const one of [key, key, token]) expect(await gateway.find(one)).not.toBeNull()
  expect(gateways.test.roundTrips() - roundTrips).toBe(3)
  expect(await openGateway(after).find(key)).not.toBeNull()
  expect(await openGateway(before).find(key)).toBeNull()
})

test('a key from before peppers had names is found, and gets its pepper’s name', async () => {
  const key = await openGateway(before).issue()
  await run(sql`update auth.credentials set pepper = null`)
  const gateway = openGateway(after, before)
  expect(await gateway.list()).toContain('1 credential is still under an older pepper')
  expect(await openGateway(before).list()).not.toContain('pepper')
  expect(await gateway.find(key)).not.toBeNull()
  expect((await stored())[0]?.[0]).toBe(pepperName(after))
})

test('in each step both gateways accept what the other issued, cached or not', async () => {
  const steps: [Peppers, Peppers][] = [
    [[before], [before, after]],
    [
      [before, after],
      [after, before],
    ],
    [[after, before], [after]],
  ]
  const oldest = await openGateway(before).issue()
  for (const [one, other] of steps) {
    const [here, there] = [openGateway(...one), openGateway(...other)]
    const keys = [oldest, await here.issue(), await there.issue()]
    // The gateways take turns using each key.
    for (let turn = 0; turn < 3; turn++) {
      for (const key of keys) {
        expect(await here.find(key)).not.toBeNull()
        expect(await there.find(key)).not.toBeNull()
      }
    }
  }
})

test('a gateway keeps a cached credential that another gateway rehashed', async () => {
  const [here, there] = [openGateway(before, after), openGateway(after, before)]
  const key = await here.issue()
  await here.find(key)
  await there.find(key)
  const roundTrips = gateways.test.roundTrips()
  await here.find(key)
  expect(gateways.test.roundTrips() - roundTrips).toBe(1)
})

test('if two gateways rehash a credential at once, one succeeds', async () => {
  const key = await openGateway(before).issue()
  const all = Array.from({ length: 6 }, () => openGateway(after, before))
  expect(await Promise.all(all.map(one => one.find(key)))).not.toContain(null)
  expect(await stored()).toEqual([[pepperName(after), hashToken(after, key).toHex()]])
})

test('the gateway role can’t change a hash it doesn’t know', async () => {
  const key = await openGateway(before).issue()
  const [row] = await run(sql`select id from auth.credentials`)
  const [known, invented] = [hashToken(before, key).toHex(), hashToken(after, 'another').toHex()]
  const rehash = (older: string) =>
    gateways.test.use(connection =>
      connection.run(sql`
        select auth.rehash_credential(${String(row?.['id'])}, array[decode(${older}, 'hex')],
                                      decode(${invented}, 'hex'), 'other')`),
    )
  await rehash(invented)
  expect((await stored())[0]?.[1]).toBe(known)
  const planted = gateways.test.use(connection =>
    connection.run(sql`update auth.credentials set hash = decode(${invented}, 'hex')`),
  )
  await expect(planted).rejects.toThrow('permission denied')
})

test('the key list counts keys under an older pepper, and under a lost one', async () => {
  const key = await openGateway(before).issue()
  await openGateway(before).issue()
  const gateway = openGateway(after, before)
  expect(await gateway.list()).toContain('2 credentials are still under an older pepper')
  const outdated = (await gateway.list()).match(/^  key key_\w+$/gm)
  expect(outdated).toHaveLength(2)
  await gateway.find(key)
  const [left] = (await gateway.list()).match(/^  key key_\w+$/gm) ?? []
  expect(outdated?.filter(name => name === left)).toHaveLength(1)
  expect(await gateway.list()).toContain('1 credential is still under an older pepper')
  expect(await openGateway(after).list()).toContain(
    "1 credential is under a pepper that isn't in KEY_PEPPER",
  )
  await run(sql`update auth.credentials set revoked_at = now()`)
  expect(await gateway.list()).toContain('Every credential uses the newest pepper')
  expect(await openGateway(after).list()).not.toContain('pepper')
})

test('a pepper has a name that does not reveal it', () => {
  expect(pepperName(before)).toMatch(/^[0-9a-f]{8}$/)
  expect(pepperName(before)).not.toBe(pepperName(after))
  expect(hashesOf([after, before], 'x')).toEqual([hashToken(after, 'x'), hashToken(before, 'x')])
})
