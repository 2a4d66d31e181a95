import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createEncryption } from '#database/encryption.ts'
import { sql } from '#database/sql.ts'
import { until } from '#http/testing/until.ts'
import { encryptionKeys, openPeople, type TestPeople } from '../testing/people.ts'
import { totpPurpose } from './person-store.ts'
import { openReencryption, reencryptFactors } from './reencryption.ts'

let people: TestPeople
beforeAll(async () => {
  people = await openPeople()
})
afterAll(() => people.close())

const newest = 'a newer key'
const both = createEncryption([newest, ...encryptionKeys])
const alone = createEncryption([newest])

const stored = async (person: string) =>
  (
    await people.run<{ totp_secret: string }>(sql`
      select totp_secret from auth.person_factors where person = ${person}`)
  )[0]?.totp_secret ?? ''

test('each secret is encrypted with the newest key, once; a person without one stays', async () => {
  const all = [await people.addPerson(), await people.addPerson()]
  await people.addPerson(false)
  expect(await reencryptFactors(people.pool, both)).toEqual({ changed: 2, lost: 0 })
  for (const { id, secret } of all) {
    expect(alone.open(totpPurpose(id), await stored(id))).toBe(secret ?? '')
  }
  expect(await reencryptFactors(people.pool, both)).toEqual({ changed: 0, lost: 0 })
})

test('one that no key decrypts stays as it is, and is reported', async () => {
  const { id } = await people.addPerson()
  const before = await stored(id)
  expect(await reencryptFactors(people.pool, alone)).toEqual({ changed: 0, lost: 1 })
  expect(await stored(id)).toBe(before)
  const failures: unknown[] = []
  const running = openReencryption(people.pool, alone, failure => void failures.push(failure))
  await until(() => failures.length > 0)
  await running.stop()
  expect(String(failures[0])).toContain('no key for the authenticator apps of 1 person')
  expect(await reencryptFactors(people.pool, both)).toEqual({ changed: 1, lost: 0 })
})

test('what is not stored any more is not replaced', async () => {
  const { id } = await people.addPerson()
  const before = await stored(id)
  const [row] = await people.pool.use(connection =>
    connection.run<{ changed: boolean }>(
      sql`select auth.reencrypt_factor(${id}, 'sealed.other', 'sealed.planted') as changed`,
    ),
  )
  expect([row?.changed, await stored(id)]).toEqual([false, before])
})
