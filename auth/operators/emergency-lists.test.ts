// What the command prints of operators and accesses, what it refuses, and what it leaves behind.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { sql } from '#database/sql.ts'
import { until } from '#http/testing/until.ts'
import { newId } from '../ids.ts'
import { openClinic } from '../testing/clinic.ts'
import { closeEmergencies, runEmergency } from '../testing/emergency.ts'
import { openPeople, type TestPeople, type TestPerson } from '../testing/people.ts'
import { emergencyHelp, statementsOf } from './emergency-command.ts'
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
  const none = 'There is no operator yet: `npm run emergency -- operator <email>`.'
  expect(await run('operators')).toEqual([none])
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

describe('emergency: prints', () => {
  test('what comes next after each step', async () => {
    const asked = await run('ask', clinic, '--reason', 'Orders are\nstuck.', ...as(ada))
    const id = asked[0]?.split(' ')[0] ?? ''
    expect(asked).toEqual([
      `${id} waits for another operator, for a day:`,
      `  npm run emergency -- approve ${id} --as … --code …`,
    ])
    const moment = '\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z'
    expect((await run('list')).slice(0, 2)).toEqual([
      `${id}  not approved  ${clinic} River Clinic`,
      expect.stringMatching(new RegExp(`^  asked ${moment} by Ada: Orders are stuck\\.$`)),
    ])
    expect(await run('approve', id, ...as(ben))).toEqual([
      `${id} is approved for an hour. The administrators of the clinic are emailed.`,
    ])
    expect((await run('list')).slice(0, 3)).toEqual([
      expect.stringMatching(new RegExp(`^${id}  open until ${moment}  ${clinic} River Clinic$`)),
      expect.stringMatching(new RegExp(`^  asked ${moment} by Ada: Orders are stuck\\.$`)),
      expect.stringMatching(new RegExp(`^  approved ${moment} by Ben$`)),
    ])
    expect(await run('end', id)).toEqual([`${id} has ended, and its role is removed.`])
    expect((await run('list'))[0]).toBe(`${id}  over  ${clinic} River Clinic`)
  })

  test('that an operator is none any more', async () => {
    const eve = await people.addPerson()
    expect(await run('operator', eve.email, ...as(ada))).toEqual([`${eve.email} is an operator.`])
    expect(await run('operator', eve.email, '--remove', ...as(ada))).toEqual([
      `${eve.email} is no operator any more.`,
    ])
    expect((await run('operators')).join()).not.toContain(eve.email)
  })

  test('which statement the audit knows otherwise', async () => {
    const id = await approved()
    await run('read', id, ...as(ada), 'select 1 as n')
    const add = async (statement: string, entry: Record<string, string>) => {
      const { mode = 'live', surface = 'cli', action = 'readRowsOfClinic', of = '' } = entry
      const made = newId('statement')
      await people.run(sql`
        insert into audit.statements (id, access, statement) values (${made}, ${id}, ${statement})`)
      await people.run(sql`
        insert into audit.entries (mode, organization, actor, surface, action, target, outcome,
                                   status, request, shape)
        values (${mode}, ${clinic}, ${ada.id}, ${surface}, ${action},
                ${entry['target'] ?? made}, 'ok', 200, 'req_x',
                encode(sha256(convert_to(${of === '' ? statement : of}, 'utf8')), 'hex'))`)
    }
    await add('as it was', {})
    await add('another text', { of: 'select 1' })
    await add('another mode', { mode: 'test' })
    await add('another surface', { surface: 'console' })
    await add('another action', { action: 'openOperatorAccess' })
    await add('another target', { target: 'stm_x' })
    const changed = '  CHANGED: the audit has another digest'
    expect((await run('show', id)).map(line => line.slice(26))).toEqual([
      'select 1 as n',
      'as it was',
      `another text${changed}`,
      `another mode${changed}`,
      `another surface${changed}`,
      `another action${changed}`,
      `another target${changed}`,
    ])
    const second = await approved()
    expect(await run('show', second)).toEqual([])
  })
})

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

  test('who has no account, or a disabled one', async () => {
    const eve = await people.addPerson()
    await people.run(sql`update auth.persons set disabled_at = now() where id = ${eve.id}`)
    expect(await says('operator', 'eve', ...as(ada))).toBe('Give the email address of an account.')
    for (const email of [eve.email, 'none@example.com']) {
      expect(await says('operator', email, ...as(ada))).toBe(
        `There is no account of ${email}. A person makes one at AUTH_URL.`,
      )
    }
    expect(await says('operator', ben.email.toUpperCase(), ...as(ada))).toEqual([
      `${ben.email.toUpperCase()} is an operator.`,
    ])
    expect(await says('ask', clinic, '--reason', 'A good reason.', '--code', '123456')).toBe(
      'Say who you are: --as with your email address, --code of your app.',
    )
  })

  test('what is no command, by the help', async () => {
    expect(await says()).toBe(emergencyHelp)
    for (const wrong of [['list', 'x'], ['operators', 'x'], ['read'], ['ask'], ['end', 'a', 'b']]) {
      expect(await says(...wrong)).toBe(
        `"${wrong.join(' ')}" is not a command.\n\n${emergencyHelp}`,
      )
    }
  })
})

test('emergency: an access that ends between two statements reads no more', async () => {
  const id = await approved()
  input = async function* () {
    yield 'select 1 as n;'
    await people.run(sql`update auth.operator_accesses set ended_at = now() where id = ${id}`)
    yield 'select 2 as n;'
  }
  const printed: unknown = await says('read', id, ...as(ada))
  expect(printed).toBe('It is over: ask again.')
  expect(await run('show', id)).toHaveLength(1)
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

test('emergency: a clinic sees the accesses to it that were approved, the newest first', async () => {
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

test('emergency: a thousand operators are listed', async () => {
  await people.run(sql`
    with made as (
      insert into auth.persons (id, email, name)
      select 'per_many_' || n, 'many' || n || '@example.com', 'x' from generate_series(1, 1001) n
      returning id)
    insert into auth.operators (person, added_at) select id, now() + interval '1 hour' from made`)
  expect(await run('operators')).toHaveLength(1000)
})

test('statements of an input: each ends with a semicolon at the end of a line, or with the input', async () => {
  const read = async (...all: string[]) => Array.fromAsync(statementsOf(lines(all)))
  expect(await read('select 1;', 'select', '  2; ', 'select ; 3')).toEqual([
    'select 1;\n',
    'select\n  2; \n',
    'select ; 3\n',
  ])
  expect(await read('select 1;')).toEqual(['select 1;\n'])
  expect(await read('select 1;', '', '  ')).toEqual(['select 1;\n'])
  expect(await read()).toEqual([])
})
