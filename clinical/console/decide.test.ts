// Decisions: a message that the clinician hasn't read.
import { expect, test } from 'bun:test'
import { invokeOk, queuedCase, rivera } from '../testing/call.ts'
import { useFixtures } from '../testing/fixtures.ts'
import { useConsole } from '../testing/staff.ts'

const fixtures = useFixtures()
const staff = useConsole(fixtures)
const live = () => fixtures.ada.live
const versionOf = async (id: string): Promise<string> =>
  (await invokeOk(fixtures, 'getCase', { as: live(), id })).updated_at

test('a decision is refused if a message arrived after the chart was read', async () => {
  const doctor = await staff.hire(['clinician'], { states: [rivera.address.state] })
  const nurse = await staff.hire(['nurse'])
  for (const [operation, more] of [
    ['approveCase', {}],
    ['declineCase', { reason: 'Please see someone.' }],
  ] as const) {
    const { id } = await queuedCase(fixtures, live())
    const version = await versionOf(id)
    const send = async (body: string): Promise<string> =>
      (await invokeOk(fixtures, 'createMessage', { as: live(), id, body: { body } })).id
    const sign = (last_message?: string | null) =>
      staff.call(operation, {
        as: doctor,
        id,
        body: { version, ...more, ...(last_message !== undefined && { last_message }) },
      })
    const first = await send('I am allergic to it.')
    expect((await sign(null)).code).toBe('version_changed')
    await staff.ok('writeMessage', { as: nurse, id, body: { version, body: 'Thank you.' } })
    const second = await send('And pregnant.')
    const refused = await sign(first)
    expect(refused.code).toBe('version_changed')
    expect(refused.body.detail).toContain('A new message arrived')
    expect(await versionOf(id)).toBe(version)
    // The clinic's own messages need no reading.
    await staff.ok('writeMessage', { as: nurse, id, body: { version, body: 'Noted.' } })
    expect((await sign(second)).code).toBeNull()
  }
})
