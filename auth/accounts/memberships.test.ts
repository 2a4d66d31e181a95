// Tests the list of requested scopes that a person's integrations lack, shown on consent pages.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Scope } from '#contract/scopes.ts'
import { sql } from '#database/sql.ts'
import { grant, openOrganization } from '../integrations.ts'
import { openPeople, type TestPeople } from '../testing/people.ts'
import { listMemberships } from './memberships.ts'

let people: TestPeople
beforeAll(async () => void (people = await openPeople()))
afterAll(() => people.close())

test('memberships: scopes that no test mode grant has are listed as missing', async () => {
  const ada = await people.addPerson(false)
  const [first, second] = [await people.addMember(ada), await people.addMember(ada, 'viewer')]
  await people.addMember(await people.addPerson(false))
  const list = async () =>
    (await listMemberships(people.pool, ada.id, ['patients:write'])).map(
      ({ integration, lackedByRole, lackedByGrant }) => [integration, lackedByRole, lackedByGrant],
    )
  const lacked: Scope[] = ['patients:write']
  expect((await list()).toSorted()).toEqual(
    [
      [first, [], []],
      [second, lacked, []],
    ].toSorted(),
  )
  await people.run(sql`update auth.grants set status = 'revoked' where integration = ${first}`)
  await people.owner.use(async connection => {
    const organization = await openOrganization(connection, 'Live clinic', 'live-clinic')
    await grant(connection, { integration: first, organization, mode: 'live' })
  })
  expect(await list()).toContainEqual([first, [], lacked])
  await people.run(sql`update auth.integrations set suspended_at = now() where id = ${second}`)
  expect(await list()).toEqual([[first, [], lacked]])
  await people.run(sql`update auth.members set removed_at = now() where person = ${ada.id}`)
  expect(await list()).toEqual([])
})
