// Performs a portal read in the session of an integration's new owner.

import type { SessionOperationId } from '#contract/portal/reads.ts'
import { newSession } from '#auth/accounts/sessions.ts'
import { newId } from '#auth/ids.ts'
import { sql } from '#database/sql.ts'
import type { portalHandlers } from '../../../portal-handlers.ts'
import { openSessionCalls } from '../../../rest/session-calls.ts'
import { queryAsOwner } from '../../../testing/assertions.ts'
import type { Fixtures } from '../../../testing/fixtures.ts'

type ReadOptions = {
  id?: string
  integration?: string
  query?: Record<string, string>
  /** Replaces the portal's handlers. */
  reads?: typeof portalHandlers
}

/** Returns the response, or the refusal's code. */
export async function ask(
  fixtures: Fixtures,
  operation: SessionOperationId,
  asked: ReadOptions = {},
) {
  const { integration = fixtures.ada.integration } = asked
  const person = newId('person')
  const { id, token, hash, pepper, last4 } = newSession({ peppers: fixtures.context.peppers })
  await queryAsOwner(
    fixtures,
    sql`insert into auth.persons (id, email, name) values (${person}, ${`${person}@example.com`}, 'Ada')`,
  )
  await queryAsOwner(
    fixtures,
    sql`insert into auth.members (integration, person, role) values (${integration}, ${person}, 'owner')`,
  )
  await queryAsOwner(
    fixtures,
    sql`insert into auth.credentials (id, kind, origin, sign_in, person, name, scopes, hash, pepper,
                                      last4, expires_at)
        values (${id}, 'session', 'portal', ${id}, ${person}, 'Session', '{}', ${hash}, ${pepper},
                ${last4}, now() + interval '1 hour')`,
  )
  const outcome = await openSessionCalls(
    fixtures.context,
    asked.reads,
  )({
    operation,
    names: asked.id === undefined ? {} : { id: asked.id },
    query: new URLSearchParams(asked.query),
    body: undefined,
    idempotencyKey: null,
    token,
    acting: { integration, mode: 'test' },
    organization: null,
    request: newId('request'),
    address: '203.0.113.9',
    agent: null,
  })
  return 'problem' in outcome ? outcome.problem.code : JSON.parse(outcome.body)
}
