// Calls that fail: how long they're retried, what the audit records about them, and that no refusal
// is sent without an audit row.

import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { Type as t } from 'typebox'
import { newRequestId } from '#http/http-request.ts'
import type { AnyOperation } from '#contract/operation.ts'
import { ConnectionLost, type ConnectionPool } from '#database/pool.ts'
import { sql } from '#database/sql.ts'
import { queryAsOwner } from '../testing/assertions.ts'
import { invoke, invokeOk, rivera } from '../testing/call.ts'
import { type Fixtures, useFixtures } from '../testing/fixtures.ts'
import { bearerTokens } from './authentication.ts'
import { type AnyPrincipal, handlersOf } from './handler.ts'
import { perform } from './perform.ts'
import { defineSurface } from './surface.ts'

const fixtures = useFixtures()
beforeEach(() => {
  fixtures.errors.length = 0
})

const auditOf = async (request: string) => {
  await fixtures.context.auditWriter.flush()
  return queryAsOwner(
    fixtures,
    sql`select actor, target, outcome, status, code from audit.entries where request = ${request}`,
  )
}

/** Tests a call while the database is unavailable and each attempt takes this long. */
function awayFor(attemptMilliseconds: number) {
  const began = Date.now()
  let at = began
  const steps: string[] = []
  const use = () => {
    steps.push('attempt')
    at += attemptMilliseconds
    return Promise.reject(new ConnectionLost('away'))
  }
  const pause = async (milliseconds: number) => {
    steps.push('pause')
    await new Promise(setImmediate)
    at += milliseconds
    steps.push('end of pause')
  }
  const { pools } = fixtures.context
  const away: ConnectionPool = { ...pools.test, use }
  const context = {
    ...fixtures.context,
    pools: { ...pools, test: away },
    now: () => at,
    pause,
  }
  const without: Fixtures = { ...fixtures, context }
  return { without, steps, elapsed: () => at - began }
}

describe('calls while the database is unavailable', () => {
  test('are retried for less than six seconds, and then get 503', async () => {
    const { without, steps, elapsed } = awayFor(0)
    const request = newRequestId()
    const { status, headers, body } = await invoke(without, 'listPatients', { request })
    expect([status, headers['retry-after'], body.detail]).toEqual([
      503,
      '1',
      'The database did not respond in time.',
    ])
    expect(steps.filter(step => step === 'attempt')).toHaveLength(9)
    expect(elapsed()).toBe(4875)
    expect(fixtures.errors).toHaveLength(1)
    const error = { actor: null, target: null, outcome: 'error', status: 503 }
    expect(await auditOf(request)).toEqual([{ ...error, code: 'service_unavailable' }])
  })

  test('are retried once more after a pause, if still within six seconds', async () => {
    const inTime = awayFor(5975)
    expect((await invoke(inTime.without, 'listPatients')).status).toBe(503)
    expect(inTime.steps).toEqual(['attempt', 'pause', 'end of pause', 'attempt'])
    const late = awayFor(5976)
    expect((await invoke(late.without, 'listPatients')).status).toBe(503)
    expect(late.steps).toEqual(['attempt'])
  })
})

/** Makes the database refuse a table's rows, as a bug of ours would. */
async function breakRows(table: 'patients' | 'audit') {
  const of = table === 'audit' ? sql`audit.entries` : sql`test.patients`
  await queryAsOwner(
    fixtures,
    sql`create or replace function public.injected() returns trigger language plpgsql as
        $$ begin raise exception 'injected'; end $$`,
  )
  await queryAsOwner(
    fixtures,
    sql`create trigger injected before insert on ${of}
        for each row execute function public.injected()`,
  )
}
afterEach(async () => {
  await queryAsOwner(fixtures, sql`drop trigger if exists injected on audit.entries`)
  await queryAsOwner(fixtures, sql`drop trigger if exists injected on test.patients`)
})

test('500: a fault is reported, and its audit row names the caller', async () => {
  await breakRows('patients')
  const request = newRequestId()
  const { status, body } = await invoke(fixtures, 'createPatient', { body: rivera, request })
  expect([status, body.detail]).toEqual([500, 'The failure was logged under request_id.'])
  expect(fixtures.errors).toHaveLength(1)
  const caller = { actor: fixtures.ada.testKey, target: null }
  expect(await auditOf(request)).toEqual([
    { ...caller, outcome: 'error', status: 500, code: 'internal_error' },
  ])
})

test.each(['cached', 'looked up'])(
  '500: a refusal that can’t be audited isn’t sent (credential: %s)',
  async how => {
    await invokeOk(fixtures, 'listPatients')
    if (how === 'looked up') fixtures.context.credentialCache.clear()
    await breakRows('audit')
    const { code } = await invoke(fixtures, 'getPatient', { id: 'pat_nope' })
    expect(code).toBe('internal_error')
    // The audit row is also buffered in memory, and may have been retried already.
    expect(fixtures.errors.length).toBeGreaterThan(0)
    await queryAsOwner(fixtures, sql`drop trigger injected on audit.entries`)
    expect((await invoke(fixtures, 'getPatient', { id: 'pat_nope' })).code).toBe('not_found')
  },
)

const rows = {
  settle: {
    method: 'POST',
    path: '/settle',
    tag: 'Notes',
    summary: 'Settle what keeps changing.',
    status: 200,
    returns: t.Object({ text: t.String() }),
  },
} as const satisfies Record<string, AnyOperation>

test('503: a write whose facts keep changing is decided twelve times', async () => {
  let decisions = 0
  const { write } = handlersOf<typeof rows, AnyPrincipal & { organization: null }>()
  const surface = defineSurface({
    name: 'portal',
    authentication: bearerTokens('api'),
    challenge: () => 'Bearer',
    operations: rows,
    handlers: {
      settle: write('settle', {
        facts: () => sql`select 1 as seen`,
        decide: (_call, _input, facts) => {
          decisions++
          return facts
        },
        // Changes nothing, as if another write had come first.
        write: () => sql`changed as (select '' as id, null::text as answer from go where false)`,
      }),
    },
    gate: (_operation, { credential: { id, ...who }, tenant }) => ({
      ...who,
      credential: id,
      tenant,
      organization: null,
    }),
  })
  const outcome = await perform(fixtures.context, surface, {
    operation: 'settle',
    path: '/settle',
    names: {},
    query: new URLSearchParams(),
    token: fixtures.ada.test,
    organization: null,
    version: null,
    idempotencyKey: 'settle',
    body: undefined,
    refusedBody: null,
    request: newRequestId(),
    address: '203.0.113.40',
    agent: null,
  })
  const problem = 'problem' in outcome ? outcome.problem : null
  expect([problem?.code, problem?.content.detail, problem?.content.headers]).toEqual([
    'service_unavailable',
    'The resource kept changing while this request was processed.',
    { 'retry-after': '1' },
  ])
  expect(decisions).toBe(12)
})
