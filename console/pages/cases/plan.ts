// Converts a case's plan between a form and the operation's body.
import { limits } from '#contract/limits.ts'
import { Problem } from '#contract/problems.ts'
import type { RequestedMedication } from '#contract/api/cases.ts'
import { findMedication } from '#clinical/medications/medication.ts'
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

/** Whether the pharmacy never fills a medication, so a plan can only record it. */
export const isNeverFilled = (medication: string): boolean =>
  findMedication(medication)?.dispensable === false

export const lineOfRequest = (requested: Line): PlanLine => ({
  medication_id: requested.medication_id,
  quantity: String(requested.quantity),
  refills: String(requested.refills),
  days_supply: String(requested.days_supply),
  directions: requested.directions,
  dispensable: !isNeverFilled(requested.medication_id),
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
      dispensable: form.has(fieldOf(at, 'dispensable')) && !isNeverFilled(text('medication_id')),
    })
  }
  return lines
}

/** Whether a form's plan differs from the request. */
export const isEdited = (form: URLSearchParams, requested: readonly Line[]): boolean =>
  JSON.stringify(bodyOf(linesOf(form))) !== JSON.stringify(bodyOf(requested.map(lineOfRequest)))

/** Text that isn't a whole number is sent as is, so the operation names the error. */
const numberOf = (text: string): number | string => (/^\d{1,6}$/.test(text) ? Number(text) : text)

/** A line without its empty fields, which get their values from the catalog. */
const filledOf = ({ quantity, refills, days_supply, directions }: PlanLine) => ({
  ...(quantity !== '' && { quantity: numberOf(quantity) }),
  ...(refills !== '' && { refills: numberOf(refills) }),
  ...(days_supply !== '' && { days_supply: numberOf(days_supply) }),
  ...(directions !== '' && { directions }),
})

export const bodyOf = (lines: readonly PlanLine[]) =>
  lines
    .filter(({ medication_id }) => medication_id !== '')
    .map(line => ({
      medication_id: line.medication_id,
      ...filledOf(line),
      dispensable: line.dispensable,
    }))

/** Refers to lines by their place in the form. The operation doesn't get lines without a
 *  medication, so it counts fewer. */
export function placedInForm(problem: Problem, form: URLSearchParams): Problem {
  const { errors } = problem.content
  if (errors === undefined) return problem
  const places = [...linesOf(form).entries()].flatMap(([place, { medication_id }]) =>
    medication_id === '' ? [] : [place],
  )
  const placed = errors.map(fault => ({
    ...fault,
    pointer: fault.pointer.replace(
      /^(#\/plan\/)(\d+)/,
      (_, start: string, at: string) => `${start}${places[Number(at)] ?? at}`,
    ),
  }))
  return new Problem(problem.code, { ...problem.content, errors: placed })
}
