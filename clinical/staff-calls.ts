// A clinic's console over the pipeline. The console has its own table and gate for staff sessions,
// and runs under a database role limited to one organization (migrations/0016_console.sql).

import { type ConsoleId, consoleOperations } from '#contract/console/operations.ts'
import { isId, prefixes } from '#contract/ids.ts'
import { findStaff, guardStaff, presentStaff, type StaffCaller } from '#auth/staff-caller.ts'
import type { ConnectionPool } from '#database/pool.ts'
import type { Authentication } from './pipeline/authentication.ts'
import { type AppContext, perform } from './pipeline/perform.ts'
import type { Outcome } from './pipeline/requested-call.ts'
import { defineSurface } from './pipeline/surface.ts'
import { openPageCache } from './files/page-cache.ts'
import { withBytes } from './records/bytes.ts'
import { gateStaff } from './console/gate.ts'
import { consoleHandlers } from './console-handlers.ts'

type StaffCall = {
  readonly operation: ConsoleId
  /** The ID in the path; null for a list. */
  readonly id: string | null
  readonly query: URLSearchParams
  readonly body: unknown
  readonly idempotencyKey: string | null
  /** The session cookie's value. */
  readonly token: string
  readonly organization: string
  readonly request: string
  readonly address: string | null
  readonly agent: string | null
}

const staffSessions: Authentication<StaffCaller> = {
  present({ peppers }, { token, organization, names }) {
    if (token === null || organization === null) return null
    if (!isId(prefixes.organization, organization)) return null
    return presentStaff(peppers, { token, organization, resource: names['id'] ?? null })
  },
  find: findStaff,
  guard: guardStaff,
}

const surface = defineSurface({
  name: 'console',
  authentication: staffSessions,
  challenge: () => 'Cookie realm="console"',
  operations: consoleOperations,
  handlers: consoleHandlers,
  gate: gateStaff,
})

export type StaffCalls = (call: StaffCall) => Promise<Outcome>

/** `pool` belongs to the role app_console, with the live schema. */
export function openStaffCalls(context: AppContext, pool: ConnectionPool): StaffCalls {
  const own: AppContext = { ...context, pools: { ...context.pools, live: pool } }
  const pages = openPageCache()
  return async ({ id, ...call }) => {
    const outcome = await perform(own, surface, {
      ...call,
      names: id === null ? {} : { id },
      path: consoleOperations[call.operation].path.replace('{id}', id ?? ''),
      // Keeps the clinic's keys separate, so no clinic call matches an integration's key.
      idempotencyKey: call.idempotencyKey === null ? null : `console:${call.idempotencyKey}`,
      version: null,
      refusedBody: null,
    })
    const viewing = { pages, session: call.token }
    return withBytes(context.files, call.operation, outcome, viewing)
  }
}
