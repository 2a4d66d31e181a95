// In live mode, all of a clinic's integrations book its clinicians, and no clinician is ever in two
// visits.

import { beforeAll, expect, test } from 'bun:test'
import { grant, openOrganization } from '#auth/integrations.ts'
import { expectRefused } from '../testing/assertions.ts'
import { invoke, invokeOk, rivera } from '../testing/call.ts'
import { hireClinician } from '../testing/clinicians.ts'
import { useFixtures } from '../testing/fixtures.ts'

const fixtures = useFixtures()
const { state } = rivera.address

let another: string
const callers: Record<'ada' | 'ben' | 'elsewhere', { as: string; organization: string }> = {
  ada: { as: '', organization: '' },
  ben: { as: '', organization: '' },
  elsewhere: { as: '', organization: '' },
}
const patients: Record<string, string> = {}
beforeAll(async () => {
  const { owner, ada, ben, clinic: organization } = fixtures
  another = await owner.use(connection => openOrganization(connection, 'Another', 'another'))
  const { integration } = ben
  await owner.use(connection =>
    grant(connection, { integration, organization: another, mode: 'live' }),
  )
  callers.ada = { as: ada.live, organization }
  callers.ben = { as: ben.live, organization }
  callers.elsewhere = { as: ben.live, organization: another }
  for (const clinic of [organization, another]) {
    await hireClinician(fixtures, { organization: clinic, states: [state] })
  }
  for (const [name, caller] of Object.entries(callers)) {
    patients[name] = (await invokeOk(fixtures, 'createPatient', { ...caller, body: rivera })).id
  }
})

type Name = keyof typeof callers
const slots = async (name: Name): Promise<string[]> =>
  (
    await invokeOk(fixtures, 'listSlots', { ...callers[name], query: { state, limit: '100' } })
  ).data.map((slot: { starts_at: string }) => slot.starts_at)
const bodyOf = (name: Name, starts_at: string) => ({ patient: patients[name], starts_at })
const book = (name: Name, starts_at: string) =>
  invoke(fixtures, 'bookVisit', { ...callers[name], body: bodyOf(name, starts_at) })

test('a start one integration booked isn’t free for the clinic’s others', async () => {
  const [first = '', second = ''] = await slots('ada')
  const { id } = (await book('ada', first)).body
  for (const name of ['ada', 'ben'] as const) expect(await slots(name)).not.toContain(first)
  const body = bodyOf('ben', first)
  await expectRefused(fixtures, 'bookVisit', 'slot_unavailable', { ...callers.ben, body })
  const other = await book('ben', second)
  expect(other.status).toBe(201)
  await expectRefused(fixtures, 'rescheduleVisit', 'slot_unavailable', {
    ...callers.ben,
    id: other.body.id,
    body: { starts_at: first },
  })
  // Another clinic has its own clinicians.
  expect(await slots('elsewhere')).toContain(first)
  expect((await book('elsewhere', first)).status).toBe(201)
  await invokeOk(fixtures, 'cancelVisit', { ...callers.ada, id })
  expect(await slots('ben')).toContain(first)
})

test('if two integrations book a start concurrently, one gets it', async () => {
  for (const starts_at of (await slots('ada')).slice(10, 15)) {
    const both = await Promise.all([book('ada', starts_at), book('ben', starts_at)])
    expect(both.map(one => one.code ?? 'booked').sort()).toEqual(['booked', 'slot_unavailable'])
  }
})
