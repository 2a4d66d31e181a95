import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createEncryption } from '#database/encryption.ts'
import { sql } from '#database/sql.ts'
import { queryAsOwner } from '../testing/assertions.ts'
import { useFixtures } from '../testing/fixtures.ts'
import { secretPurpose } from './connection.ts'
import { checkPharmacyKeys, reencryptPharmacies } from './reencrypt.ts'
import { openPharmacyClinic, type PharmacyClinic } from './testing/clinic.ts'

const fixtures = useFixtures()
const newest = 'a new key, which is long enough for it'
const alone = createEncryption([newest])

let clinic: PharmacyClinic
let id: string
beforeAll(async () => {
  clinic = await openPharmacyClinic(fixtures)
  await clinic.connect()
  id = clinic.connection()
})
afterAll(() => clinic.close())

const stored = async () => {
  const [row] = await queryAsOwner<{ secret: string; previous_secret: string | null }>(
    fixtures,
    sql`select secret, previous_secret from pharmacy.connections where id = ${id}`,
  )
  return row ?? { secret: '', previous_secret: null }
}

test('a pharmacy’s secrets are re-encrypted once with the newest key; then the old key can be removed', async () => {
  const { pool } = clinic.parts
  const older = fixtures.context.webhooks.encryption
  const both = createEncryption([newest, fixtures.context.pepper])
  const previous = older.encrypt(secretPurpose(id), 'the one before')
  await queryAsOwner(
    fixtures,
    sql`update pharmacy.connections set previous_secret = ${previous},
               previous_secret_expires_at = now() + interval '1 day' where id = ${id}`,
  )
  await checkPharmacyKeys(pool, both)
  await expect(checkPharmacyKeys(pool, alone)).rejects.toThrow(`for the secrets of ${id}.`)
  // Values that no key decrypts stay as they are.
  const before = await stored()
  expect(await reencryptPharmacies(pool, alone)).toBe(0)
  expect(await stored()).toEqual(before)

  // Two workers run concurrently; each secret is replaced once.
  const counts = await Promise.all([1, 2].map(() => reencryptPharmacies(pool, both)))
  expect(counts.toSorted()).toEqual([0, 1])
  expect(await reencryptPharmacies(pool, both)).toBe(0)
  await checkPharmacyKeys(pool, alone)
  const { secret, previous_secret } = await stored()
  expect(alone.open(secretPurpose(id), secret)).toBe(clinic.secret)
  expect(alone.open(secretPurpose(id), previous_secret ?? '')).toBe('the one before')

  const { order } = await clinic.approve()
  expect(await clinic.transmit({ encryption: alone })).toEqual({ accepted: 1 })
  expect(await clinic.transmission(order)).toMatchObject({ status: 'accepted' })
  const acts = await queryAsOwner(
    fixtures,
    sql`select mode, organization, actor, surface, target, outcome from audit.entries
         where action = 'reencryptPharmacySecret'`,
  )
  expect(acts).toEqual([
    {
      mode: 'live',
      organization: fixtures.clinic,
      actor: 'worker',
      surface: 'worker',
      target: id,
      outcome: 'ok',
    },
  ])
})

test('a secret replaced in the meantime isn’t overwritten', async () => {
  const { secret } = await stored()
  const [row] = await clinic.parts.pool.use(connection =>
    connection.run<{ done: boolean }>(
      sql`select pharmacy.reencrypt(${id}, 'another', null, 'older again', null) as done`,
    ),
  )
  expect(row).toEqual({ done: false })
  expect((await stored()).secret).toBe(secret)
})
