// The tool server as surfaces: the operations that are tools, with REST's handlers and gate, and a
// client's other requests to the tool server, which need no organization.

import { operations } from '#contract/api.ts'
import { resourceMetadataPath } from '#contract/oauth.ts'
import { Problem } from '#contract/problems.ts'
import type { CredentialOperation } from '#contract/operation.ts'
import { allScopes, intersect, type Scope } from '#contract/scopes.ts'
import { type ToolServerOperation, toolServerOperations } from '#contract/tools/server.ts'
import { toolScopes } from '#contract/tools/listing.ts'
import type { ToolId } from '#contract/tools/prose.ts'
import { clinicalTools } from '#contract/tools/tools.ts'
import type { CachedCredential } from '#auth/principal.ts'
import { guardConnection } from '#auth/guard.ts'
import { sql } from '#database/sql.ts'
import { handlers } from '../handlers.ts'
import { type Authentication, bearerTokens } from '../pipeline/authentication.ts'
import { authorize, type ChallengedScopes } from '../pipeline/authorize.ts'
import { type AnyPrincipal, handlersOf } from '../pipeline/handler.ts'
import { defineSurface, type Surface } from '../pipeline/surface.ts'

type ToolOperations = Pick<typeof operations, ToolId>

const toolOperations = Object.fromEntries(
  clinicalTools.map(({ operationId }) => [operationId, operations[operationId]]),
) as ToolOperations

/** A challenge says how to get a credential and which scopes to request: the scopes of all tools
 *  or, if a scope is missing, the scopes from `heldAndMissing`. */
const challengeOf = (metadata: string) => (parameters: string) =>
  parameters === ''
    ? `Bearer resource_metadata="${metadata}", scope="${toolScopes.join(' ')}"`
    : `Bearer${parameters.slice(1)}, resource_metadata="${metadata}"`

/** A client replaces its token with a new token for the challenge's scopes, so the challenge lists
 *  the scopes the client already has in addition to the missing scope. */
const heldAndMissing: ChallengedScopes = (missing, { scopes }) =>
  allScopes.filter(scope => scope === missing || scopes.includes(scope))

/** Returns the resource metadata URL of the tool server at `url`. */
const metadataOf = (url: string): string => {
  const { origin, pathname } = new URL(url)
  return `${origin}${resourceMetadataPath}${pathname === '/' ? '' : pathname}`
}

export function toolSurface(url: string): Surface<ToolId> {
  const challenge = challengeOf(metadataOf(url))
  return defineSurface({
    name: 'mcp',
    authentication: bearerTokens('mcp'),
    challenge,
    operations: toolOperations,
    handlers,
    gate: (operation: CredentialOperation, { credential }, organization) =>
      authorize(operation, credential, organization, challenge, heldAndMissing),
  })
}

/** A tool server client, for the organization it names or for all that granted it access. */
type ToolClient = AnyPrincipal & { readonly scopes: readonly Scope[] }

/** Admits any valid credential, even if no organization has granted it access. */
function admit({ credential, tenant }: CachedCredential, organization: string | null): ToolClient {
  const { id, integration, mode, client, person, organizations } = credential
  const found = organizations.filter(each => organization === null || each.id === organization)
  const [only, ...others] = found
  if (organization !== null && only === undefined) {
    throw new Problem('organization_not_granted', {
      detail: 'The organization in Service-Organization has not granted this integration access.',
    })
  }
  const granted = new Set(found.flatMap(({ scopes }) => intersect(credential.scopes, scopes)))
  return {
    credential: id,
    integration,
    mode,
    client,
    person,
    tenant,
    organization: only !== undefined && others.length === 0 ? { id: only.id } : null,
    scopes: allScopes.filter(scope => granted.has(scope)),
  }
}

/** A credential without a tenant is looked up on every call, so its statements need no guard. */
const lookedUp: Authentication['guard'] = (connection, cached) =>
  cached.tenant === ''
    ? {
        isVerified: true,
        guard: sql`select false as stale`,
        async query(statement) {
          const [first, ...others] = await connection.run(statement)
          if (!first) throw new Error("the tool server's statement returned no row")
          return [first, ...others] as never
        },
      }
    : guardConnection(connection, cached)

const { read } = handlersOf<typeof toolServerOperations, ToolClient>()

const answered = (item: string) => ({ items: [{ id: '', item }] })

/** The client's permissions, which decide the tools it sees. */
const listTools = read('listTools', ({ principal: { mode, scopes } }) =>
  answered(JSON.stringify({ mode, scopes })),
)
/** The adapter responds; the pipeline authenticates, counts and audits. */
const nothing = (id: Exclude<ToolServerOperation, 'listTools'>) => read(id, () => answered('null'))

export function toolServerSurface(url: string): Surface<ToolServerOperation> {
  return defineSurface({
    name: 'mcp',
    authentication: { ...bearerTokens('mcp'), guard: lookedUp },
    challenge: challengeOf(metadataOf(url)),
    operations: toolServerOperations,
    handlers: {
      listTools,
      connectToolServer: nothing('connectToolServer'),
      pingToolServer: nothing('pingToolServer'),
      searchDocs: nothing('searchDocs'),
      listResources: nothing('listResources'),
      readResource: nothing('readResource'),
    },
    gate: (_operation, found, organization) => admit(found, organization),
  })
}
