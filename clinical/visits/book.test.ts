import { describe, expect, test } from 'bun:test'
import { consentedPatient, invoke, queuedCase, invokeOk, rivera } from '../testing/call.ts'
import { hireClinician } from '../testing/clinicians.ts'
import { useFixtures } from '../testing/fixtures.ts'
import { expectFaults, unknownId, expectRefused, eventsOf } from '../testing/assertions.ts'
import { bookedVisit, freeSlot, freeStarts, patientIn } from '../testing/visits.ts'

const fixtures = useFixtures()

describe('bookVisit 201', () => {
  test('the visit is scheduled in its patient’s state and time zone, with one event', async () => {
    const { patient, state, starts_at } = await freeSlot(fixtures, undefined, 'NV')
    const { answer, lines } = await eventsOf(fixtures, () =>
      invoke(fixtures, 'bookVisit', { body: { patient, starts_at } }),
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
    expect(await invokeOk(fixtures, 'getVisit', { id: answer.body.id })).toEqual(answer.body)
  })

  test('starts_at may have any UTC offset', async () => {
    const { patient, starts_at } = await freeSlot(fixtures)
    const local = new Date(Date.parse(starts_at) - 8 * 3_600_000).toISOString()
    const body = { patient, starts_at: local.replace('Z', '-08:00') }
    expect((await invokeOk(fixtures, 'bookVisit', { body })).starts_at).toBe(starts_at)
  })

  test('the visit may name its patient’s case, in any status', async () => {
    const filed = await queuedCase(fixtures)
    await invokeOk(fixtures, 'cancelCase', { id: filed.id })
    const [starts_at] = await freeStarts(fixtures, 'CA')
    const body = { patient: filed.patient, starts_at, case: filed.id }
    expect((await invokeOk(fixtures, 'bookVisit', { body })).case).toBe(filed.id)
  })

  test.each(['cancelCase', 'withdrawCase'] as const)(
    '%s doesn’t change the case’s visit',
    async move => {
      const filed = await queuedCase(fixtures)
      const [starts_at] = await freeStarts(fixtures, 'CA')
      const body = { patient: filed.patient, starts_at, case: filed.id }
      const visit = await invokeOk(fixtures, 'bookVisit', { body })
      await invokeOk(fixtures, move, { id: filed.id })
      expect(await invokeOk(fixtures, 'getVisit', { id: visit.id })).toEqual(visit)
    },
  )

  test('two states in one time zone have separate slots', async () => {
    const [nevada, california] = [await patientIn(fixtures, 'NV'), await patientIn(fixtures, 'CA')]
    const starts = new Set(await freeStarts(fixtures, 'CA'))
    const starts_at = (await freeStarts(fixtures, 'NV')).find(one => starts.has(one))
    for (const patient of [nevada, california]) {
      await invokeOk(fixtures, 'bookVisit', { body: { patient, starts_at } })
    }
  })

  test('other integrations’ and the other mode’s bookings don’t take slots', async () => {
    const patient = await patientIn(fixtures, 'WY')
    // Uses a later start, because live mode may refuse the soonest: a visit must be booked an hour
    // ahead.
    const starts_at = (await freeStarts(fixtures, 'WY')).at(-1)
    await invokeOk(fixtures, 'bookVisit', { body: { patient, starts_at } })
    await hireClinician(fixtures, { states: ['WY'] })
    for (const as of [fixtures.ben.test, fixtures.ada.live]) {
      const theirs = await patientIn(fixtures, 'WY', as)
      const booked = await invokeOk(fixtures, 'bookVisit', {
        as,
        body: { patient: theirs, starts_at },
      })
      expect(booked.status).toBe('scheduled')
    }
  })

  test('requires no consent', async () => {
    const { id: patient } = await invokeOk(fixtures, 'createPatient', { body: rivera })
    const [starts_at] = await freeStarts(fixtures, 'CA')
    await invokeOk(fixtures, 'bookVisit', { body: { patient, starts_at } })
  })
})

describe('bookVisit 400', () => {
  test('an unknown patient is reported before an unknown case', async () => {
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

  test('another patient’s case', async () => {
    const { patient, starts_at } = await freeSlot(fixtures)
    const { id } = await queuedCase(fixtures)
    expect(
      await expectFaults(fixtures, 'bookVisit', { body: { patient, starts_at, case: id } }),
    ).toEqual([['#/case', 'unknown_reference']])
  })

  test('a deleted patient', async () => {
    const { patient, starts_at } = await freeSlot(fixtures)
    await invokeOk(fixtures, 'deletePatient', { id: patient })
    expect(await expectFaults(fixtures, 'bookVisit', { body: { patient, starts_at } })).toEqual([
      ['#/patient', 'unknown_reference'],
    ])
  })

  test('a starts_at that isn’t a timestamp', async () => {
    const { patient } = await freeSlot(fixtures)
    expect(
      await expectFaults(fixtures, 'bookVisit', { body: { patient, starts_at: 'tomorrow' } }),
    ).toEqual([['#/starts_at', 'invalid_format']])
  })
})

describe('bookVisit 409 slot_unavailable', () => {
  const unavailable = async (body: { patient: string; starts_at: string }, at?: number) => {
    const options = at === undefined ? { body } : { body, at }
    const { body: problem } = await expectRefused(
      fixtures,
      'bookVisit',
      'slot_unavailable',
      options,
    )
    expect(problem.members).toEqual({ starts_at: body.starts_at })
    return problem.detail
  }

  test('the slot is taken until its visit is canceled', async () => {
    const { id, state, starts_at } = await bookedVisit(fixtures)
    const patient = await patientIn(fixtures, state)
    expect(await unavailable({ patient, starts_at })).toBe('The slot is already taken.')
    await invokeOk(fixtures, 'startVisit', { id })
    expect(await unavailable({ patient, starts_at })).toBe('The slot is already taken.')
    const other = await bookedVisit(fixtures)
    const second = await patientIn(fixtures, other.state)
    await invokeOk(fixtures, 'cancelVisit', { id: other.id })
    await invokeOk(fixtures, 'bookVisit', { body: { patient: second, starts_at: other.starts_at } })
  })

  test('the patient has another visit at that time', async () => {
    // Uses the last start, because other visits take the first starts in either state.
    const patient = await patientIn(fixtures, 'OR')
    const starts_at = (await freeStarts(fixtures, 'OR')).at(-1) ?? ''
    await invokeOk(fixtures, 'bookVisit', { body: { patient, starts_at } })
    const address = { ...rivera.address, state: 'WA' }
    await invokeOk(fixtures, 'updatePatient', { id: patient, body: { address } })
    const detail = await unavailable({ patient, starts_at })
    expect(detail).toBe('The patient has another visit at that time.')
  })

  test('the start isn’t a slot, is past, or is more than 60 days ahead', async () => {
    const { patient, starts_at } = await freeSlot(fixtures)
    const start = Date.parse(starts_at)
    const off = new Date(start + 60_000).toISOString()
    expect(await unavailable({ patient, starts_at: off })).toBe(
      'This state has no slot at that time.',
    )
    expect(await unavailable({ patient, starts_at }, start)).toBe('The start is in the past.')
    const early = start - 60 * 86_400_000
    expect(await unavailable({ patient, starts_at }, early - 1)).toBe(
      'The start is more than 60 days ahead.',
    )
    await invokeOk(fixtures, 'bookVisit', { body: { patient, starts_at }, at: early })
  })

  test('a refused booking’s idempotency key can be used again', async () => {
    const { state, starts_at } = await bookedVisit(fixtures)
    const patient = await patientIn(fixtures, state)
    const key = 'a-second-try'
    await expectRefused(fixtures, 'bookVisit', 'slot_unavailable', {
      key,
      body: { patient, starts_at },
    })
    const [free] = await freeStarts(fixtures, state)
    const body = { patient, starts_at: free }
    expect((await invoke(fixtures, 'bookVisit', { key, body })).status).toBe(201)
  })
})
