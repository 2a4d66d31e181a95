// A deleted patient's visits.

import { expect, test } from 'bun:test'
import { consentedPatient, caseBody, invokeOk } from '../testing/call.ts'
import { useFixtures } from '../testing/fixtures.ts'
import { eventsOf } from '../testing/assertions.ts'
import { freeStarts, joinTimeOf, patientIn } from '../testing/visits.ts'

const fixtures = useFixtures()

test('deletePatient: withdraws cases, then cancels scheduled visits in ID order, then deletes the patient', async () => {
  const agreed = await consentedPatient(fixtures)
  const { patient } = agreed
  const file = async (): Promise<string> =>
    (await invokeOk(fixtures, 'createCase', { body: caseBody(agreed) })).id
  const [one, two] = [await file(), await file()]
  const starts = await freeStarts(fixtures, 'CA')
  const book = async (at: number, of: string | null = null): Promise<string> =>
    (await invokeOk(fixtures, 'bookVisit', { body: { patient, starts_at: starts[at], case: of } }))
      .id
  // The visits are booked in a different order than they start, because events follow ID order.
  const [late, soon, started, missed] = [
    await book(9, two),
    await book(1),
    await book(2),
    await book(3),
  ]
  await invokeOk(fixtures, 'startVisit', { id: started })
  await invokeOk(fixtures, 'noShowVisit', { id: missed })
  const { lines } = await eventsOf(fixtures, () =>
    invokeOk(fixtures, 'deletePatient', { id: patient }),
  )
  expect(lines).toEqual([
    `case.withdrawn.v1 queued → withdrawn ${one}`,
    `case.withdrawn.v1 queued → withdrawn ${two}`,
    `visit.cancelled.v1 scheduled → cancelled ${late}`,
    `visit.cancelled.v1 scheduled → cancelled ${soon}`,
    `patient.deleted.v1 active → deleted ${patient}`,
  ])
  for (const id of [late, soon]) {
    const visit = await invokeOk(fixtures, 'getVisit', { id })
    expect([visit.status, visit.patient, visit.ended_at]).toEqual([
      'cancelled',
      patient,
      visit.updated_at,
    ])
  }
  expect((await freeStarts(fixtures, 'CA')).slice(0, 2)).toEqual(starts.slice(0, 2))
  // A started visit continues, and is charged on completion.
  const running = await invokeOk(fixtures, 'getVisit', { id: started })
  expect(running.status).toBe('started')
  await invokeOk(fixtures, 'getJoinLink', { id: started, at: joinTimeOf(running) })
  const { lines: over } = await eventsOf(fixtures, () =>
    invokeOk(fixtures, 'completeVisit', { id: started }),
  )
  expect(over).toHaveLength(2)
})

test('deletePatient: cancels thirty visits in one write', async () => {
  const patient = await patientIn(fixtures, 'UT')
  const starts = (await freeStarts(fixtures, 'UT')).slice(0, 30)
  const ids: string[] = []
  for (const starts_at of starts) {
    ids.push((await invokeOk(fixtures, 'bookVisit', { body: { patient, starts_at } })).id)
  }
  const { lines } = await eventsOf(fixtures, () =>
    invokeOk(fixtures, 'deletePatient', { id: patient }),
  )
  expect(lines).toEqual([
    ...ids.map(id => `visit.cancelled.v1 scheduled → cancelled ${id}`),
    `patient.deleted.v1 active → deleted ${patient}`,
  ])
  expect((await freeStarts(fixtures, 'UT')).slice(0, 30)).toEqual(starts)
})
