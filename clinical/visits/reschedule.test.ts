import { describe, expect, test } from 'bun:test'
import { invokeOk, rivera } from '../testing/call.ts'
import { useFixtures } from '../testing/fixtures.ts'
import { expectRefused, eventsOf } from '../testing/assertions.ts'
import { bookedVisit, freeStarts, patientIn } from '../testing/visits.ts'

const fixtures = useFixtures()

describe('rescheduleVisit 200', () => {
  test('the visit keeps its ID and status, and the old slot is free again', async () => {
    const visit = await bookedVisit(fixtures)
    const { id, state } = visit
    const free = await freeStarts(fixtures, state)
    expect(free).not.toContain(visit.starts_at)
    const [starts_at = ''] = free
    const { answer, lines } = await eventsOf(fixtures, () =>
      invokeOk(fixtures, 'rescheduleVisit', { id, body: { starts_at } }),
    )
    const start = Date.parse(starts_at)
    expect(answer).toEqual({
      ...visit,
      starts_at,
      ends_at: new Date(start + 1_800_000).toISOString(),
      join_opens_at: new Date(start - 3_600_000).toISOString(),
      updated_at: answer.updated_at,
    })
    expect(answer.updated_at > visit.updated_at).toBe(true)
    expect(lines).toEqual([`visit.rescheduled.v1 scheduled → scheduled ${id}`])
    const now = await freeStarts(fixtures, state)
    expect([now.includes(visit.starts_at), now.includes(starts_at)]).toEqual([true, false])
  })

  test('the visit keeps its state after the patient moves to another', async () => {
    const visit = await bookedVisit(fixtures)
    const away = visit.state === 'HI' ? 'ME' : 'HI'
    const address = { ...rivera.address, state: away }
    await invokeOk(fixtures, 'updatePatient', { id: visit.patient, body: { address } })
    const [starts_at] = await freeStarts(fixtures, visit.state)
    const moved = await invokeOk(fixtures, 'rescheduleVisit', { id: visit.id, body: { starts_at } })
    expect([moved.state, moved.time_zone]).toEqual([visit.state, visit.time_zone])
  })
})

describe('rescheduleVisit 409 slot_unavailable', () => {
  test('the new start equals the current one, in any UTC offset', async () => {
    const { id, starts_at } = await bookedVisit(fixtures)
    const same = `${starts_at.slice(0, -1)}+00:00`
    const options = { id, body: { starts_at: same } }
    const { body } = await expectRefused(fixtures, 'rescheduleVisit', 'slot_unavailable', options)
    expect(body.members).toEqual({ starts_at })
    expect(body.detail).toBe('The visit already starts at that time.')
  })

  test('the new start is taken; the visit does not change', async () => {
    const visit = await bookedVisit(fixtures)
    const [starts_at] = await freeStarts(fixtures, visit.state)
    const patient = await patientIn(fixtures, visit.state)
    await invokeOk(fixtures, 'bookVisit', { body: { patient, starts_at } })
    const options = { id: visit.id, body: { starts_at } }
    const { body } = await expectRefused(fixtures, 'rescheduleVisit', 'slot_unavailable', options)
    expect(body.detail).toBe('The slot is already taken.')
    expect(await invokeOk(fixtures, 'getVisit', { id: visit.id })).toEqual(visit)
  })

  test('the new start is not a slot or is past', async () => {
    const { id, state } = await bookedVisit(fixtures)
    const [first = ''] = await freeStarts(fixtures, state)
    const off = { id, body: { starts_at: first.replace(':00.000Z', ':01.000Z') } }
    await expectRefused(fixtures, 'rescheduleVisit', 'slot_unavailable', off)
    const late = { id, body: { starts_at: first }, at: Date.parse(first) }
    await expectRefused(fixtures, 'rescheduleVisit', 'slot_unavailable', late)
  })
})

test('rescheduleVisit 409: invalid_transition is reported before slot_unavailable', async () => {
  const { id } = await bookedVisit(fixtures)
  await invokeOk(fixtures, 'cancelVisit', { id })
  const options = { id, body: { starts_at: '2020-01-01' } }
  await expectRefused(fixtures, 'rescheduleVisit', 'invalid_transition', options)
})
