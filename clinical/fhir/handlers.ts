// Handlers for the FHIR preview. Each returns the rows its resources are built from, as `{"as":
// mapping, "row": row}`, and the adapter maps them (http.ts). So the audit reads the same text as
// for /v1, and finds the patients in it.

import { formats } from '#contract/api/text-formats.ts'
import { fhirId, idOfFhir } from '#contract/fhir/mapping.ts'
import type { MappingName } from '#contract/fhir/mappings.ts'
import { type FhirId, fhirOperations } from '#contract/fhir/operations.ts'
import { limits } from '#contract/limits.ts'
import { invalid } from '#contract/problems.ts'
import { nothing, sql, type Statement } from '#database/sql.ts'
import type { Principal } from '#auth/principal.ts'
import { livingPatients } from '../patients/patient.ts'
import { type AnyCall, handlersOf, type Handlers } from '../pipeline/handler.ts'
import { oldestOf, paging } from '../pipeline/pages.ts'
import { published } from '../pipeline/publish.ts'
import { type Source, sources, sourcesOf } from './sources.ts'

export type FhirItem = { as: MappingName; row: { id: string } }

type Input = {
  id?: string
  _id?: string
  patient?: string
  identifier?: string
  _lastUpdated?: string
  _count?: number
  _after?: string
}

const { read } = handlersOf<typeof fhirOperations, Principal>()

const itemOf = ({ name, columns }: Source): Statement =>
  sql`${`{"as":"${name}","row":`}::text || ${published(columns)} || '}'`

const comparisons: Readonly<Record<string, Statement>> = {
  ge: sql`>=`,
  gt: sql`>`,
  le: sql`<=`,
  lt: sql`<`,
}

const refused = (name: string, message: string) =>
  invalid([{ pointer: `?${name}`, code: 'invalid_format', message }])

function changedIn({ changed }: Source, input: Input): Statement {
  const { _lastUpdated: sent } = input
  if (sent === undefined || changed === null) return nothing
  const comparison = comparisons[sent.slice(0, 2)]
  const at = formats['date-time']?.(sent.slice(2)) ?? null
  if (comparison === undefined || at === null)
    throw refused(
      '_lastUpdated',
      '_lastUpdated must be ge, gt, le or lt and a time, such as ge2026-11-20T15:04:05Z.',
    )
  // No index covers change times, but one patient has few rows.
  if (input.patient === undefined && input._id === undefined)
    throw refused('_lastUpdated', '_lastUpdated must come with patient or _id.')
  return sql`and ${changed} ${comparison} ${at}::timestamptz`
}

export const patientOf = (text: string) => idOfFhir(text.replace(/^Patient\//, ''))

/** Matches our ID if the system is ours, and otherwise the integration's own ID. */
function identified(text: string | undefined): Statement {
  if (text === undefined) return nothing
  const [value = '', system = ''] = text.split('|', 2).toReversed()
  return system.endsWith('/ids/patient') ? sql`and id = ${value}` : sql`and external_id = ${value}`
}

const filters = (call: AnyCall, source: Source, input: Input): Statement => sql`
  ${input._id === undefined ? nothing : sql`and id = ${idOfFhir(input._id)}`}
  ${input.patient === undefined ? nothing : source.ofPatients(call, [patientOf(input.patient)])}
  ${identified(input.identifier)} ${changedIn(source, input)}`

/** A cursor is a source's position and an ID within it: types with several sources, and everything
 *  about a patient, are read source by source. */
const placeOf = (all: readonly Source[], after = ''): [number, string | undefined] => {
  const [, place, id] = /^(\d{2})\.(.*)$/.exec(after) ?? []
  return place === undefined || Number(place) >= all.length ? [0, undefined] : [Number(place), id]
}

/** Selects the rows after the cursor from all sources, at most a page from each. */
function rowsOf(call: AnyCall, all: readonly Source[], input: Input): Statement {
  const { _count: limit = limits.pageDefault } = input
  const [first, after] = placeOf(all, input._after)
  const parts = all.slice(first).map((source, index) => {
    const place = `${String(first + index).padStart(2, '0')}.`
    const position = index === 0 && after !== undefined ? { starting_after: after } : {}
    return sql`(
      select ${place}::text || id as id, ${itemOf(source)} as item ${source.from(call)}
      ${filters(call, source, input)}
      ${paging(
        { limit, ...position },
        { id: sql`${source.table}.id`, oldest: oldestOf(call, source.prefix) },
      )})`
  })
  const union = parts.reduce((one, other) => sql`${one} union all ${other}`)
  return sql`select id, item from (${union}) found order by id limit ${limit + 1}::int`
}

type FhirHandlers = Handlers<typeof fhirOperations, Principal>

function handlerOf(id: FhirId): FhirHandlers[FhirId] {
  const { type } = fhirOperations[id]
  if (type === null)
    return read(id, (call, { id: patient = '', ...input }: Input) => ({
      parent: sql`select 1 ${livingPatients(call)} and id = ${patient}`,
      rows: rowsOf(call, sources, { ...input, patient: fhirId(patient) }),
    }))
  const ofType = sourcesOf(type)
  if (id.startsWith('search'))
    return read(id, (call, input) => ({ rows: rowsOf(call, ofType, input) }))
  return read(id, (call, { id: own = '' }: Input) => {
    const source = ofType.find(({ prefix }) => own.startsWith(`${prefix}_`))
    if (source === undefined) return { items: [] }
    return {
      rows: sql`select id, ${itemOf(source)} as item ${source.from(call)} and id = ${own}`,
    }
  })
}

export const fhirHandlers = Object.fromEntries(
  (Object.keys(fhirOperations) as FhirId[]).map(id => [id, handlerOf(id)]),
) as FhirHandlers
