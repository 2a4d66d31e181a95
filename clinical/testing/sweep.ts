// Shared by the tests of every operation: groups of operations, a call's audit rows, and whether a
// response has the form its row declares.

import { expect } from 'bun:test'
import { Ajv, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import { type CallableId, callableIds, callable } from '#contract/callable.ts'
import { isWrite, pathNames, refusalsOf } from '#contract/operation.ts'
import { problems, type ProblemCodeOf } from '#contract/problems.ts'
import { sql } from '#database/sql.ts'
import { invoke, type CallOptions, type CallResult } from './call.ts'
import type { Fixtures } from './fixtures.ts'
import { tableContents, queryAsOwner } from './assertions.ts'

export const operationsWithId = callableIds.filter(id => pathNames(callable[id].path).length > 0)

/** Excludes the medication catalog, which all tenants and both modes share. */
export const tenantOperations: readonly CallableId[] = operationsWithId.filter(
  id => id !== 'getMedication',
)

/** The operations a live key may call: all but sandbox controls and operations reserved for the
 *  clinic's console. */
export const liveOperations = callableIds.filter(
  id => callable[id].mode === 'both' && !callable[id].refuses?.includes('live_not_available'),
)

export const listOperations = callableIds.filter(
  id => Object.hasOwn(callable[id].returns, 'x-list') && !isWrite(callable[id]),
)

export type AuditRow = {
  action: string
  outcome: string
  status: number
  code: string | null
  surface: string
  actor: string | null
  person: string | null
  client: string | null
  target: string | null
}

/** Returns the audit rows after row `seq`. Rows for unauthenticated callers are written
 *  asynchronously. */
async function auditedAfter(fixtures: Fixtures, seq: string): Promise<AuditRow[]> {
  await fixtures.context.auditWriter.flush()
  const rows = await queryAsOwner<AuditRow>(
    fixtures,
    sql`select action, outcome, status, code, surface, actor, person, client, target from audit.entries
         where seq > ${seq}::bigint order by seq`,
  )
  return [...rows]
}

async function lastAudited(fixtures: Fixtures): Promise<string> {
  await fixtures.context.auditWriter.flush()
  const [row] = await queryAsOwner<{ seq: string }>(
    fixtures,
    sql`select coalesce(max(seq), 0)::text as seq from audit.entries`,
  )
  return row?.seq ?? '0'
}

/** Runs `work`, and returns its result with the audit rows it wrote. */
export async function auditRowsOf<T>(fixtures: Fixtures, work: () => Promise<T>) {
  const seq = await lastAudited(fixtures)
  const answer = await work()
  return { answer, rows: await auditedAfter(fixtures, seq) }
}

/** Makes calls that must each be refused with this code, which the operation's row must declare.
 *  Each may write one audit row and nothing else: no row, no event, no timestamp on the tenant's
 *  clock, and no record for its idempotency key. */
export async function expectRefusals(
  fixtures: Fixtures,
  operation: CallableId,
  code: ProblemCodeOf<'v1'>,
  all: readonly CallOptions[],
): Promise<CallResult[]> {
  const before = await tableContents(fixtures)
  const { answer: answers, rows } = await auditRowsOf(fixtures, async () => {
    const results: CallResult[] = []
    for (const options of all) results.push(await invoke(fixtures, operation, options))
    return results
  })
  const { status } = problems[code]
  expect(answers.map(one => [one.code, one.status])).toEqual(all.map(() => [code, status]))
  expect(refusalsOf(callable[operation])).toContain(code)
  const row = { action: operation, outcome: 'refused', status, code }
  expect(rows).toMatchObject(all.map(() => row))
  expect(await tableContents(fixtures)).toEqual(before)
  return answers
}

/** Like `expectRefusals`, for one call. */
export async function expectRefusal(
  fixtures: Fixtures,
  operation: CallableId,
  code: ProblemCodeOf<'v1'>,
  options: CallOptions,
): Promise<CallResult> {
  const [only] = await expectRefusals(fixtures, operation, code, [options])
  if (!only) throw new Error('unreachable: one call has one result')
  return only
}

/** Returns the pointer and code of each fault in an `invalid_request`. */
export const faultsOf = (result: CallResult): [string, string][] =>
  result.body.errors.map((fault: { pointer: string; code: string }) => [fault.pointer, fault.code])

type Schema = Record<string, unknown>
const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Forbids additional properties. Published schemas allow them so fields can be added later, but
 *  today's responses must contain only the fields in the schemas. */
function closeSchema(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closeSchema)
  if (!isSchema(schema)) return schema
  const { $id: _id, ...rest } = schema
  const inner = Object.entries(rest).map(([key, value]) => [key, closeSchema(value)])
  const closing = isSchema(rest['properties']) && rest['additionalProperties'] === undefined
  return { ...Object.fromEntries(inner), ...(closing ? { additionalProperties: false } : {}) }
}

const ajv = new Ajv({ strict: false, allErrors: true })
addFormats.default(ajv)
const validators = new Map<CallableId, ValidateFunction>()

/** Returns a response's schema errors, from a different validator than the one that checks
 *  requests. */
export function schemaErrors(operation: CallableId, answer: unknown): unknown[] {
  let validate = validators.get(operation)
  if (!validate) {
    validate = ajv.compile(closeSchema(callable[operation].returns) as Schema)
    validators.set(operation, validate)
  }
  return validate(answer) ? [] : (validate.errors ?? [])
}

/** Returns the places where fields are in a different order than in the schema. */
export function misorderedMembers(schema: unknown, value: unknown, at = '#'): string[] {
  if (!isSchema(schema)) return []
  if (Array.isArray(value)) {
    return value.flatMap((item, index) =>
      misorderedMembers(schema['items'], item, `${at}/${index}`),
    )
  }
  if (!isSchema(value)) return []
  const whole = Array.isArray(schema['anyOf']) ? schema['anyOf'][0] : schema
  const properties = isSchema(whole['properties']) ? whole['properties'] : {}
  const named = Object.keys(properties).filter(name => Object.hasOwn(value, name))
  const published = Object.keys(value).filter(name => Object.hasOwn(properties, name))
  const here = named.join() === published.join() ? [] : [at]
  const inside = named.flatMap(name =>
    misorderedMembers(properties[name], value[name], `${at}/${name}`),
  )
  return [...here, ...inside]
}
