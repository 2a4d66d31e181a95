// Tests who has a second factor, and which factors belong to whom.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { randomBytes } from '#database/clock.ts'
import { sql } from '#database/sql.ts'
import { until } from '#http/testing/until.ts'
import { openPeople, peppers, type TestPeople, type TestPerson } from '../testing/people.ts'
import { hasFactor, listFactors } from './factors.ts'
import { openPersonStore, type PersonStore, totpPurpose } from './person-store.ts'
import { newRecoveryCodes, replaceRecoveryCodes, useRecoveryCode } from './recovery-codes.ts'

let people: TestPeople
let store: PersonStore
beforeAll(async () => {
  people = await openPeople()
  const { pool, encryption, clock } = people
  store = openPersonStore({ pool, encryption, now: () => clock.now })
})
afterAll(() => people.close())

const act = { surface: 'oauth', request: 'req_factors', address: null, agent: null } as const

async function addPasskey({ id }: TestPerson, name: string) {
  const key = `${name}-of-${id}`
  await people.run(sql`
    insert into auth.passkeys (id, person, public_key, name, sign_count)
    values (${key}, ${id}, 'x', ${name}, 0)`)
  return key
}

async function addCodes({ id: person }: TestPerson) {
  const made = newRecoveryCodes(peppers, person, randomBytes)
  await replaceRecoveryCodes(people.pool, person, made, act)
  return made.codes
}

test("factors: lists only the person's own, with the number of unused codes", async () => {
  const [ada, ben] = [await people.addPerson(), await people.addPerson(false)]
  const keys = [await addPasskey(ada, 'First'), await addPasskey(ada, 'Second')]
  await addPasskey(await people.addPerson(), 'Another')
  const [code = ''] = await addCodes(ada)
  await useRecoveryCode(people.pool, peppers, { person: ada.id, code }, act)
  const [ofAda, ofBen] = [
    await listFactors(people.pool, ada.id),
    await listFactors(people.pool, ben.id),
  ]
  expect(ofAda.passkeys.map(({ id }) => id).toSorted()).toEqual(keys.toSorted())
  expect([ofAda.hasTotp, ofAda.recoveryCodesLeft]).toEqual([true, 9])
  const none = { hasTotp: false, totpSecret: null, passkeys: [], recoveryCodesLeft: 0 }
  expect(ofBen).toEqual(none)
  expect(await listFactors(people.pool, 'per_none')).toEqual(none)
})

test('factors: an authenticator app counts as a second factor, and so does a single passkey', async () => {
  const [ada, ben, eve] = [
    await people.addPerson(),
    await people.addPerson(false),
    await people.addPerson(false),
  ]
  await addPasskey(ben, 'The only one')
  for (const [person, isOne] of [
    [ada, true],
    [ben, true],
    [eve, false],
  ] as const) {
    expect(hasFactor(await listFactors(people.pool, person.id))).toBe(isOne)
    expect(await store.hasSecondFactor(person.id)).toBe(isOne)
  }
})

test('factors: a disabled person has no second factor', async () => {
  const ada = await people.addPerson()
  await people.run(sql`update auth.persons set disabled_at = now() where id = ${ada.id}`)
  expect(await store.hasSecondFactor(ada.id)).toBe(false)
  expect(await store.useCode(ada.id, people.clock.nextCode(ada))).toBe(false)
})

test('factors: a code from an app that is being replaced no longer counts', async () => {
  const ada = await people.addPerson()
  const other = await people.addPerson()
  const replaced = people.encryption.encrypt(totpPurpose(ada.id), other.secret ?? '')
  const code = people.clock.nextCode(ada)
  const used = await people.owner.use(async connection => {
    await connection.run(sql`begin`)
    await connection.run(
      sql`update auth.person_factors set totp_secret = ${replaced} where person = ${ada.id}`,
    )
    const using = store.useCode(ada.id, code)
    await until(async () => (await people.countWaiting()) === 1, 4)
    await connection.run(sql`commit`)
    return using
  })
  expect(used).toBe(false)
  expect(await store.useCode(ada.id, people.clock.nextCode(other))).toBe(true)
})
