// The clinical API and its preview for people's sessions, and reads that only pages use. Operations
// have the same handlers and gate as over HTTP. The caller is an integration's member, with the
// scopes of the member's role.
import { operations } from '#contract/api.ts'
import type { Mode } from '#contract/operation.ts'
import { type SessionOperationId, sessionOperations } from '#contract/portal/reads.ts'
import { listInvoices } from '../billing/list.ts'
import { getInvoice } from '../billing/retrieve.ts'
import { handlers } from '../handlers.ts'
import { integrationSessions, personSessions } from '../pipeline/authentication.ts'
import { authorize, authorizeForIntegration } from '../pipeline/authorize.ts'
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

/** Invoices belong to the integration and may include several clinics' charges, so members can read
 *  them even after every clinic has revoked its access. */
const ofIntegration = {
  listInvoices: operations.listInvoices,
  getInvoice: operations.getInvoice,
}

const isOfIntegration = (id: SessionOperationId): id is keyof typeof ofIntegration =>
  Object.hasOwn(ofIntegration, id)

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
  const integrationSurface = defineSurface({
    name: 'portal',
    authentication: integrationSessions,
    challenge,
    operations: ofIntegration,
    handlers: { listInvoices, getInvoice },
    gate: (operation, found) => authorizeForIntegration(operation, found, challenge),
  })
  return ({ operation, ...call }) => {
    const requested = {
      ...call,
      path: sessionOperations[operation].path.replaceAll(
        /\{(\w+)\}/g,
        (_, name: string) => call.names[name] ?? '',
      ),
      version: null,
      refusedBody: null,
    }
    return isOfIntegration(operation)
      ? perform(context, integrationSurface, { ...requested, operation })
      : perform(context, surface, { ...requested, operation })
  }
}
