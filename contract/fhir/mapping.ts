// Converts our rows to FHIR resources by tables of rules. Each rule maps our fields to one
// element. The documentation is generated from the same tables (site/src/blocks/fhir.ts). A rule
// without a value omits its element, so unknown facts are absent.

import type { Medication } from '../api/organization.ts'
import type { Static } from 'typebox'
import type { FhirType } from './resource-types.ts'

/** A mapping's inputs other than the row. */
export type About = {
  /** The API's public origin. */
  readonly origin: string
  readonly organization: string | null
  readonly integration: string | null
  medication(id: string): Static<typeof Medication> | undefined
}

export type Rule<Row = never> = {
  /** The element's path in the resource, such as `name[0].family`. */
  readonly element: string
  /** Our fields; empty for a constant. */
  readonly from: readonly string[]
  /** How the value is converted, for the documentation. */
  readonly says: string
  value(row: Row, about: About): unknown
}

/** Converts one kind of row to a resource. */
export type Mapping = {
  readonly type: FhirType
  /** The row's schema in `/v1`. */
  readonly of: string
  readonly rules: readonly Rule[]
}

/** FHIR IDs can't contain underscores, so `pat_01…` becomes `pat-01…`. */
export const fhirId = (id: string): string => id.replace('_', '-')

/** Returns our ID. Text that isn't a FHIR ID becomes an ID that can't exist. */
export const idOfFhir = (text: string): string => (text.includes('_') ? '' : text.replace('-', '_'))

type Words<V> = V extends string ? Readonly<Record<V, string>> : never

/** Rules for one type of row. */
export const rulesOf = <Row extends object>() => {
  type Field = keyof Row & string
  return {
    /** Copies the field unchanged. */
    copy: (element: string, field: Field): Rule<Row> => ({
      element,
      from: [field],
      says: '',
      value: row => row[field],
    }),
    /** Maps each of the field's values to a word. The compiler requires all values. */
    word: <F extends Field>(element: string, field: F, words: Words<Row[F]>): Rule<Row> => ({
      element,
      from: [field],
      says: Object.entries(words)
        .map(([ours, theirs]) => `\`${ours}\` is \`${String(theirs)}\``)
        .join(', '),
      value: row => (words as Readonly<Record<string, string>>)[String(row[field])],
    }),
    made: (
      element: string,
      from: readonly Field[],
      says: string,
      value: Rule<Row>['value'],
    ): Rule<Row> => ({ element, from, says, value }),
    /** Sets the same value in every resource. */
    always: (element: string, value: unknown, says = `\`${String(value)}\``): Rule<Row> => ({
      element,
      from: [],
      says: `always ${says}`,
      value: () => value,
    }),
  }
}

/** The cast is safe because rules are called only with rows of their own schema. */
export const mapping = <Row>(type: FhirType, of: string, rules: readonly Rule<Row>[]): Mapping => ({
  type,
  of,
  rules: rules as readonly Rule[],
})

export type Resource = { resourceType: string; id?: string } & Record<string, unknown>

export function resourceOf({ type, rules }: Mapping, row: { id: string }, about: About): Resource {
  const resource: Resource = { resourceType: type, id: fhirId(row.id) }
  for (const rule of rules) {
    const value = known(rule.value(row as never, about))
    if (value !== undefined) place(resource, rule.element, value)
  }
  return resource
}

/** Removes empty fields, because FHIR allows neither null nor empty strings, lists or objects. */
function known(value: unknown): unknown {
  if (value === null || value === undefined) return undefined
  if (typeof value === 'string') return value.trim() === '' ? undefined : value
  if (typeof value !== 'object') return value
  if (Array.isArray(value)) {
    const items = value.map(known).filter(item => item !== undefined)
    return items.length > 0 ? items : undefined
  }
  const members = Object.entries(value)
    .map(([name, member]) => [name, known(member)] as const)
    .filter(([, member]) => member !== undefined)
  return members.length > 0 ? Object.fromEntries(members) : undefined
}

/** Sets the element at a path, creating any missing objects and lists. */
function place(resource: object, path: string, value: unknown): void {
  const steps = path.match(/\w+/g) ?? []
  let at = resource as Record<string, unknown>
  for (const [index, step] of steps.entries()) {
    const next = steps[index + 1]
    if (next === undefined) at[step] = value
    else at = (at[step] ??= /^\d+$/.test(next) ? [] : {}) as Record<string, unknown>
  }
}
