// Tests how long sessions last, where they are listed, and when they end. accounts.test.ts has the
// other session tests.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { sql } from '#database/sql.ts'
import { openPeople, peppers, type TestPeople, type TestPerson } from '../testing/people.ts'
import { withSlow } from '../testing/slow-writes.ts'
import { listSessions } from './own-account.ts'
import { openSessions, type Sessions } from './sessions.ts'

let people: TestPeople
let sessions: Sessions
let ofConsole: Sessions
beforeAll(async () => {
  people = await openPeople()
  sessions = openSessions(people.pool, peppers)
  ofConsole = openSessions(people.pool, peppers, 'console')
})
afterAll(() => people.close())

type SessionRow = { second_factor: boolean; revoked_reason: string | null; last_used: boolean }

const stored = async (id: string) => {
  const [row] = await people.run<SessionRow>(sql`
    select second_factor_at is not null as second_factor, revoked_reason,
           last_used_at is not null as last_used
      from auth.credentials where id = ${id}`)
  return row
}

/** Makes a session older by this many seconds. */
const age = (id: string, seconds: number) =>
  people.run(sql`
    update auth.credentials
       set created_at = created_at - ${seconds}::int * interval '1 second',
           last_used_at = last_used_at - ${seconds}::int * interval '1 second'
     where id = ${id}`)

test('sessions: a console session ends after 15 idle minutes', async () => {
  const ada = await people.addPerson()
  const { id, token } = await ofConsole.begin(ada.id, null)
  await age(id, 14 * 60 + 50)
  expect(await ofConsole.find(token)).not.toBeNull()
  // The request above counted as a use.
  await age(id, 14 * 60 + 50)
  expect(await ofConsole.find(token)).not.toBeNull()
  await age(id, 15 * 60 + 1)
  expect(await ofConsole.find(token)).toBeNull()
})

test('sessions: a use is stored if the last one was at least a minute ago', async () => {
  const ada = await people.addPerson()
  const { id, token } = await sessions.begin(ada.id, null)
  const isUsed = async () => (await stored(id))?.last_used
  await age(id, 50)
  await sessions.find(token)
  expect(await isUsed()).toBe(false)
  await age(id, 11)
  await sessions.find(token)
  expect(await isUsed()).toBe(true)
})

test('sessions: without a verified second factor, a session has no second factor age', async () => {
  const ada = await people.addPerson()
  const plain = await sessions.begin(ada.id, null)
  const proven = await sessions.begin(ada.id, null, { isProven: true })
  expect((await sessions.find(plain.token))?.secondFactorSeconds).toBeNull()
  expect((await sessions.find(proven.token))?.secondFactorSeconds).toBeLessThan(60)
})

test("sessions: signing out ends only that sign-in's sessions, each with its reason", async () => {
  const [ada, ben] = [await people.addPerson(), await people.addPerson()]
  const [other, ofBen] = [await sessions.begin(ada.id, null), await sessions.begin(ben.id, null)]
  const first = await sessions.begin(ada.id, null)
  const renewed = await sessions.proveSecondFactor(first.token)
  await sessions.end(renewed?.token ?? '')
  const reasons = await Promise.all(
    [first, renewed, other, ofBen].map(async one => (await stored(one?.id ?? ''))?.revoked_reason),
  )
  expect(reasons).toEqual(['renewed', 'signed_out', null, null])
})

test('sessions: forgetting a second factor affects only one session', async () => {
  const ada = await people.addPerson()
  const [one, other] = [
    await sessions.begin(ada.id, null, { isProven: true }),
    await sessions.begin(ada.id, null, { isProven: true }),
  ]
  await sessions.forgetSecondFactor(one.id)
  expect([await stored(one.id), await stored(other.id)]).toMatchObject([
    { second_factor: false },
    { second_factor: true },
  ])
})

test('sessions: each change is stored before it is reported', async () => {
  const ada = await people.addPerson()
  const begun = await withSlow(people, 'new sessions', async () => {
    const session = await sessions.begin(ada.id, null, { isProven: true })
    expect(await stored(session.id)).toBeDefined()
    return session
  })
  await withSlow(people, 'changed sessions', async () => {
    await sessions.forgetSecondFactor(begun.id)
    expect((await stored(begun.id))?.second_factor).toBe(false)
    await age(begun.id, 61)
    await sessions.find(begun.token)
    expect((await stored(begun.id))?.last_used).toBe(true)
    const next = await sessions.begin(ada.id, begun.token)
    expect((await stored(begun.id))?.revoked_reason).toBe('signed_out')
    await sessions.end(next.token)
    expect((await stored(next.id))?.revoked_reason).toBe('signed_out')
  })
})

const idsOf = async (person: TestPerson, session: string) =>
  (await listSessions(people.pool, { person: person.id, session })).map(({ id }) => id)

test("session list: shows the person's active sessions at AUTH_URL, this one first", async () => {
  const [ada, ben] = [await people.addPerson(), await people.addPerson()]
  await sessions.begin(ben.id, null)
  const current = await sessions.begin(ada.id, null, { name: 'This one' })
  const [old, recent, ended] = [
    await sessions.begin(ada.id, null),
    await sessions.begin(ada.id, null),
    await sessions.begin(ada.id, null),
  ]
  await ofConsole.begin(ada.id, null)
  await sessions.end(ended.token)
  await age(current.id, 600)
  await age(old.id, 300)
  await age(recent.id, 200)
  expect(await idsOf(ada, current.id)).toEqual([current.id, recent.id, old.id])
  // Using the old session makes it the most recently used.
  await sessions.find(old.token)
  expect(await idsOf(ada, current.id)).toEqual([current.id, old.id, recent.id])
  const list = await listSessions(people.pool, { person: ada.id, session: current.id })
  expect(list.map(({ is_current: isCurrent, name }) => [isCurrent, name])).toEqual([
    [true, 'This one'],
    [false, 'Session'],
    [false, 'Session'],
  ])
})

test('session list: a session renewed by the second factor keeps its sign-in time', async () => {
  const ada = await people.addPerson()
  await sessions.begin(ada.id, null).then(({ id }) => age(id, 7200))
  const first = await sessions.begin(ada.id, null)
  await age(first.id, 3600)
  const renewed = await sessions.proveSecondFactor(first.token)
  const list = await listSessions(people.pool, { person: ada.id, session: renewed?.id ?? '' })
  const [row] = await people.run<{ at: string }>(
    sql`select iso(created_at) as at from auth.credentials where id = ${first.id}`,
  )
  expect(list[0]?.since).toBe(row?.at ?? '')
})

test('isElsewhere: only another valid session of the person at the same origin counts', async () => {
  const [ada, ben] = [await people.addPerson(), await people.addPerson()]
  const { token } = await ofConsole.begin(ada.id, null)
  await ofConsole.begin(ben.id, null)
  await sessions.begin(ada.id, null)
  const isElsewhere = async () => {
    const session = await ofConsole.find(token)
    if (session === null) throw new Error('the session has ended')
    return ofConsole.isElsewhere(session)
  }
  expect(await isElsewhere()).toBe(false)
  const idle = await ofConsole.begin(ada.id, null)
  expect(await isElsewhere()).toBe(true)
  await age(idle.id, 15 * 60)
  expect(await isElsewhere()).toBe(false)
  const other = await ofConsole.begin(ada.id, null)
  expect(await isElsewhere()).toBe(true)
  await ofConsole.end(other.token)
  expect(await isElsewhere()).toBe(false)
})
