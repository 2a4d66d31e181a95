// Visits for tests: patients in a state, free starts there, and bookings.

import type { Output } from '#contract/api.ts'
import { states } from '#contract/api/address.ts'
import { invokeOk, rivera } from './call.ts'
import { hireClinician } from './clinicians.ts'
import type { Fixtures } from './fixtures.ts'

export type Visit = Output<'getVisit'>
export type FreeSlot = { patient: string; state: string; starts_at: string }

/** The call's key; defaults to Ada's test key. */
const keyOption = (as?: string) => (as === undefined ? {} : { as })

let turns = 0
/** States take turns, so tests don't compete for the same starts. */
const nextState = (): string => states[turns++ % states.length] ?? 'CA'

export async function patientIn(fixtures: Fixtures, state: string, as?: string): Promise<string> {
  const body = { ...rivera, address: { ...rivera.address, state } }
  return (await invokeOk(fixtures, 'createPatient', { ...keyOption(as), body })).id
}

/** Returns the free starts in a state, soonest first. Leaves out the next ten minutes' starts,
 *  which could pass during the test. In live mode, hires a clinician if there's none. */
export async function freeStarts(
  fixtures: Fixtures,
  state: string,
  as?: string,
): Promise<string[]> {
  const from = new Date(fixtures.context.now() + 600_000).toISOString()
  const query = { state, from, limit: '100' }
  const list = async (): Promise<string[]> => {
    const { data } = await invokeOk(fixtures, 'listSlots', { ...keyOption(as), query })
    return data.map((slot: { starts_at: string }) => slot.starts_at)
  }
  const found = await list()
  if (found.length > 0 || as?.startsWith('svc_sk_live_') !== true) return found
  await hireClinician(fixtures)
  return list()
}

/** Creates a patient, and finds a free start in the patient's state. */
export async function freeSlot(
  fixtures: Fixtures,
  as?: string,
  state = nextState(),
): Promise<FreeSlot> {
  const patient = await patientIn(fixtures, state, as)
  const [starts_at = ''] = await freeStarts(fixtures, state, as)
  return { patient, state, starts_at }
}

/** Creates a visit for a new patient, with the status `scheduled`. */
export async function bookedVisit(fixtures: Fixtures, as?: string): Promise<Visit> {
  const { patient, starts_at } = await freeSlot(fixtures, as)
  return invokeOk(fixtures, 'bookVisit', { ...keyOption(as), body: { patient, starts_at } })
}

/** Returns a time when a visit can be joined. */
export const joinTimeOf = (visit: Visit): number => Date.parse(visit.starts_at)
