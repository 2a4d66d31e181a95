// Assertions about what a call wrote: which events, and that a refusal wrote nothing.

import { expect } from 'bun:test'
import type { CallableId } from '#contract/callable.ts'
import { problems, type ProblemCode } from '#contract/problems.ts'
import type { Row } from '#database/pool.ts'
import { type Statement, sql } from '#database/sql.ts'
import { invoke, type CallOptions, type CallResult } from './call.ts'
import type { Fixtures } from './fixtures.ts'

/** Runs a statement as the owner, who sees every tenant in both modes. */
export const queryAsOwner = <R extends Row>(
  fixtures: Fixtures,
  statement: Statement,
): Promise<R[]> => fixtures.owner.use(connection => connection.run<R>(statement))

/** A table name can't be an SQL parameter, so it's inserted as text. The names come from the
 *  database's catalog. */
const literal = (text: string): Statement => sql([text] as unknown as TemplateStringsArray)

/** Returns why a person's pages and forms were refused before any operation, oldest first. */
export async function refusedPagesOf(fixtures: Fixtures, person: string): Promise<string[]> {
  const rows = await queryAsOwner<{ code: string }>(
    fixtures,
    sql`select code from audit.entries where person = ${person}
           and action in ('openPage', 'sendForm') order by seq`,
  )
  return rows.map(({ code }) => code)
}

let digests: Statement | null = null

/** Returns a digest of every tenant table in both modes, including keys and clocks. It covers each
 *  row's position and transaction, which every insert, update and delete changes, even an update to
 *  equal values. Digesting the values themselves is ten times the work, and detects less. */
export async function tableContents(fixtures: Fixtures): Promise<Record<string, string>> {
  const tables = digests
    ? []
    : await queryAsOwner<{ name: string }>(
        fixtures,
        // A partitioned table counts as a whole: its partitions are created as needed.
        sql`select format('%I.%I', relnamespace::regnamespace, relname) as name from pg_class
             where relnamespace in ('test'::regnamespace, 'live'::regnamespace)
               and relkind in ('r', 'p') and not relispartition order by 1`,
      )
  const all = () =>
    tables
      .map(({ name }) =>
        literal(`select '${name}' as name,
          count(*) || ' ' || coalesce(sum(hashtidextended(ctid, xmin::text::bigint)), 0) as digest
            from ${name}`),
      )
      .reduce((rest, one) => sql`${rest} union all ${one}`)
  // The driver prepares a statement only if it has a parameter; planning is most of the work.
  digests ??= sql`select name, digest from (${all()}) d where ${true}`
  const rows = await queryAsOwner<{ name: string; digest: string }>(fixtures, digests)
  expect(rows.length).toBeGreaterThanOrEqual(20)
  return Object.fromEntries(rows.map(({ name, digest }) => [name, digest]))
}

/** Makes a call that must be refused with this code and must not write a row, an event or a key. */
export async function expectRefused(
  fixtures: Fixtures,
  operation: CallableId,
  code: ProblemCode,
  options: CallOptions = {},
): Promise<CallResult> {
  const before = await tableContents(fixtures)
  const result = await invoke(fixtures, operation, options)
  expect([result.status, result.code]).toEqual([problems[code].status, code])
  expect(await tableContents(fixtures)).toEqual(before)
  return result
}

/** Expects the values to be refused; returns the pointer and code of each fault, in order. */
export async function expectFaults(
  fixtures: Fixtures,
  operation: CallableId,
  options: CallOptions = {},
) {
  const { body } = await expectRefused(fixtures, operation, 'invalid_request', options)
  return body.errors.map((fault: { pointer: string; code: string }) => [fault.pointer, fault.code])
}

export type EventSummary = {
  type: string
  id: string
  created_at: string
  resource: { type: string; id: string }
  status: string
  previous_status: string | null
}

/** Returns the tenant's events after event `after`, read page by page as its owner polls them. */
export async function eventsAfter(
  fixtures: Fixtures,
  after: string | null,
  as?: string,
): Promise<EventSummary[]> {
  const all: EventSummary[] = []
  for (let cursor = after; ; cursor = all.at(-1)?.id ?? cursor) {
    const query = { limit: '100', ...(cursor === null ? {} : { starting_after: cursor }) }
    const { body } = await invoke(
      fixtures,
      'listEvents',
      as === undefined ? { query } : { as, query },
    )
    all.push(...body.data)
    if (!body.has_more) return all
  }
}

const lastEvent = async (fixtures: Fixtures): Promise<string | null> =>
  (
    await queryAsOwner<{ id: string | null }>(fixtures, sql`select max(id) as id from test.events`)
  )[0]?.id ?? null

/** Returns the events that `work` wrote to Ada's test tenant, or to the tenant of the key `as`, as
 *  `type previous → status id`. Expects each event to have its own millisecond. */
export async function eventsOf<T>(fixtures: Fixtures, work: () => Promise<T>, as?: string) {
  const before =
    as === undefined
      ? await lastEvent(fixtures)
      : ((await eventsAfter(fixtures, null, as)).at(-1)?.id ?? null)
  const answer = await work()
  const events = await eventsAfter(fixtures, before, as)
  const moments = events.map(event => event.created_at)
  expect(moments).toEqual([...new Set(moments)].sort())
  for (const event of events) expect(event.type.split('.')[0]).toBe(event.resource.type)
  return {
    answer,
    events,
    lines: events.map(
      one => `${one.type} ${one.previous_status} → ${one.status} ${one.resource.id}`,
    ),
  }
}

/** A well-formed ID without a row. */
export const unknownId = (prefix: string) => `${prefix}_01m7wqrwr07q7txy3ntfjc6jem`

/** Returns an object's field names, in published order. */
export const memberNames = (value: object): string[] => Object.keys(value)

export const timestampPattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
