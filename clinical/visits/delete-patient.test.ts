// What becomes of a patient's visits when the patient is deleted (contract/03, section 13).

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { consentedPatient, caseBody, must } from '../testing/call.ts'
import { type Fixtures, openFixtures } from '../testing/fixtures.ts'
import { told } from '../testing/assertions.ts'
import { freeStarts, joinable, patientIn } from '../testing/visits.ts'

let fixtures: Fixtures
beforeAll(async () => {
  fixtures = await openFixtures()
})
afterAll(() => fixtures.close())

test('cases are withdrawn, then scheduled visits cancelled by id, and the patient comes last', async () => {
  const agreed = await consentedPatient(fixtures)
  const { patient } = agreed
  const file = async (): Promise<string> =>
    (await must(fixtures, 'createCase', { body: caseBody(agreed) })).id
  const [one, two] = [await file(), await file()]
  const starts = await freeStarts(fixtures, 'CA')
  const book = async (at: number, of: string | null = null): Promise<string> =>
    (await must(fixtures, 'bookVisit', { body: { patient, starts_at: starts[at], case: of } })).id
  // Booked out of their order in time: the events follow the ids.
  const [late, soon, started, missed] = [
    await book(9, two),
    await book(1),
    await book(2),
    await book(3),
  ]
  await must(fixtures, 'startVisit', { id: started })
  await must(fixtures, 'noShowVisit', { id: missed })
  const { lines } = await told(fixtures, () => must(fixtures, 'deletePatient', { id: patient }))
  expect(lines).toEqual([
    `case.withdrawn.v1 queued → withdrawn ${one}`,
    `case.withdrawn.v1 queued → withdrawn ${two}`,
    `visit.cancelled.v1 scheduled → cancelled ${late}`,
    `visit.cancelled.v1 scheduled → cancelled ${soon}`,
    `patient.deleted.v1 active → deleted ${patient}`,
  ])
  for (const id of [late, soon]) {
    const visit = await must(fixtures, 'getVisit', { id })
    expect([visit.status, visit.patient, visit.ended_at]).toEqual([
      'cancelled',
      patient,
      visit.updated_at,
    ])
  }
  expect((await freeStarts(fixtures, 'CA')).slice(0, 2)).toEqual(starts.slice(0, 2))
  // A visit that has begun runs on, and is charged when it is over.
  const running = await must(fixtures, 'getVisit', { id: started })
  expect(running.status).toBe('started')
  await must(fixtures, 'getJoinLink', { id: started, at: joinable(running) })
  const { lines: over } = await told(fixtures, () =>
    must(fixtures, 'completeVisit', { id: started }),
  )
  expect(over).toHaveLength(2)
})

test('thirty visits of one patient are cancelled in one write', async () => {
  const patient = await patientIn(fixtures, 'UT')
  const starts = (await freeStarts(fixtures, 'UT')).slice(0, 30)
  const ids: string[] = []
  for (const starts_at of starts) {
    ids.push((await must(fixtures, 'bookVisit', { body: { patient, starts_at } })).id)
  }
  const { lines } = await told(fixtures, () => must(fixtures, 'deletePatient', { id: patient }))
  expect(lines).toEqual([
    ...ids.map(id => `visit.cancelled.v1 scheduled → cancelled ${id}`),
    `patient.deleted.v1 active → deleted ${patient}`,
  ])
  expect((await freeStarts(fixtures, 'UT')).slice(0, 30)).toEqual(starts)
})
