// What a decision of the sandbox's clinician says: which members go together, and the plan of an
// approval with its prescriptions and orders.

import type { Input } from '#contract/api.ts'
import type { Fault } from '#contract/problems.ts'
import type { Line, LineInput } from '../cases/lines.ts'
import { readLine } from '../cases/lines.ts'
import type { Call, Minted } from '../pipeline/handler.ts'
import { findMedication, type Medication } from '../medications/medication.ts'

export type Decision = Input<'decideCase'>
export type PlanLine = Line & { dispensable: boolean }

const needs = {
  approve: [],
  decline: ['reason'],
  needs_info: ['target', 'question'],
} as const
const takes = { ...needs, approve: ['plan'] } as const
const members = ['plan', 'reason', 'target', 'question'] as const

/** Faults of members that do not go with the decision, or that it lacks. */
export function faultsOfMembers(input: Decision): Fault[] {
  const { decision } = input
  const required: readonly string[] = needs[decision]
  const allowed: readonly string[] = takes[decision]
  return members.flatMap((name): Fault[] => {
    const pointer = `#/${name}`
    if (input[name] === undefined) {
      if (!required.includes(name)) return []
      return [{ pointer, code: 'required', message: `${name} is required with ${decision}.` }]
    }
    if (allowed.includes(name)) return []
    return [{ pointer, code: 'not_allowed', message: `${name} does not go with ${decision}.` }]
  })
}

/** The plan as it is kept: the one that was sent, or what was requested. */
export function readPlan(input: Decision, requested: readonly Line[], faults: Fault[]): PlanLine[] {
  const given: readonly (LineInput & { dispensable?: boolean })[] = input.plan ?? requested
  return given.flatMap((sent, at) => {
    const pointer = `#/plan/${at}`
    const line = readLine(sent, pointer, faults)
    const entry = findMedication(sent.medication_id)
    if (!line || !entry) return []
    if (sent.dispensable === true && !entry.dispensable) {
      const message = 'This medication is never filled by the pharmacy.'
      faults.push({ pointer: `${pointer}/dispensable`, code: 'not_allowed', message })
    }
    return [{ ...line, dispensable: sent.dispensable ?? entry.dispensable }]
  })
}

/** A dispensable line with the prescription and the order that it makes. */
export type Dispensed = { line: PlanLine; entry: Medication; prescription: Minted; order: Minted }

/** Two rows and two events a line, each with its own millisecond, in plan order. */
export function dispense(
  call: Call<'decideCase'>,
  plan: readonly PlanLine[],
  first: number,
): Dispensed[] {
  const filled = plan.filter(line => line.dispensable)
  return filled.flatMap((line, at) => {
    const entry = findMedication(line.medication_id)
    if (!entry) return []
    const prescription = call.mint('prescription', first + 4 * at)
    const order = call.mint('order', first + 4 * at + 2)
    return [{ line, entry, prescription, order }]
  })
}
