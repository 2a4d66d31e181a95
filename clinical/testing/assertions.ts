// How tests watch what a call did: which events it wrote, and that a refusal wrote nothing at all.

import { expect } from 'bun:test'
import type { OperationId } from '#contract/api.ts'
import { problems, type ProblemCode } from '#contract/problems.ts'
import type { Row } from '#database/pool.ts'
import { type Statement, sql } from '#database/sql.ts'
import { invoke, type CallOptions, type CallResult } from './call.ts'
import type { Fixtures } from './fixtures.ts'

/** Runs a statement as the owner, who sees every tenant of both planes. */
export const queryAsOwner = <R extends Row>(
  fixtures: Fixtures,
  statement: Statement,
): Promise<R[]> => fixtures.owner.use(connection => connection.run<R>(statement))

/** The database has no parameter for the name of a table; these names come from its catalogue. */
const literal = (text: string): Statement => sql([text] as unknown as TemplateStringsArray)

let digests: Statement | null = null

/**
 * Every tenant table of both planes with the digest of its rows, keys and clocks included: of where
 * each stands and who wrote it, which every insert, update and delete changes, even one of equal
 * values. To digest the values themselves is ten times the work, and sees less.
 */
export async function tableContents(fixtures: Fixtures): Promise<Record<string, string>> {
  const tables = digests
    ? []
    : await queryAsOwner<{ name: string }>(
        fixtures,
        sql`select format('%I.%I', schemaname, tablename) as name from pg_tables
             where schemaname in ('test', 'live') order by 1`,
      )
  const all = () =>
    tables
      .map(({ name }) =>
        literal(`select '${name}' as name,
          count(*) || ' ' || coalesce(sum(hashtidextended(ctid, xmin::text::bigint)), 0) as digest
            from ${name}`),
      )
      .reduce((rest, one) => sql`${rest} union all ${one}`)
  // With a parameter the driver prepares it; without one it is planned anew each time, which is
  // most of its work.
  digests ??= sql`select name, digest from (${all()}) d where ${true}`
  const rows = await queryAsOwner<{ name: string; digest: string }>(fixtures, digests)
  expect(rows.length).toBeGreaterThanOrEqual(20)
  return Object.fromEntries(rows.map(({ name, digest }) => [name, digest]))
}

/** Makes a call that must be refused with this code: no row, no event and no key may come of it. */
export async function expectRefused(
  fixtures: Fixtures,
  operation: OperationId,
  code: ProblemCode,
  asked: CallOptions = {},
): Promise<CallResult> {
  const before = await tableContents(fixtures)
  const replied = await invoke(fixtures, operation, asked)
  expect([replied.status, replied.code]).toEqual([problems[code].status, code])
  expect(await tableContents(fixtures)).toEqual(before)
  return replied
}

/** A refusal of values: which are named, and as what, in order. */
export async function expectFaults(
  fixtures: Fixtures,
  operation: OperationId,
  asked: CallOptions = {},
) {
  const { body } = await expectRefused(fixtures, operation, 'invalid_request', asked)
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

/** The tenant's events after this one, page by page, as its owner polls them. */
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

/** What a piece of work wrote to Ada's tenant: `type previous → status id` for each event. Each has
 *  a millisecond of its own that its id holds too, and an outbox row. */
export async function eventsOf<T>(fixtures: Fixtures, work: () => Promise<T>) {
  const before = await lastEvent(fixtures)
  const answer = await work()
  const events = await eventsAfter(fixtures, before)
  const moments = events.map(event => event.created_at)
  expect(moments).toEqual([...new Set(moments)].sort())
  const queued = await queryAsOwner<{ event: string }>(
    fixtures,
    sql`select event from test.outbox where event > ${before ?? ''} order by id`,
  )
  expect(queued.map(row => row.event)).toEqual(events.map(event => event.id))
  for (const event of events) expect(event.type.split('.')[0]).toBe(event.resource.type)
  return {
    answer,
    events,
    lines: events.map(
      one => `${one.type} ${one.previous_status} → ${one.status} ${one.resource.id}`,
    ),
  }
}

/** An id that has the form of one and names nothing. */
export const unknownId = (prefix: string) => `${prefix}_01m7wqrwr07q7txy3ntfjc6jem`

/** The members of an object in the order in which they were published. */
export const memberNames = (value: object): string[] => Object.keys(value)

export const timestampPattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
