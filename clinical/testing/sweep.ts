// What the tests of every operation stand on: what a call left behind, and whether an answer is
// what its row says.

import { expect } from 'bun:test'
import { Ajv, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import { type OperationId, operationIds, table } from '#contract/api.ts'
import { isWrite, pathNames, refusalsOf } from '#contract/operation.ts'
import { problems, type ProblemCode } from '#contract/problems.ts'
import { sql } from '#database/sql.ts'
import { ask, type Asked, type Replied } from './call.ts'
import type { Fixtures } from './fixtures.ts'
import { contents, queryAsOwner } from './assertions.ts'

export const withId = operationIds.filter(id => pathNames(table[id].path).length > 0)

/** The catalog is one for every tenant and both planes. */
export const ofOneTenant: readonly OperationId[] = withId.filter(id => id !== 'getMedication')

/** What a live key may call: not the sandbox's controls, nor what only the clinic's console may. */
export const inLive = operationIds.filter(
  id => table[id].mode === 'both' && !table[id].refuses?.includes('live_not_available'),
)

export const lists = operationIds.filter(
  id => Object.hasOwn(table[id].returns, 'x-list') && !isWrite(table[id]),
)

export type Left = {
  action: string
  outcome: string
  status: number
  code: string | null
  actor: string | null
  target: string | null
}

/** The audit rows after this one. Those of unknown callers are written behind the answer. */
async function auditedAfter(fixtures: Fixtures, seq: string): Promise<Left[]> {
  await fixtures.context.anonymous.flush()
  const rows = await queryAsOwner<Left>(
    fixtures,
    sql`select action, outcome, status, code, actor, target from audit.entries
         where seq > ${seq}::bigint order by seq`,
  )
  return [...rows]
}

async function lastAudited(fixtures: Fixtures): Promise<string> {
  await fixtures.context.anonymous.flush()
  const [row] = await queryAsOwner<{ seq: string }>(
    fixtures,
    sql`select coalesce(max(seq), 0)::text as seq from audit.entries`,
  )
  return row?.seq ?? '0'
}

/** Does something, and answers the audit rows that came of it besides. */
export async function audited<T>(fixtures: Fixtures, work: () => Promise<T>) {
  const seq = await lastAudited(fixtures)
  const answer = await work()
  return { answer, rows: await auditedAfter(fixtures, seq) }
}

/**
 * Makes calls that must each be refused with this code, which is one of the row's. Nothing may come
 * of any but one audit row: no row, no event, no moment of the clock, and the key stays unspent.
 */
export async function refusals(
  fixtures: Fixtures,
  operation: OperationId,
  code: ProblemCode,
  all: readonly Asked[],
): Promise<Replied[]> {
  const before = await contents(fixtures)
  const { answer: answers, rows } = await audited(fixtures, async () => {
    const replies: Replied[] = []
    for (const asked of all) replies.push(await ask(fixtures, operation, asked))
    return replies
  })
  const { status } = problems[code]
  expect(answers.map(one => [one.code, one.status])).toEqual(all.map(() => [code, status]))
  expect(refusalsOf(table[operation])).toContain(code)
  const row = { action: operation, outcome: 'refused', status, code }
  expect(rows).toMatchObject(all.map(() => row))
  expect(await contents(fixtures)).toEqual(before)
  return answers
}

/** Makes one such call. */
export async function refusal(
  fixtures: Fixtures,
  operation: OperationId,
  code: ProblemCode,
  asked: Asked,
): Promise<Replied> {
  const [only] = await refusals(fixtures, operation, code, [asked])
  if (!only) throw new Error('unreachable: one call, one answer')
  return only
}

/** A refusal of values: each fault's pointer and code. */
export const faultsOf = (replied: Replied): [string, string][] =>
  replied.body.errors.map((fault: { pointer: string; code: string }) => [fault.pointer, fault.code])

type Schema = Record<string, unknown>
const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Published schemas are open, so that a field may be added; what is answered today is no more
 *  than what they name. */
function exact(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(exact)
  if (!isSchema(schema)) return schema
  const { $id: _id, ...rest } = schema
  const inner = Object.entries(rest).map(([key, value]) => [key, exact(value)])
  const closing = isSchema(rest['properties']) && rest['additionalProperties'] === undefined
  return { ...Object.fromEntries(inner), ...(closing ? { additionalProperties: false } : {}) }
}

const ajv = new Ajv({ strict: false, allErrors: true })
addFormats.default(ajv)
const validators = new Map<OperationId, ValidateFunction>()

/** What is wrong with an answer, judged by another validator than requests are. */
export function wrongWith(operation: OperationId, answer: unknown): unknown[] {
  let validate = validators.get(operation)
  if (!validate) {
    validate = ajv.compile(exact(table[operation].returns) as Schema)
    validators.set(operation, validate)
  }
  return validate(answer) ? [] : (validate.errors ?? [])
}

/** The members that stand in another order than the schema names them in. */
export function misordered(schema: unknown, value: unknown, at = '#'): string[] {
  if (!isSchema(schema)) return []
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => misordered(schema['items'], item, `${at}/${index}`))
  }
  if (!isSchema(value)) return []
  const whole = Array.isArray(schema['anyOf']) ? schema['anyOf'][0] : schema
  const properties = isSchema(whole['properties']) ? whole['properties'] : {}
  const named = Object.keys(properties).filter(name => Object.hasOwn(value, name))
  const published = Object.keys(value).filter(name => Object.hasOwn(properties, name))
  const here = named.join() === published.join() ? [] : [at]
  const inside = named.flatMap(name => misordered(properties[name], value[name], `${at}/${name}`))
  return [...here, ...inside]
}
