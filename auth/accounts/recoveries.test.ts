// Tests which recovery a link finds, and the facts its page shows. Page tests cover the rest.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { randomBytes } from '#database/clock.ts'
import { sql } from '#database/sql.ts'
import { until } from '#http/testing/until.ts'
import {
  openPeople,
  password,
  peppers,
  type TestPeople,
  type TestPerson,
} from '../testing/people.ts'
import { changePassword } from './own-account.ts'
import { beginRecovery, findBegunRecovery, findRecovery, requestRecovery } from './recoveries.ts'
import { newRecoveryCodes, replaceRecoveryCodes, useRecoveryCode } from './recovery-codes.ts'

let people: TestPeople
beforeAll(async () => void (people = await openPeople()))
afterAll(() => people.close())

const act = { surface: 'oauth', request: 'req_recovery', address: null, agent: null } as const

async function asked({ email, id }: TestPerson): Promise<string> {
  await requestRecovery(people.pool, email, act)
  const [row] = await people.run<{ id: string }>(sql`
    select id from auth.recoveries where person = ${id} order by id desc limit 1`)
  return row?.id ?? ''
}

test('recoveries: a link finds its recovery, with the person and whether they have a code', async () => {
  const [ada, ben] = [await people.addPerson(), await people.addPerson(false)]
  const [ofAda, ofBen] = [await asked(ada), await asked(ben)]
  const recovery = { effective_at: null, is_effective: false, name: 'Ada' }
  expect(await findRecovery(people.pool, ofAda)).toEqual({
    ...recovery,
    id: ofAda,
    person: ada.id,
    email: ada.email,
    has_factor: true,
  })
  expect(await findRecovery(people.pool, ofBen)).toEqual({
    ...recovery,
    id: ofBen,
    person: ben.id,
    email: ben.email,
    has_factor: false,
  })
  expect(await findRecovery(people.pool, 'rcv_none')).toBeNull()
})

test('recoveries: a recovery code is a second factor until it’s used', async () => {
  const [ada, ben] = [await people.addPerson(false), await people.addPerson(false)]
  const ids = [await asked(ada), await asked(ben)] as const
  const made = newRecoveryCodes(peppers, ada.id, randomBytes)
  await replaceRecoveryCodes(people.pool, ada.id, made, act)
  const have = async () =>
    Promise.all(ids.map(async id => (await findRecovery(people.pool, id))?.has_factor))
  expect(await have()).toEqual([true, false])
  for (const code of made.codes) {
    await useRecoveryCode(people.pool, peppers, { person: ada.id, code }, act)
  }
  expect(await have()).toEqual([false, false])
})

test('recoveries: a disabled person’s recovery is not found', async () => {
  const ada = await people.addPerson()
  const id = await asked(ada)
  await people.run(sql`update auth.persons set disabled_at = now() where id = ${ada.id}`)
  expect(await findRecovery(people.pool, id)).toBeNull()
})

test('recoveries: the account page shows a person their started recovery', async () => {
  const [ada, ben] = [await people.addPerson(), await people.addPerson()]
  const begun = await asked(ada)
  await asked(ben)
  const found = async ({ id }: TestPerson) => (await findBegunRecovery(people.pool, id))?.id
  expect(await found(ada)).toBeUndefined()
  expect(await beginRecovery(people.pool, begun, act)).toBeNull()
  expect(await found(ada)).toBe(begun)
  expect(await found(ben)).toBeUndefined()
})

test('recoveries: simultaneous requests send at most three emails an hour', async () => {
  const ada = await people.addPerson()
  const { requests } = await people.owner.use(async connection => {
    await connection.run(sql`begin`)
    await connection.run(sql`lock table auth.recoveries in share mode`)
    const requests = Promise.all(
      Array.from({ length: 4 }, () => requestRecovery(people.pool, ada.email, act)),
    )
    await until(async () => (await people.countWaiting()) === 4)
    await connection.run(sql`commit`)
    // Wrapped in an object, because a returned promise would be awaited.
    return { requests }
  })
  await requests
  const sent = await people.run(sql`select from auth.recoveries where person = ${ada.id}`)
  expect(sent).toHaveLength(3)
})

test('recoveries: a started recovery ends when the person changes their password', async () => {
  const [ada, ben] = [await people.addPerson(), await people.addPerson()]
  const ids = [await asked(ada), await asked(ben)] as const
  for (const id of ids) expect(await beginRecovery(people.pool, id, act)).toBeNull()
  const change = { person: ada.id, current: password, password: `new ${password}`, session: '' }
  expect(await changePassword(people.pool, change, act)).toBeNull()
  const found = ids.map(id => findRecovery(people.pool, id))
  expect((await Promise.all(found)).map(one => one?.person)).toEqual([undefined, ben.id])
})
