// A clinician's next case.
import { beforeAll, expect, test } from 'bun:test'
import { invokeOk, queuedCase, rivera } from '../testing/call.ts'
import { useFixtures } from '../testing/fixtures.ts'
import { type StaffMember, useConsole } from '../testing/staff.ts'

const fixtures = useFixtures()
const staff = useConsole(fixtures)
let doctor: StaffMember
let colleague: StaffMember
beforeAll(async () => {
  const states = [rivera.address.state]
  doctor = await staff.hire(['clinician'], { states })
  colleague = await staff.hire(['clinician'], { states })
})

const nextOf = async (as: StaffMember, after?: string): Promise<string | undefined> =>
  (await staff.ok('findNextCase', { as, query: after === undefined ? {} : { after } })).case?.id
async function claim(as: StaffMember, id: string) {
  const { updated_at: version } = await invokeOk(fixtures, 'getCase', { as: fixtures.ada.live, id })
  await staff.ok('claimCase', { as, id, body: { version } })
}

test('the oldest unclaimed case comes first, and the clinician’s own claims come last', async () => {
  const ids: string[] = []
  for (let made = 0; made < 3; made++) ids.push((await queuedCase(fixtures, fixtures.ada.live)).id)
  const [first = '', second = '', third = ''] = ids
  expect(await nextOf(doctor)).toBe(first)
  await claim(doctor, first)
  // Another window of the same clinician.
  expect(await nextOf(doctor)).toBe(second)
  expect(await nextOf(doctor, second)).toBe(third)
  await claim(colleague, second)
  await claim(colleague, third)
  expect(await nextOf(doctor)).toBe(first)
  expect(await nextOf(doctor, first)).toBeUndefined()
})
