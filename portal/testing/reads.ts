// Calls a read as a member in tests, the way a page does.
import type { Mode } from '#contract/operation.ts'
import { newId } from '#auth/ids.ts'
import type { SessionOperationId } from '#contract/portal/reads.ts'
import { openSessionCalls } from '#clinical/rest/session-calls.ts'
import type { TestPortal } from './portal.ts'

type ReadContext = {
  readonly token: string
  readonly integration?: string
  readonly mode?: Mode
  readonly names?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
}

export async function readAs(
  { fixtures }: TestPortal,
  operation: SessionOperationId,
  { token, integration = fixtures.ada.integration, mode = 'test', names = {}, query }: ReadContext,
) {
  const request = newId('request')
  const outcome = await openSessionCalls(fixtures.context)({
    operation,
    names,
    query: new URLSearchParams(query),
    body: undefined,
    idempotencyKey: null,
    token,
    acting: { integration, mode },
    organization: null,
    request,
    address: null,
    agent: null,
  })
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read bodies member by member
  if (!('problem' in outcome)) return { request, code: null, body: JSON.parse(outcome.body) as any }
  return { request, code: outcome.problem.code, body: null }
}
