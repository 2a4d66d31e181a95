// The clinical API and its preview for people's sessions, and reads that only pages use. Operations
// have the same handlers and gate as over HTTP. The caller is an integration's member, with the
// scopes of the member's role.
import type { Mode } from '#contract/operation.ts'
import { type SessionOperationId, sessionOperations } from '#contract/portal/reads.ts'
import { handlers } from '../handlers.ts'
import { personSessions } from '../pipeline/authentication.ts'
import { authorize } from '../pipeline/authorize.ts'
import { type AppContext, perform } from '../pipeline/perform.ts'
import type { Outcome } from '../pipeline/requested-call.ts'
import { defineSurface } from '../pipeline/surface.ts'
import { portalHandlers } from '../portal-handlers.ts'
import { previewHandlers } from '../preview-handlers.ts'

type SessionCall = {
  readonly operation: SessionOperationId
  readonly names: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  readonly body: unknown
  readonly idempotencyKey: string | null
  /** The session cookie's value. */
  readonly token: string
  readonly acting: { readonly integration: string; readonly mode: Mode }
  /** Null means the only organization that granted access. */
  readonly organization: string | null
  readonly request: string
  readonly address: string | null
  readonly agent: string | null
}

/** Pages present a session in a cookie; there is no scheme to challenge with. */
const challenge = () => 'Cookie realm="portal"'

export type SessionCalls = (call: SessionCall) => Promise<Outcome>

export function openSessionCalls(context: AppContext, reads = portalHandlers): SessionCalls {
  const surface = defineSurface({
    name: 'portal',
    authentication: personSessions,
    challenge,
    operations: sessionOperations,
    handlers: { ...handlers, ...previewHandlers, ...reads },
    gate: (operation, { credential }, organization) =>
      authorize(operation, credential, organization, challenge),
  })
  return call =>
    perform(context, surface, {
      ...call,
      path: sessionOperations[call.operation].path.replaceAll(
        /\{(\w+)\}/g,
        (_, name: string) => call.names[name] ?? '',
      ),
      version: null,
      refusedBody: null,
    })
}
