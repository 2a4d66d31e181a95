import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { must, rivera } from '../ask.ts'
import { type Cast, openCast } from '../cast.ts'
import { refused, told } from '../watch.ts'
import { bookedVisit, freeStarts, patientIn } from './booked.ts'

let cast: Cast
beforeAll(async () => {
  cast = await openCast()
})
afterAll(() => cast.close())

describe('200', () => {
  test('the id is kept, both statuses are scheduled, and the old start is free again', async () => {
    const visit = await bookedVisit(cast)
    const { id, state } = visit
    const free = await freeStarts(cast, state)
    expect(free).not.toContain(visit.starts_at)
    const [starts_at = ''] = free
    const { answer, lines } = await told(cast, () =>
      must(cast, 'rescheduleVisit', { id, body: { starts_at } }),
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
    const now = await freeStarts(cast, state)
    expect([now.includes(visit.starts_at), now.includes(starts_at)]).toEqual([true, false])
  })

  test('it keeps the state that it was booked in, wherever the patient is now', async () => {
    const visit = await bookedVisit(cast)
    const away = visit.state === 'HI' ? 'ME' : 'HI'
    const address = { ...rivera.address, state: away }
    await must(cast, 'updatePatient', { id: visit.patient, body: { address } })
    const [starts_at] = await freeStarts(cast, visit.state)
    const moved = await must(cast, 'rescheduleVisit', { id: visit.id, body: { starts_at } })
    expect([moved.state, moved.time_zone]).toEqual([visit.state, visit.time_zone])
  })
})

describe('409 slot_unavailable', () => {
  test('to its own start, in whatever offset', async () => {
    const { id, starts_at } = await bookedVisit(cast)
    const same = `${starts_at.slice(0, -1)}+00:00`
    const asked = { id, body: { starts_at: same } }
    const { body } = await refused(cast, 'rescheduleVisit', 'slot_unavailable', asked)
    expect(body.members).toEqual({ starts_at })
    expect(body.detail).toBe('The visit already has that start.')
  })

  test('to a start that is taken, and the visit stays where it was', async () => {
    const visit = await bookedVisit(cast)
    const [starts_at] = await freeStarts(cast, visit.state)
    const patient = await patientIn(cast, visit.state)
    await must(cast, 'bookVisit', { body: { patient, starts_at } })
    const asked = { id: visit.id, body: { starts_at } }
    const { body } = await refused(cast, 'rescheduleVisit', 'slot_unavailable', asked)
    expect(body.detail).toBe('The slot is already taken.')
    expect(await must(cast, 'getVisit', { id: visit.id })).toEqual(visit)
  })

  test('to what is no slot, or past', async () => {
    const { id, state } = await bookedVisit(cast)
    const [first = ''] = await freeStarts(cast, state)
    const off = { id, body: { starts_at: first.replace(':00.000Z', ':01.000Z') } }
    await refused(cast, 'rescheduleVisit', 'slot_unavailable', off)
    const late = { id, body: { starts_at: first }, at: Date.parse(first) }
    await refused(cast, 'rescheduleVisit', 'slot_unavailable', late)
  })
})

test('409 invalid_transition comes before the start is judged', async () => {
  const { id } = await bookedVisit(cast)
  await must(cast, 'cancelVisit', { id })
  const asked = { id, body: { starts_at: '2020-01-01' } }
  await refused(cast, 'rescheduleVisit', 'invalid_transition', asked)
})
