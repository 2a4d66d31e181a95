// Tests the operator list, what the command refuses, and that it leaves nothing behind.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { sql } from '#database/sql.ts'
import { until } from '#http/testing/until.ts'
import { openClinic } from '../testing/clinic.ts'
import { closeEmergencies, runEmergency } from '../testing/emergency.ts'
import { openPeople, type TestPeople, type TestPerson } from '../testing/people.ts'
import { statementsOf } from './emergency-command.ts'
import { listOperatorAccesses } from './operator-access.ts'

let people: TestPeople
let clinic: string
let ada: TestPerson
let ben: TestPerson
beforeAll(async () => {
  people = await openPeople()
  ;[ada, ben] = [await people.addPerson(), await people.addPerson()]
  clinic = await openClinic(people)
  await people.run(sql`update auth.persons set name = 'Ben' where id = ${ben.id}`)
  const day = new Date().toISOString().slice(0, 10)
  const none = 'No operators yet. Add one with `npm run admin -- emergency operator <email>`.'
  expect(await run('operators')).toEqual([none])
  expect(await run('list')).toEqual(['Nobody has requested access yet.'])
  await run('operator', ada.email)
  expect(await run('operators')).toEqual([`${ada.email}  since ${day}`])
  await run('operator', ben.email)
  expect(await run('operators')).toHaveLength(2)
})
afterAll(() => closeEmergencies(people))

let input: () => AsyncIterable<string>
beforeEach(() => void (input = () => statementsOf(lines([]))))
async function* lines(all: readonly string[]) {
  yield* all
}
const run = (...args: string[]) => runEmergency(people, args, () => input())
const says = (...args: string[]) => run(...args).catch((fault: Error) => fault.message)
const as = (person: TestPerson) => ['--as', person.email, '--code', people.clock.nextCode(person)]
async function ask(reason = 'Orders of the clinic are stuck.'): Promise<string> {
  const [first = ''] = await run('ask', clinic, '--reason', reason, ...as(ada))
  return first.split(' ')[0] ?? ''
}
async function approved(): Promise<string> {
  const id = await ask()
  await run('approve', id, ...as(ben))
  return id
}

describe('emergency: refuses', () => {
  test('a reason of fewer than 10 or more than 500 characters', async () => {
    const fault = '--reason must have 10 to 500 characters.'
    for (const length of [0, 9, 501]) {
      const reason = ['--reason', ` ${'x'.repeat(length)} `]
      expect(await says('ask', clinic, ...reason, ...as(ada))).toBe(fault)
    }
    expect(await says('ask', clinic, ...as(ada))).toBe(fault)
    for (const length of [10, 500]) expect(await ask('x'.repeat(length))).toStartWith('opa_')
  })

  test('a person without an account, or with a disabled one', async () => {
    const eve = await people.addPerson()
    await people.run(sql`update auth.persons set disabled_at = now() where id = ${eve.id}`)
    expect(await says('operator', 'eve', ...as(ada))).toBe("Give an account's email address.")
    for (const email of [eve.email, 'none@example.com']) {
      expect(await says('operator', email, ...as(ada))).toBe(
        `No account has the email ${email}. Accounts are created at AUTH_URL.`,
      )
    }
    expect(await says('operator', ben.email.toUpperCase(), ...as(ada))).toEqual([
      `${ben.email.toUpperCase()} is now an operator.`,
    ])
    expect(await says('ask', clinic, '--reason', 'A good reason.', '--code', '123456')).toBe(
      "Say who you are: --as with your email address, and --code with your app's code.",
    )
  })
})

test('emergency: an access that ends between two statements reads nothing else', async () => {
  const id = await approved()
  input = async function* () {
    yield 'select 1 as n;'
    await people.run(sql`update auth.operator_accesses set ended_at = now() where id = ${id}`)
    yield 'select 2 as n;'
  }
  const printed: unknown = await says('read', id, ...as(ada))
  expect(printed).toBe('This access has ended. Ask for a new one.')
  expect(await run('show', id)).toHaveLength(1)
})

test('emergency: show says that nothing ran, or that the ID is wrong', async () => {
  expect(await run('show', await ask())).toEqual(['No statements yet.'])
  expect(await says('show', 'opa_nothing')).toEqual(
    'No access has this ID. See: npm run admin -- emergency list',
  )
})

test('emergency: a read leaves no connection and no password', async () => {
  const id = await approved()
  await run('read', id, ...as(ada), 'select 1 as n')
  const connections = () =>
    people.run(sql`select from pg_stat_activity
                    where application_name = 'operator' and datname = current_database()`)
  await until(async () => (await connections()).length === 0)
  const [row] = await people.run(sql`
    select passwd is null as "hasNone" from pg_shadow
     where usename = (select role from auth.operator_accesses where id = ${id})`)
  expect(row).toEqual({ hasNone: true })
})

test('emergency: a clinic sees approved accesses to it, newest first', async () => {
  const other = await openClinic(people)
  const list = async (of: string | null) =>
    (await people.pool.use(one => listOperatorAccesses(one, of))).map(({ id }) => id)
  const own = await list(clinic)
  const first = await approved()
  const second = await approved()
  const third = await ask()
  expect(await list(clinic)).toEqual([second, first, ...own])
  expect(await list(other)).toEqual([])
  expect((await list(null)).slice(0, 3)).toEqual([third, second, first])
  await people.run(sql`
    insert into auth.operator_accesses (id, organization, reason, asked_by, asked_at)
    select 'opa_' || lpad(n::text, 4, '0'), ${other}, 'A reason of a test.', ${ada.id}, '2999-01-01'
      from generate_series(1, 101) n`)
  const all = await list(null)
  expect([all.length, all[0], all.at(-1)]).toEqual([100, 'opa_0101', 'opa_0002'])
})
