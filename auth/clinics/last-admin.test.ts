// Tests that a clinic always keeps an administrator who can sign in, no matter which statement
// makes a change.

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { SQL } from 'bun'
import type { StaffRole } from '#contract/console/row.ts'
import type { Connection } from '#database/pool.ts'
import { sql } from '#database/sql.ts'
import { until } from '#http/testing/until.ts'
import { actFor, hire, openClinic } from '../testing/clinic.ts'
import { openPeople, type TestPeople, type TestPerson } from '../testing/people.ts'
import { closeAccount } from '../accounts/own-account.ts'
import { changeStaff, deactivateStaff, listStaff } from './staff.ts'

let people: TestPeople
beforeAll(async () => void (people = await openPeople()))
afterAll(() => people.close())

let clinic: string
let admin: TestPerson
beforeEach(async () => {
  clinic = await openClinic(people)
  admin = await hire(people, clinic, ['admin'])
  await hire(people, clinic, ['nurse'])
})

const use = <T>(work: (connection: Connection) => Promise<T>) => people.pool.use(work)
const act = (by: TestPerson | null = admin) => actFor(clinic, by)
const staff = async () => [...(await use(connection => listStaff(connection, clinic)))]
async function member({ id }: TestPerson) {
  const found = (await staff()).find(({ person }) => person === id)
  if (found === undefined) throw new Error('no such staff member')
  return found
}
async function deactivate(person: TestPerson, by = act()) {
  const { revision } = await member(person)
  return use(connection => deactivateStaff(connection, { person: person.id, revision }, by))
}
async function change(
  person: TestPerson,
  { roles, by }: { roles: StaffRole[]; by: ReturnType<typeof act> },
) {
  const { revision } = await member(person)
  const asked = { person: person.id, revision, name: 'Ada', roles }
  return use(connection => changeStaff(connection, asked, by))
}

describe('the last administrator', () => {
  test('is neither deactivated nor given other roles', async () => {
    expect((await deactivate(admin)).refusal).toBe('last_admin')
    expect((await change(admin, { roles: ['auditor'], by: act(null) })).refusal).toBe('last_admin')
    expect(await member(admin)).toMatchObject({ roles: ['admin'], removed_at: null })
  })

  test.each([
    ['removed', p => sql`update auth.staff set removed_at = now() where person = ${p}`],
    ['with other roles', p => sql`update auth.staff set roles = '{nurse}' where person = ${p}`],
    ['disabled', p => sql`update auth.persons set disabled_at = now() where id = ${p}`],
    ['deleted', p => sql`delete from auth.staff where person = ${p}`],
  ] as [string, (person: string) => ReturnType<typeof sql>][])(
    '%s in a direct statement: the database refuses',
    async (_name, statement) => {
      await expect(people.run(statement(admin.id))).rejects.toThrow('last administrator')
      const second = await hire(people, clinic, ['admin'])
      await people.run(statement(second.id))
      await expect(people.run(statement(admin.id))).rejects.toThrow('last administrator')
    },
  )

  test('can’t close their account; another administrator can, and is removed from the staff', async () => {
    const own = { surface: 'oauth', request: 'req_close', address: null, agent: null } as const
    expect(await closeAccount(people.pool, admin.id, own)).toBe('last_admin')
    const second = await hire(people, clinic, ['admin'])
    expect(await closeAccount(people.pool, admin.id, own)).toBeNull()
    expect((await member(admin)).removed_at).not.toBeNull()
    expect(await closeAccount(people.pool, second.id, own)).toBe('last_admin')
  })

  test('another administrator whose account is disabled does not count', async () => {
    const second = await hire(people, clinic, ['admin'])
    await people.run(sql`update auth.persons set disabled_at = now() where id = ${second.id}`)
    expect((await deactivate(admin)).refusal).toBe('last_admin')
  })

  test('two administrators deactivate each other at once: one of them stays', async () => {
    for (let round = 0; round < 8; round++) {
      const [one, two] = [
        await hire(people, clinic, ['admin']),
        await hire(people, clinic, ['admin']),
      ]
      await people.run(sql`
        update auth.staff set removed_at = now()
         where organization = ${clinic} and not person = any (${[one.id, two.id]}::text[])`)
      const all = await Promise.all([deactivate(one, act(two)), deactivate(two, act(one))])
      expect(all.map(({ refusal }) => refusal).toSorted()).toEqual([null, 'unknown_organization'])
      const left = (await staff()).filter(row => row.removed_at === null)
      expect(left).toHaveLength(1)
    }
  })

  test('two statements at once that bypass the functions: the second waits, and is refused', async () => {
    const second = await hire(people, clinic, ['admin'])
    await using owner = new SQL(people.database.url, { max: 2 })
    let ended: PromiseSettledResult<unknown> | undefined
    const late = owner.begin(async held => {
      await held`update auth.staff set removed_at = now() where person = ${admin.id}`
      const removing = Promise.allSettled([
        people.run(sql`update auth.staff set removed_at = now() where person = ${second.id}`),
      ]).then(([one]) => (ended = one))
      await until(async () => ended !== undefined || (await people.countWaiting()) > 0)
      return { removing }
    })
    await (
      await late
    ).removing
    expect(ended?.status).toBe('rejected')
    expect((await staff()).filter(row => row.removed_at === null)).toHaveLength(2)
  })
})
