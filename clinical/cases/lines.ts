// Medication lines in a request or plan. The catalog provides their defaults and limits.

import type { Fault } from '#contract/faults.ts'
import { findMedication } from '../medications/medication.ts'
import { type Formulary, isDispensed } from '../medications/formulary.ts'

export type LineInput = {
  medication_id: string
  quantity?: number
  refills?: number
  days_supply?: number
  directions?: string
}

export type Line = {
  medication_id: string
  quantity: number
  refills: number
  days_supply: number
  directions: string
}

const notDispensed =
  'medication_id must be an ID from GET /v1/medications. This clinic does not dispense this medication.'

/** Returns a hint when the clinic doesn't dispense a medication. */
export const formularyHint = (faults: readonly Fault[]): string | undefined =>
  faults.some(({ message }) => message === notDispensed)
    ? 'Choose a medication from GET /v1/medications, which lists what the clinic dispenses, or ask the clinic to add this one.'
    : undefined

type LineContext = { readonly formulary: Formulary; readonly faults: Fault[] }

/** Returns the line with the catalog's defaults, in published field order. If the line has faults,
 *  reports them at `pointer` and returns null. */
export function readLine(
  input: LineInput,
  pointer: string,
  { formulary, faults }: LineContext,
): Line | null {
  const entry = findMedication(input.medication_id)
  if (!entry || !isDispensed(formulary, entry.medication_id)) {
    const message = entry ? notDispensed : 'medication_id must be an ID from GET /v1/medications.'
    faults.push({ pointer: `${pointer}/medication_id`, code: 'unknown_reference', message })
    return null
  }
  const quantity = input.quantity ?? entry.default_quantity
  if (quantity > entry.max_quantity) {
    const message = `quantity must be at most ${entry.max_quantity} for this medication.`
    faults.push({ pointer: `${pointer}/quantity`, code: 'too_large', message })
    return null
  }
  return {
    medication_id: entry.medication_id,
    quantity,
    refills: input.refills ?? 0,
    days_supply: input.days_supply ?? entry.default_days_supply,
    directions: input.directions ?? entry.default_directions,
  }
}
