import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { consentedPatient, ask, queuedCase, must, rivera } from '../testing/call.ts'
import { type Fixtures, openFixtures } from '../testing/fixtures.ts'
import { expectFaults, unknownId, refused, told } from '../testing/assertions.ts'
import { bookedVisit, freeSlot, freeStarts, patientIn } from '../testing/visits.ts'

let fixtures: Fixtures
beforeAll(async () => {
  fixtures = await openFixtures()
})
afterAll(() => fixtures.close())

describe('201', () => {
  test('the visit is scheduled in the state and zone of its patient, and told', async () => {
    const { patient, state, starts_at } = await freeSlot(fixtures, undefined, 'NV')
    const { answer, lines } = await told(fixtures, () =>
      ask(fixtures, 'bookVisit', { body: { patient, starts_at } }),
    )
    const start = Date.parse(starts_at)
    const iso = (milliseconds: number) => new Date(milliseconds).toISOString()
    expect(answer.body).toEqual({
      id: expect.stringMatching(/^vis_/),
      patient,
      case: null,
      status: 'scheduled',
      state,
      time_zone: 'America/Los_Angeles',
      starts_at,
      ends_at: iso(start + 1_800_000),
      clinician_name: 'Sandbox Clinician, MD',
      join_opens_at: iso(start - 3_600_000),
      started_at: null,
      ended_at: null,
      created_at: answer.body.created_at,
      updated_at: answer.body.created_at,
    })
    expect(answer.headers['location']).toBe(`/v1/visits/${answer.body.id}`)
    expect(lines).toEqual([`visit.booked.v1 null → scheduled ${answer.body.id}`])
    expect(await must(fixtures, 'getVisit', { id: answer.body.id })).toEqual(answer.body)
  })

  test('a start in another offset is the same start', async () => {
    const { patient, starts_at } = await freeSlot(fixtures)
    const local = new Date(Date.parse(starts_at) - 8 * 3_600_000).toISOString()
    const body = { patient, starts_at: local.replace('Z', '-08:00') }
    expect((await must(fixtures, 'bookVisit', { body })).starts_at).toBe(starts_at)
  })

  test('it may name a case of its patient, in any status', async () => {
    const filed = await queuedCase(fixtures)
    await must(fixtures, 'cancelCase', { id: filed.id })
    const [starts_at] = await freeStarts(fixtures, 'CA')
    const body = { patient: filed.patient, starts_at, case: filed.id }
    expect((await must(fixtures, 'bookVisit', { body })).case).toBe(filed.id)
  })

  test('California and Nevada share a zone and not a clinician', async () => {
    const [nevada, california] = [await patientIn(fixtures, 'NV'), await patientIn(fixtures, 'CA')]
    const starts = new Set(await freeStarts(fixtures, 'CA'))
    const starts_at = (await freeStarts(fixtures, 'NV')).find(one => starts.has(one))
    for (const patient of [nevada, california]) {
      await must(fixtures, 'bookVisit', { body: { patient, starts_at } })
    }
  })

  test("another integration's booking takes nothing of ours, nor one in live of test", async () => {
    const { patient, starts_at } = await freeSlot(fixtures, undefined, 'WY')
    await must(fixtures, 'bookVisit', { body: { patient, starts_at } })
    for (const as of [fixtures.ben.test, fixtures.ada.live]) {
      const theirs = await patientIn(fixtures, 'WY', as)
      const booked = await must(fixtures, 'bookVisit', { as, body: { patient: theirs, starts_at } })
      // In live the clinic assigns one.
      expect(booked.clinician_name === null).toBe(as === fixtures.ada.live)
    }
  })

  test('no consent is asked for', async () => {
    const { id: patient } = await must(fixtures, 'createPatient', { body: rivera })
    const [starts_at] = await freeStarts(fixtures, 'CA')
    await must(fixtures, 'bookVisit', { body: { patient, starts_at } })
  })
})

