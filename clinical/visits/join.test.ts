import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { ask, must } from '../testing/call.ts'
import { type Fixtures, openFixtures } from '../testing/fixtures.ts'
import { audited } from '../testing/sweep.ts'
import { refused } from '../testing/assertions.ts'
import { bookedVisit, joinable, type Visit } from '../testing/visits.ts'

let fixtures: Fixtures
let visit: Visit
const minute = 60_000
beforeAll(async () => {
  fixtures = await openFixtures()
  visit = await bookedVisit(fixtures)
})
afterAll(() => fixtures.close())

const iso = (milliseconds: number) => new Date(milliseconds).toISOString()
const join = (at: number) => ask(fixtures, 'getJoinLink', { id: visit.id, at })

describe('200', () => {
  test('a link for the visit and its patient that lives fifteen minutes', async () => {
    const at = joinable(visit)
    const { body } = await join(at)
    expect(body).toEqual({
      visit: visit.id,
      patient: visit.patient,
      url: expect.stringMatching(/^http:\/\/localhost:3000\/visits\/join\/[\w-]{100,}$/),
      expires_at: iso(at + 15 * minute),
    })
    expect(body.url).not.toContain(visit.patient)
  })

  test('each call makes a link of its own, and reads leave nothing but their audit rows', async () => {
    const at = joinable(visit)
    const { answer, rows } = await audited(fixtures, async () => [
      await join(at),
      await join(at + 1),
    ])
    expect(new Set(answer.map(one => one.body.url)).size).toBe(2)
    expect(rows).toMatchObject(
      answer.map(() => ({ action: 'getJoinLink', outcome: 'ok', status: 200, target: visit.id })),
    )
  })

  test('from one hour before the start to half an hour after the end, to the millisecond', async () => {
    const [opens_at, closes_at] = [joinable(visit) - 60 * minute, joinable(visit) + 60 * minute]
    for (const at of [opens_at, closes_at]) expect((await join(at)).status).toBe(200)
    for (const at of [opens_at - 1, closes_at + 1]) {
      const asked = { id: visit.id, at }
      const { answer, rows } = await audited(fixtures, () =>
        refused(fixtures, 'getJoinLink', 'join_not_open', asked),
      )
      expect(answer.body.members).toEqual({ opens_at: iso(opens_at), closes_at: iso(closes_at) })
      // The audit tells of a refusal as one, once.
      expect(rows).toMatchObject([{ outcome: 'refused', status: 409, code: 'join_not_open' }])
    }
  })
})

test('409 invalid_transition of a visit that is over comes before its hours are asked', async () => {
  const { id, starts_at } = await bookedVisit(fixtures)
  await must(fixtures, 'cancelVisit', { id })
  for (const at of [Date.parse(starts_at), 0]) {
    const { answer, rows } = await audited(fixtures, () =>
      refused(fixtures, 'getJoinLink', 'invalid_transition', { id, at }),
    )
    expect(answer.body.members.current_status).toBe('cancelled')
    expect(rows).toMatchObject([{ outcome: 'refused', status: 409, code: 'invalid_transition' }])
  }
})
