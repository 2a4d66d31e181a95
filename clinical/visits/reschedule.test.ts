import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { must, rivera } from '../testing/call.ts'
import { type Fixtures, openFixtures } from '../testing/fixtures.ts'
import { refused, told } from '../testing/assertions.ts'
import { bookedVisit, freeStarts, patientIn } from '../testing/visits.ts'

let fixtures: Fixtures
beforeAll(async () => {
  fixtures = await openFixtures()
})
afterAll(() => fixtures.close())

describe('200', () => {
  test('the id is kept, both statuses are scheduled, and the old start is free again', async () => {
    const visit = await bookedVisit(fixtures)
    const { id, state } = visit
    const free = await freeStarts(fixtures, state)
    expect(free).not.toContain(visit.starts_at)
    const [starts_at = ''] = free
    const { answer, lines } = await told(fixtures, () =>
      must(fixtures, 'rescheduleVisit', { id, body: { starts_at } }),
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

  test('it keeps the state that it was booked in, wherever the patient is now', async () => {
    const visit = await bookedVisit(fixtures)
    const away = visit.state === 'HI' ? 'ME' : 'HI'
    const address = { ...rivera.address, state: away }
    await must(fixtures, 'updatePatient', { id: visit.patient, body: { address } })
    const [starts_at] = await freeStarts(fixtures, visit.state)
    const moved = await must(fixtures, 'rescheduleVisit', { id: visit.id, body: { starts_at } })
    expect([moved.state, moved.time_zone]).toEqual([visit.state, visit.time_zone])
  })
})

describe('409 slot_unavailable', () => {
  test('to its own start, in whatever offset', async () => {
    const { id, starts_at } = await bookedVisit(fixtures)
    const same = `${starts_at.slice(0, -1)}+00:00`
    const asked = { id, body: { starts_at: same } }
    const { body } = await refused(fixtures, 'rescheduleVisit', 'slot_unavailable', asked)
    expect(body.members).toEqual({ starts_at })
    expect(body.detail).toBe('The visit is at that start already.')
  })

  test('to a start that is taken, and the visit stays where it was', async () => {
    const visit = await bookedVisit(fixtures)
    const [starts_at] = await freeStarts(fixtures, visit.state)
    const patient = await patientIn(fixtures, visit.state)
    await must(fixtures, 'bookVisit', { body: { patient, starts_at } })
    const asked = { id: visit.id, body: { starts_at } }
    const { body } = await refused(fixtures, 'rescheduleVisit', 'slot_unavailable', asked)
    expect(body.detail).toBe('The slot is taken.')
    expect(await must(fixtures, 'getVisit', { id: visit.id })).toEqual(visit)
  })

  test('to what is no slot, or past', async () => {
    const { id, state } = await bookedVisit(fixtures)
    const [first = ''] = await freeStarts(fixtures, state)
    const off = { id, body: { starts_at: first.replace(':00.000Z', ':01.000Z') } }
    await refused(fixtures, 'rescheduleVisit', 'slot_unavailable', off)
    const late = { id, body: { starts_at: first }, at: Date.parse(first) }
    await refused(fixtures, 'rescheduleVisit', 'slot_unavailable', late)
  })
})

test('409 invalid_transition comes before the start is judged', async () => {
  const { id } = await bookedVisit(fixtures)
  await must(fixtures, 'cancelVisit', { id })
  const asked = { id, body: { starts_at: '2020-01-01' } }
  await refused(fixtures, 'rescheduleVisit', 'invalid_transition', asked)
})
