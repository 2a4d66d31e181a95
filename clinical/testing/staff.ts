// Lets tests act as clinic staff: staff members with roles and licenses, their sessions, and
// console calls through the whole pipeline.

import { afterAll, beforeAll } from 'bun:test'
import { newId } from '#auth/ids.ts'
import { newRequestId } from '#http/http-request.ts'
import { hashToken } from '#auth/tokens.ts'
import { type ConsoleId, consoleOperations } from '#contract/console/operations.ts'
import type { StaffRole } from '#contract/console/row.ts'
import { isWrite } from '#contract/operation.ts'
import { problems } from '#contract/problems.ts'
import { type Connection, type ConnectionPool, keyed, openPool, type Row } from '#database/pool.ts'
import { sql, type Statement } from '#database/sql.ts'
import { openStaffCalls, type StaffCalls } from '../staff-calls.ts'
import { queryAsOwner } from './assertions.ts'
import { type CallResult } from './call.ts'
import type { Fixtures } from './fixtures.ts'

export type StaffMember = {
  person: string
  name: string
  organization: string
  /** The session cookie's value. */
  token: string
}

type StaffOptions = {
  organization?: string
  states?: readonly string[]
  /** Minutes since the second factor was verified; null means not in this session. */
  factorMinutes?: number | null
}

type StaffCallOptions = {
  as: StaffMember | string | null
  id?: string
  query?: Record<string, string>
  body?: object
  key?: string
  organization?: string
}

let made = 0

async function hire(
  fixtures: Fixtures,
  roles: readonly StaffRole[],
  { organization = fixtures.clinic, states = [], factorMinutes = 1 }: StaffOptions = {},
): Promise<StaffMember> {
  const [person, session, number] = [newId('person'), newId('token'), ++made]
  const token = `console session ${number} ${person}`
  const name = `${roles.join(' and ')} ${number}`
  for (const statement of [
    sql`insert into auth.persons (id, email, name)
        values (${person}, ${`staff${number}@example.com`}, 'A person')`,
    sql`insert into auth.staff (organization, person, name, roles)
        values (${organization}, ${person}, ${name}, ${roles}::text[])`,
    sql`insert into auth.licenses (organization, person, state, number, expires_on)
        select ${organization}, ${person}, state, '1', current_date
          from unnest(${states}::text[]) as s (state)`,
    sql`insert into auth.credentials (id, kind, origin, sign_in, name, scopes, hash, last4, person,
                                      expires_at, second_factor_at)
        values (${session}, 'session', 'console', ${session}, 'a session', '{}',
                ${hashToken(fixtures.context.pepper, token)}, 'last', ${person},
                now() + interval '1 hour', now() - ${factorMinutes}::int * interval '1 minute')`,
  ]) {
    await queryAsOwner(fixtures, statement)
  }
  return { person, name, organization, token }
}

async function invokeStaff(
  fixtures: Fixtures,
  calls: StaffCalls,
  operation: ConsoleId,
  options: StaffCallOptions,
): Promise<CallResult> {
  const { as } = options
  const isMember = typeof as === 'object' && as !== null
  const outcome = await calls({
    operation,
    id: options.id ?? null,
    query: new URLSearchParams(options.query ?? {}),
    body: options.body,
    idempotencyKey: isWrite(consoleOperations[operation])
      ? (options.key ?? `console-${++made}`)
      : null,
    token: (isMember ? as.token : as) ?? '',
    organization: options.organization ?? (isMember ? as.organization : fixtures.clinic),
    request: newRequestId(),
    address: '203.0.113.40',
    agent: 'a test',
  })
  if ('problem' in outcome) {
    const { problem } = outcome
    const { status } = problems[problem.code]
    return { status, text: '', headers: {}, problem, code: problem.code, body: problem.content }
  }
  const { status, headers, body, bytes } = outcome
  return {
    status,
    text: body,
    headers,
    problem: null,
    code: null,
    body: body === '' ? null : JSON.parse(body),
    bytes,
  }
}

/** Opens a console on the fixtures' database. `between` wraps its database connections. */
export function openTestConsole(
  fixtures: Fixtures,
  between: (pool: ConnectionPool) => ConnectionPool = pool => pool,
) {
  const pool = openConsolePool(fixtures)
  const calls = openStaffCalls(fixtures.context, between(pool))
  const call = (operation: ConsoleId, options: StaffCallOptions): Promise<CallResult> =>
    invokeStaff(fixtures, calls, operation, options)
  return {
    hire: (roles: readonly StaffRole[], options?: StaffOptions) => hire(fixtures, roles, options),
    call,
    async ok(operation: ConsoleId, options: StaffCallOptions) {
      const result = await call(operation, options)
      if (result.problem) throw new Error(`${operation}: ${JSON.stringify(result.problem)}`)
      return result.body
    },
    close: () => pool.close(),
  }
}

export type TestConsole = ReturnType<typeof openTestConsole>

/** Opens the console before a file's tests and closes it after. */
export function useConsole(
  fixtures: Fixtures,
  between?: (pool: ConnectionPool) => ConnectionPool,
): Omit<TestConsole, 'close'> {
  let opened: TestConsole | undefined
  beforeAll(() => {
    opened = openTestConsole(fixtures, between)
  })
  afterAll(() => opened?.close())
  const current = (): TestConsole => {
    if (!opened) throw new Error('the console opens in beforeAll; call it in a hook or a test')
    return opened
  }
  return {
    hire: (roles, options) => current().hire(roles, options),
    call: (operation, options) => current().call(operation, options),
    ok: (operation, options) => current().ok(operation, options),
  }
}

/** A pool that lets a test change statements or run others before them. */
export const intercepted = (
  pool: ConnectionPool,
  change: (statement: Statement) => Promise<Statement>,
): ConnectionPool => ({
  ...pool,
  use: (work, tenant) =>
    pool.use(connection => {
      const between: Connection = {
        run: async <R extends Row>(statement: Statement) =>
          connection.run<R>(await change(statement)),
        get tenant() {
          return connection.tenant
        },
        set tenant(opened) {
          connection.tenant = opened
        },
      }
      return work(between)
    }, tenant),
})

/** Opens a pool with the gateway's settings. */
export const openConsolePool = (fixtures: Fixtures): ConnectionPool =>
  openPool({
    url: fixtures.database.urls.console,
    size: 2,
    name: 'console',
    path: 'live, public',
    settings: keyed,
  })