describe('400', () => {
  test('a patient and a case that there are not, one after the other', async () => {
    const starts_at = '2026-11-24T18:00:00Z'
    const { patient } = await consentedPatient(fixtures)
    const body = { patient: unknownId('pat'), starts_at, case: unknownId('case') }
    expect(await expectFaults(fixtures, 'bookVisit', { body })).toEqual([
      ['#/patient', 'unknown_reference'],
    ])
    expect(await expectFaults(fixtures, 'bookVisit', { body: { ...body, patient } })).toEqual([
      ['#/case', 'unknown_reference'],
    ])
  })

  test('a case of another patient', async () => {
    const { patient, starts_at } = await freeSlot(fixtures)
    const { id } = await queuedCase(fixtures)
    expect(
      await expectFaults(fixtures, 'bookVisit', { body: { patient, starts_at, case: id } }),
    ).toEqual([['#/case', 'unknown_reference']])
  })

  test('a patient who was deleted', async () => {
    const { patient, starts_at } = await freeSlot(fixtures)
    await must(fixtures, 'deletePatient', { id: patient })
    expect(await expectFaults(fixtures, 'bookVisit', { body: { patient, starts_at } })).toEqual([
      ['#/patient', 'unknown_reference'],
    ])
  })

  test('a start that is no moment', async () => {
    const { patient } = await freeSlot(fixtures)
    expect(
      await expectFaults(fixtures, 'bookVisit', { body: { patient, starts_at: 'tomorrow' } }),
    ).toEqual([['#/starts_at', 'invalid_format']])
  })
})

describe('409 slot_unavailable', () => {
  const unavailable = async (body: { patient: string; starts_at: string }, at?: number) => {
    const asked = at === undefined ? { body } : { body, at }
    const { body: problem } = await refused(fixtures, 'bookVisit', 'slot_unavailable', asked)
    expect(problem.members).toEqual({ starts_at: body.starts_at })
    return problem.detail
  }

  test('somebody has it, until it is cancelled', async () => {
    const { id, state, starts_at } = await bookedVisit(fixtures)
    const patient = await patientIn(fixtures, state)
    expect(await unavailable({ patient, starts_at })).toBe('The slot is taken.')
    await must(fixtures, 'startVisit', { id })
    expect(await unavailable({ patient, starts_at })).toBe('The slot is taken.')
    const other = await bookedVisit(fixtures)
    const second = await patientIn(fixtures, other.state)
    await must(fixtures, 'cancelVisit', { id: other.id })
    await must(fixtures, 'bookVisit', { body: { patient: second, starts_at: other.starts_at } })
  })

  test('the patient is elsewhere at that time', async () => {
    const { patient, starts_at } = await freeSlot(fixtures, undefined, 'OR')
    await must(fixtures, 'bookVisit', { body: { patient, starts_at } })
    const address = { ...rivera.address, state: 'WA' }
    await must(fixtures, 'updatePatient', { id: patient, body: { address } })
    const detail = await unavailable({ patient, starts_at })
    expect(detail).toBe('The patient has another visit at that time.')
  })

  test('it is no slot, past, or more than 60 days ahead', async () => {
    const { patient, starts_at } = await freeSlot(fixtures)
    const start = Date.parse(starts_at)
    const off = new Date(start + 60_000).toISOString()
    expect(await unavailable({ patient, starts_at: off })).toBe(
      'The state has no slot at that start.',
    )
    expect(await unavailable({ patient, starts_at }, start)).toBe('The start is past.')
    const early = start - 60 * 86_400_000
    expect(await unavailable({ patient, starts_at }, early - 1)).toBe(
      'The start is more than 60 days ahead.',
    )
    await must(fixtures, 'bookVisit', { body: { patient, starts_at }, at: early })
  })

  test('a refused key is unspent, and books another start', async () => {
    const { state, starts_at } = await bookedVisit(fixtures)
    const patient = await patientIn(fixtures, state)
    const key = 'a-second-try'
    await refused(fixtures, 'bookVisit', 'slot_unavailable', { key, body: { patient, starts_at } })
    const [free] = await freeStarts(fixtures, state)
    const body = { patient, starts_at: free }
    expect((await ask(fixtures, 'bookVisit', { key, body })).status).toBe(201)
  })
})
