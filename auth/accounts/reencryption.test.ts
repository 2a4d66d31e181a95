import { afterAll, beforeAll, expect, spyOn, test } from 'bun:test'
import { createEncryption } from '#database/encryption.ts'
import { sql } from '#database/sql.ts'
import { until } from '#http/testing/until.ts'
import { encryptionKeys, openPeople, type TestPeople } from '../testing/people.ts'
import { withSlow } from '../testing/slow-writes.ts'
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

test('each secret is re-encrypted once, with the newest key; people without one are skipped', async () => {
  const all = [await people.addPerson(), await people.addPerson()]
  await people.addPerson(false)
  expect(await reencryptFactors(people.pool, both)).toEqual({ changed: 2, lost: 0 })
  for (const { id, secret } of all) {
    expect(alone.open(totpPurpose(id), await stored(id))).toBe(secret ?? '')
  }
  expect(await reencryptFactors(people.pool, both)).toEqual({ changed: 0, lost: 0 })
})

test('a secret that no key decrypts stays unchanged, and is reported', async () => {
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

test('a secret that changed since it was read is not replaced', async () => {
  const { id } = await people.addPerson()
  const before = await stored(id)
  const [row] = await people.pool.use(connection =>
    connection.run<{ changed: boolean }>(
      sql`select auth.reencrypt_factor(${id}, 'sealed.other', 'sealed.planted') as changed`,
    ),
  )
  expect([row?.changed, await stored(id)]).toEqual([false, before])
})

test('nothing is reported if no secret is lost, and stopping waits for the current run', async () => {
  const { id, secret } = await people.addPerson()
  const failures: unknown[] = []
  await withSlow(people, 'factors', async () => {
    const running = openReencryption(people.pool, both, failure => void failures.push(failure))
    await running.stop()
    expect(alone.open(totpPurpose(id), await stored(id))).toBe(secret ?? '')
  })
  expect(failures).toEqual([])
})

test('re-encryption repeats every hour until stopped', async () => {
  const [repeat, end] = [spyOn(globalThis, 'setInterval'), spyOn(globalThis, 'clearInterval')]
  try {
    const running = openReencryption(people.pool, both, () => {})
    expect(repeat.mock.calls.map(([, milliseconds]) => milliseconds)).toEqual([3_600_000])
    expect(end).not.toHaveBeenCalled()
    await running.stop()
    expect(end).toHaveBeenCalledWith(repeat.mock.results[0]?.value)
  } finally {
    repeat.mockRestore()
    end.mockRestore()
  }
})

test('lost secrets beyond one batch are each counted once and reported together', async () => {
  await people.run(sql`
    insert into auth.persons (id, email, name)
    select 'per_lost_' || n, 'lost' || n || '@example.com', 'Lost' from generate_series(1, 501) n`)
  await people.run(sql`
    insert into auth.person_factors (person, password_hash, totp_secret)
    select 'per_lost_' || n, '$argon2id$none', 'sealed.00000000.' || repeat('x', 60)
      from generate_series(1, 501) n`)
  const { id, secret } = await people.addPerson()
  expect(await reencryptFactors(people.pool, both)).toEqual({ changed: 1, lost: 501 })
  expect(alone.open(totpPurpose(id), await stored(id))).toBe(secret ?? '')
  await people.run(sql`delete from auth.person_factors where person = 'per_lost_501'`)
  // After a full batch, there may be more.
  expect(await reencryptFactors(people.pool, both)).toEqual({ changed: 0, lost: 500 })
  const failures: unknown[] = []
  await openReencryption(people.pool, both, failure => void failures.push(failure)).stop()
  expect(failures.map(String)).toEqual([
    'Error: SEAL_KEYS has no key for the authenticator apps of 500 people. Put back the key that encrypted them, after the newest.',
  ])
})
