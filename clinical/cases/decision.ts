// A decision's body: which fields each decision requires and allows, and an approval's plan with
// its prescriptions and orders.

import type { Input } from '#contract/api.ts'
import type { Fault } from '#contract/faults.ts'
import { type Line, type LineInput, readLine } from './lines.ts'
import type { AnyCall, IdParts } from '../pipeline/handler.ts'
import type { Formulary } from '../medications/formulary.ts'
import { findMedication, type Medication } from '../medications/medication.ts'

export type Decision = Omit<Input<'decideCase'>, 'id'>
export type PlanLine = Line & { dispensable: boolean }

const requiredMembers = {
  approve: [],
  decline: ['reason'],
  needs_info: ['target', 'question'],
} as const
const allowedMembers = { ...requiredMembers, approve: ['plan'] } as const
const members = ['plan', 'reason', 'target', 'question'] as const

/** Returns faults for fields that the decision requires or doesn't allow. */
export function faultsOfMembers(input: Decision): Fault[] {
  const { decision } = input
  const required: readonly string[] = requiredMembers[decision]
  const allowed: readonly string[] = allowedMembers[decision]
  return members.flatMap((name): Fault[] => {
    const pointer = `#/${name}`
    if (input[name] === undefined) {
      if (!required.includes(name)) return []
      return [
        {
          pointer,
          code: 'required',
          message: `${name} must be present when decision is ${decision}.`,
        },
      ]
    }
    if (allowed.includes(name)) return []
    return [
      {
        pointer,
        code: 'not_allowed',
        message: `${name} must not be present when decision is ${decision}.`,
      },
    ]
  })
}

type PlanFacts = {
  readonly requested_medications: readonly Line[]
  /** The clinic's formulary; absent in a sandbox. */
  readonly formulary?: Formulary
}

/** Returns the plan to store: the submitted plan, or else the requested medications. */
export function readPlan(
  input: Decision,
  { requested_medications: requested, formulary = null }: PlanFacts,
  faults: Fault[],
): PlanLine[] {
  const lines: readonly (LineInput & { dispensable?: boolean })[] = input.plan ?? requested
  return lines.flatMap((sent, at) => {
    const pointer = `#/plan/${at}`
    const line = readLine(sent, pointer, { formulary, faults })
    const entry = findMedication(sent.medication_id)
    if (!line || !entry) return []
    if (sent.dispensable === true && !entry.dispensable) {
      const message = 'dispensable must not be true: the pharmacy never fills this medication.'
      faults.push({ pointer: `${pointer}/dispensable`, code: 'not_allowed', message })
    }
    return [{ ...line, dispensable: sent.dispensable ?? entry.dispensable }]
  })
}

/** A dispensable line with the IDs of its prescription and order. */
export type Dispensed = { line: PlanLine; entry: Medication; prescription: IdParts; order: IdParts }

/** Creates IDs in plan order. Each line has two rows and two events, each with its own millisecond.
 */
export function dispense(call: AnyCall, plan: readonly PlanLine[], first: number): Dispensed[] {
  const filled = plan.filter(line => line.dispensable)
  return filled.flatMap((line, at) => {
    const entry = findMedication(line.medication_id)
    if (!entry) return []
    const prescription = call.mint('prescription', first + 4 * at)
    const order = call.mint('order', first + 4 * at + 2)
    return [{ line, entry, prescription, order }]
  })
}
