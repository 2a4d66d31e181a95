// Converts a case's plan between a form and the operation's body.
import { limits } from '#contract/limits.ts'
import type { RequestedMedication } from '#contract/api/cases.ts'
import type { Static } from 'typebox'

type Line = Static<typeof RequestedMedication>

/** A form's line: the text as typed. */
export type PlanLine = {
  readonly medication_id: string
  readonly quantity: string
  readonly refills: string
  readonly days_supply: string
  readonly directions: string
  readonly dispensable: boolean
}

export const emptyLine: PlanLine = {
  medication_id: '',
  quantity: '',
  refills: '',
  days_supply: '',
  directions: '',
  dispensable: true,
}

export const lineOfRequest = (requested: Line): PlanLine => ({
  medication_id: requested.medication_id,
  quantity: String(requested.quantity),
  refills: String(requested.refills),
  days_supply: String(requested.days_supply),
  directions: requested.directions,
  dispensable: true,
})

export const fieldOf = (at: number, name: keyof PlanLine): string => `line_${at}_${name}`

/** A form's lines, including those without a medication. */
export function linesOf(form: URLSearchParams): PlanLine[] {
  const lines: PlanLine[] = []
  for (let at = 0; at < limits.planLinesMax && form.has(fieldOf(at, 'medication_id')); at++) {
    const text = (name: keyof PlanLine) => (form.get(fieldOf(at, name)) ?? '').trim()
    lines.push({
      medication_id: text('medication_id'),
      quantity: text('quantity'),
      refills: text('refills'),
      days_supply: text('days_supply'),
      directions: text('directions'),
      dispensable: form.has(fieldOf(at, 'dispensable')),
    })
  }
  return lines
}

/** Text that isn't a whole number is sent as is, so the operation names the error. An empty field
 *  gets its value from the catalog. */
const numberOf = (text: string): number | string | undefined =>
  text === '' ? undefined : /^\d{1,6}$/.test(text) ? Number(text) : text

export const bodyOf = (lines: readonly PlanLine[]) =>
  lines
    .filter(({ medication_id }) => medication_id !== '')
    .map(({ medication_id, quantity, refills, days_supply, directions, dispensable }) => ({
      medication_id,
      quantity: numberOf(quantity),
      refills: numberOf(refills),
      days_supply: numberOf(days_supply),
      directions: directions === '' ? undefined : directions,
      dispensable,
    }))
