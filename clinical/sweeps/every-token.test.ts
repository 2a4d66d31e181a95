// A call with an access token equals the call with a key. Every operation has the same response
// except for IDs and times, the same round trips and statements, whether or not the credential is
// cached, and the same audit row except for the caller.

import { afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { createCredentialCache } from '#auth/principal.ts'
import { issueToken } from '#auth/testing/tokens.ts'
import { type CallableId, callableIds, callable } from '#contract/callable.ts'
import { isWrite } from '#contract/operation.ts'
import { now } from '#database/clock.ts'
import type { ConnectionPool, Row } from '#database/pool.ts'
import { sql } from '#database/sql.ts'
import { queryAsOwner } from '../testing/assertions.ts'
import { type CallOptions, invoke } from '../testing/call.ts'
import { type Fixtures, useFixtures } from '../testing/fixtures.ts'
import { validCalls } from '../testing/valid-calls.ts'

const fixtures = useFixtures()
const kinds = ['client', 'agent', 'device'] as const
type Kind = 'key' | (typeof kinds)[number]

type Caller = { as: string; actor: string; person: string | null; client: string | null }
const callers = new Map<Kind, Caller>()
beforeAll(async () => {
  const { integration, test: as, testKey: actor } = fixtures.ada
  callers.set('key', { as, actor, person: null, client: null })
  for (const kind of kinds) {
    const { token, id, person, client } = await fixtures.owner.use(connection =>
      issueToken(connection, fixtures.context.pepper, { integration, kind }),
    )
    callers.set(kind, { as: token, actor: id, person, client })
  }
  // A credential's use is recorded once a minute, by any call.
  await queryAsOwner(
    fixtures,
    sql`update auth.credentials set last_used_at = now() + interval '1 hour'`,
  )
})
afterEach(() => expect(fixtures.errors.splice(0)).toEqual([]))

type Cost = { roundTrips: number; statements: string[] }

/** The guard's additional check for a token, in the same statement as a key's checks. */
const ofTokens = /and exists \(select from auth\.token_families f where [^)]*\)\)\)/g

const plain = (statement: string) =>
  statement.replaceAll(/\s+/g, ' ').replaceAll(/\$\d+/g, '$').replaceAll(ofTokens, '').trim()

/** Returns the same fixtures, with a context that records each statement. */
function recordingFixtures(statements: string[], cached: boolean): Fixtures {
  const recording = (pool: ConnectionPool): ConnectionPool => ({
    ...pool,
    use: (work, tenant) =>
      pool.use(
        connection =>
          work({
            get tenant() {
              return connection.tenant
            },
            set tenant(value) {
              connection.tenant = value
            },
            run<R extends Row>(statement: Parameters<typeof connection.run>[0]) {
              statements.push(plain(statement.text))
              return connection.run<R>(statement)
            },
          }),
        tenant,
      ),
  })
  const { pools, credentialCache } = fixtures.context
  const context = {
    ...fixtures.context,
    pools: { test: recording(pools.test), live: recording(pools.live) },
    credentialCache: cached ? credentialCache : createCredentialCache(),
  }
  return { ...fixtures, context }
}

/** Makes one call; returns its response, its cost and its audit row. */
async function observed(operation: CallableId, kind: Kind, options: CallOptions, cached: boolean) {
  const { as, ...caller } = callers.get(kind) as Caller
  const { pools, auditWriter } = fixtures.context
  if (cached) await invoke(fixtures, 'getOrganization', { as })
  await auditWriter.flush()
  const statements: string[] = []
  const before = pools.test.roundTrips()
  const call = { ...options, as, request: `req_of_${operation}_${kind}_${cached}` }
  const { status, text, headers, code } = await invoke(
    recordingFixtures(statements, cached),
    operation,
    call,
  )
  const cost: Cost = { roundTrips: pools.test.roundTrips() - before, statements }
  await auditWriter.flush()
  const rows = await queryAsOwner<Row & { actor: string; person: string; client: string }>(
    fixtures,
    sql`select mode, integration, organization, actor, person, client, surface, action, target,
               outcome, status, code, address, agent
          from audit.entries where request = ${call.request}`,
  )
  expect(rows).toHaveLength(1)
  expect(rows[0]).toMatchObject(caller)
  const audit = rows.map(({ actor: _a, person: _p, client: _c, ...row }) => row)
  return { answer: { status, text, headers, code }, cost, audit }
}

/** Removes the values that differ in each write: IDs, times and tokens. Also removes the state of a
 *  visit's patient, because fixtures use the next state each time. */
const withoutNew = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value)
      .replaceAll(/[a-z]+_[0-9a-hjkmnp-tv-z]{26}/g, '<id>')
      .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, '<time>')
      .replaceAll(/whsec_[\w+/=]+|eyJ[\w-]+\.[\w-]+\.[\w-]+|(?<=\/uploads\/)[\w-]+/g, '<token>')
      .replaceAll(/(?<=state\\":\\")[A-Z]{2}|(?<=time_zone\\":\\")[\w/]+/g, '<place>'),
  )

async function prepared(operation: CallableId): Promise<CallOptions> {
  // Resets the sandbox first, so each measured reset finds the same rows.
  if (operation === 'resetSandbox') await invoke(fixtures, operation)
  return validCalls[operation](fixtures, fixtures.ada.test)
}

describe.each([true, false])('cached: %p', cached => {
  for (const operation of callableIds) {
    const isSame = isWrite(callable[operation]) ? 'the same but for ids and times' : 'byte for byte'
    test(`${operation}: ${isSame}`, async () => {
      const once = isWrite(callable[operation])
        ? null
        : { at: now(), ...(await prepared(operation)) }
      const seen = new Map<Kind, Awaited<ReturnType<typeof observed>>>()
      for (const kind of callers.keys()) {
        seen.set(kind, await observed(operation, kind, once ?? (await prepared(operation)), cached))
      }
      const byKey = seen.get('key')
      expect(byKey?.answer.status).toBe(callable[operation].status)
      for (const [kind, byToken] of seen) {
        const same = once === null ? withoutNew : (value: unknown) => value
        expect([kind, same(byToken)]).toEqual([kind, same(byKey)])
      }
    })
  }
})
