// Triggers every error of every operation on a running server, and compares the error's status,
// schema and headers with the published document, and the title and hint with the document's own
// example.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { grant, openOrganization } from '#auth/integrations.ts'
import { refusals } from '#contract/examples/problems.ts'
import { callableIds, type CallableId, callable } from '#contract/callable.ts'
import { isWrite, type CredentialOperation } from '#contract/operation.ts'
import type { ProblemCodeOf } from '#contract/problems.ts'
import { rivera } from '#clinical/testing/call.ts'
import { validCalls } from '#clinical/testing/valid-calls.ts'
import { PoolTimeout } from '#database/pool.ts'
import { sql } from '#database/sql.ts'
import { ownRefusals } from './testing/refusal-calls.ts'
import { asDocumented, refusalsOf } from './testing/openapi-validator.ts'
import { type EndpointRouter, type ExampleCall, send } from './testing/example-calls.ts'
import { openTestGateway } from '#gateway/testing/gateway.ts'

let gateway: EndpointRouter
/** A gateway that allows an integration one request a minute. */
let narrow: EndpointRouter
const keys = { poor: '', double: '', unagreed: '' }

beforeAll(async () => {
  ;[gateway, narrow] = await Promise.all([openTestGateway(), openTestGateway({ rateLimit: 1 })])
  const { fixtures } = gateway
  const { integration } = fixtures.ada
  keys.poor = await fixtures.key({ integration, mode: 'test', name: 'poor', scopes: [] })
  const { integration: twice } = fixtures.ben
  const more = await fixtures.owner.use(connection =>
    openOrganization(connection, 'Another', 'another-clinic'),
  )
  await fixtures.owner.use(connection =>
    grant(connection, { integration: twice, organization: more, mode: 'test' }),
  )
  keys.double = await fixtures.key({ integration: twice, mode: 'test', name: 'double' })
  await fixtures.owner.use(connection =>
    connection.run(
      sql`update auth.agreements set terminated_at = now() where integration = ${twice}`,
    ),
  )
  keys.unagreed = fixtures.ben.live
  await send(gateway, 'createPatient', { key: 'spent', body: rivera })
})
afterAll(async () => {
  await Promise.all([gateway.close(), narrow.close()])
})

type ProblemCode = ProblemCodeOf<'v1'>

/** Requests refused before anything specific to the operation is checked. */
const common: Partial<Record<ProblemCode, (id: CallableId) => Promise<ExampleCall> | ExampleCall>> =
  {
    invalid_request: id => (isWrite(callable[id]) ? { body: { nope: true } } : { query: 'nope=1' }),
    organization_required: () => ({ as: keys.double }),
    // Each operation uses its own address, because requests without a credential are limited.
    unauthorized: id => ({ as: null, address: `198.51.100.${callableIds.indexOf(id)}` }),
    forbidden: () => ({ as: gateway.fixtures.ada.live }),
    insufficient_scope: () => ({ as: keys.poor }),
    organization_not_granted: () => ({ organization: 'org_01m7wqrwr07q7txy3ntfjc6jem' }),
    baa_required: () => ({ as: keys.unagreed }),
    rate_limited: () => ({}),
    internal_error: () => ({}),
    service_unavailable: () => ({}),
    idempotency_in_progress: async id => ({
      ...(await validCalls[id](gateway.fixtures, gateway.fixtures.ada.test)),
      key: 'held',
    }),
    idempotency_key_required: () => ({ key: null }),
    payload_too_large: () => ({ text: `"${'x'.repeat(1_048_576)}"` }),
    unsupported_media_type: () => ({ type: 'text/plain' }),
    idempotency_key_reused: () => ({ key: 'spent' }),
    not_found: async id => {
      const {
        id: _found,
        names: _named,
        ...call
      } = await validCalls[id](gateway.fixtures, gateway.fixtures.ada.test)
      return call
    },
  }

