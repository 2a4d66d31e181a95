import { beforeAll, describe, expect, test } from 'bun:test'
import { invoke, invokeOk } from '../testing/call.ts'
import { useFixtures } from '../testing/fixtures.ts'
import { auditRowsOf } from '../testing/sweep.ts'
import { expectRefused } from '../testing/assertions.ts'
import { bookedVisit, joinTimeOf, type Visit } from '../testing/visits.ts'

const fixtures = useFixtures()
let visit: Visit
const minute = 60_000
beforeAll(async () => {
  visit = await bookedVisit(fixtures)
})

const iso = (milliseconds: number) => new Date(milliseconds).toISOString()
const join = (at: number) => invoke(fixtures, 'getJoinLink', { id: visit.id, at })

describe('getJoinLink 200', () => {
  test('returns a link for the visit and its patient that is valid for fifteen minutes', async () => {
    const at = joinTimeOf(visit)
    const { body } = await join(at)
    expect(body).toEqual({
      visit: visit.id,
      patient: visit.patient,
      url: expect.stringMatching(/^http:\/\/localhost:3000\/visits\/join\/[\w-]{100,}$/),
      expires_at: iso(at + 15 * minute),
    })
    expect(body.url).not.toContain(visit.patient)
  })

  test('each call creates a new link and writes only its audit row', async () => {
    const at = joinTimeOf(visit)
    const { answer, rows } = await auditRowsOf(fixtures, async () => [
      await join(at),
      await join(at + 1),
    ])
    expect(new Set(answer.map(one => one.body.url)).size).toBe(2)
    expect(rows).toMatchObject(
      answer.map(() => ({ action: 'getJoinLink', outcome: 'ok', status: 200, target: visit.id })),
    )
  })

  test('is allowed from one hour before the start to half an hour after the end, to the millisecond', async () => {
    const [opens_at, closes_at] = [joinTimeOf(visit) - 60 * minute, joinTimeOf(visit) + 60 * minute]
    for (const at of [opens_at, closes_at]) expect((await join(at)).status).toBe(200)
    for (const at of [opens_at - 1, closes_at + 1]) {
      const options = { id: visit.id, at }
      const { answer, rows } = await auditRowsOf(fixtures, () =>
        expectRefused(fixtures, 'getJoinLink', 'join_not_open', options),
      )
      expect(answer.body.members).toEqual({ opens_at: iso(opens_at), closes_at: iso(closes_at) })
      // The refusal has one audit row.
      expect(rows).toMatchObject([{ outcome: 'refused', status: 409, code: 'join_not_open' }])
    }
  })
})

test('getJoinLink 409: invalid_transition is reported before join_not_open', async () => {
  const { id, starts_at } = await bookedVisit(fixtures)
  await invokeOk(fixtures, 'cancelVisit', { id })
  for (const at of [Date.parse(starts_at), 0]) {
    const { answer, rows } = await auditRowsOf(fixtures, () =>
      expectRefused(fixtures, 'getJoinLink', 'invalid_transition', { id, at }),
    )
    expect(answer.body.members.current_status).toBe('cancelled')
    expect(rows).toMatchObject([{ outcome: 'refused', status: 409, code: 'invalid_transition' }])
  }
})