/** Why a documented error can't be triggered here. */
function unreachable(id: CallableId, code: ProblemCode, row: CredentialOperation): boolean {
  if (Object.hasOwn(ownRefusals.unreachable, `${id} ${code}`)) return true
  // In sandbox operations, a live key is refused for its mode before its agreement is checked.
  if (code === 'baa_required') return row.mode === 'test'
  // All other operations exist in both modes. The code is reserved for future checks.
  return code === 'forbidden' && row.mode === 'both'
}

for (const id of callableIds) {
  describe(id, () => {
    for (const [documented, example] of refusalsOf(id)) {
      const code = documented as ProblemCode
      if (unreachable(id, code, callable[id])) continue
      test(code, async () => {
        const own = ownRefusals.validCalls[`${id} ${code}`]
        const sent = own ? await own(gateway.fixtures) : await (common[code] ?? missing)(id)
        const answer = await refusalOf(id, code, sent)
        const body = (await asDocumented(id, answer)) as Record<string, unknown>
        expect(body).toMatchObject({
          code,
          title: example['title'],
          status: example['status'],
        })
        expect(typeof body['hint']).toBe('string')
        // The response has every field in the example, with the same shape.
        for (const [name, value] of Object.entries(example)) {
          expect([name, shapeOf(body[name])]).toEqual([name, shapeOf(value)])
        }
        const words = details.get(code) ?? new Set()
        details.set(code, words.add(wordsOf(body['detail'])))
      })
    }
  })
}

/** The details returned for each code: numbers, scopes and states vary by request. */
const details = new Map<ProblemCode, Set<string>>()
const wordsOf = (detail: unknown) =>
  String(detail).replaceAll(/\d+|[a-z]+:[a-z]+|(?<=The status of this \w+ is ).*/g, '…')

test('examples: each documented error has a detail that a request received', () => {
  expect(details.size).toBeGreaterThan(20)
  const invented = [...details].filter(([code, all]) => !all.has(wordsOf(refusals[code].detail)))
  expect(invented.map(([code, all]) => `${code}: ${[...all].slice(0, 3).join(' | ')}`)).toEqual([])
})

const shapeOf = (value: unknown): unknown =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
    ? Object.keys(value).toSorted()
    : [typeof value, Array.isArray(value)]

const missing = (id: CallableId): never => {
  throw new Error(
    `sweeps/testing/refusal-calls.ts has no request that makes ${id} refuse with this code`,
  )
}

/** Sends the request in the circumstances that trigger its error. */
async function refusalOf(id: CallableId, code: ProblemCode, sent: ExampleCall): Promise<Response> {
  switch (code) {
    case 'rate_limited':
      // Uses up the minute's only request, in case the last minute has passed.
      await narrow.call('/v1/organization')
      return send(narrow, id, sent)
    case 'internal_error':
      return whileBroken(new TypeError('broken on purpose'), () => send(gateway, id, sent))
    case 'service_unavailable':
      return whileBroken(new PoolTimeout('nothing was free'), () => send(gateway, id, sent))
    case 'idempotency_in_progress':
      return whileHeld(sent.key ?? '', () => send(gateway, id, sent))
    default:
      return send(gateway, id, sent)
  }
}

async function whileBroken<T>(failure: unknown, work: () => Promise<T>): Promise<T> {
  gateway.breaks(failure)
  return work().finally(() => gateway.breaks(undefined))
}

/** Does the work while another connection holds the key's lock, like a concurrent request. */
async function whileHeld<T>(key: string, work: () => Promise<T>): Promise<T> {
  const { integration } = gateway.fixtures.ada
  return gateway.fixtures.owner.use(async connection => {
    const lock = (verb: 'pg_advisory_lock' | 'pg_advisory_unlock') => sql`
      select ${verb === 'pg_advisory_lock' ? sql`pg_advisory_lock` : sql`pg_advisory_unlock`}(
               hashtextextended(${key}, id))
        from test.tenants 
         where integration = ${integration} and organization is not null and retired_at is null`
    await connection.run(lock('pg_advisory_lock'))
    return work().finally(() => connection.run(lock('pg_advisory_unlock')))
  })
}
