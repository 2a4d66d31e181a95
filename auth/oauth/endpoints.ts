// The authorization server's endpoints, and the documents that describe the server and its
// resources (RFC 8414, RFC 9728).

import { grantTypes, oauthPaths as paths, resourceMetadataPath } from '#contract/oauth.ts'
import { allScopes, type Audience, type Scope } from '#contract/scopes.ts'

/** The method for each path; all other paths belong to the pages. */
export const methods: ReadonlyMap<string, string> = new Map<string, string>([
  [paths.metadata, 'GET'],
  [paths.authorization, 'GET'],
  [paths.token, 'POST'],
  [paths.registration, 'POST'],
  [paths.revocation, 'POST'],
  [paths.introspection, 'POST'],
  [paths.deviceAuthorization, 'POST'],
  [paths.keyReport, 'POST'],
])

const isResume = (path: string) =>
  path.startsWith(`${paths.authorization}/`) &&
  /^[\w-]+$/.test(path.slice(paths.authorization.length + 1))

export const methodOf = (path: string): string | undefined =>
  methods.get(path) ?? (isResume(path) ? 'GET' : undefined)

/** The same settings always produce the same bytes. */
export const serverMetadata = (issuer: string, documentation: string): string =>
  JSON.stringify({
    issuer,
    authorization_endpoint: `${issuer}${paths.authorization}`,
    token_endpoint: `${issuer}${paths.token}`,
    registration_endpoint: `${issuer}${paths.registration}`,
    revocation_endpoint: `${issuer}${paths.revocation}`,
    introspection_endpoint: `${issuer}${paths.introspection}`,
    device_authorization_endpoint: `${issuer}${paths.deviceAuthorization}`,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: grantTypes,
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
    revocation_endpoint_auth_methods_supported: [
      'client_secret_basic',
      'client_secret_post',
      'none',
    ],
    introspection_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
    scopes_supported: allScopes,
    service_documentation: documentation,
  })

const resourceNames: Readonly<Record<Audience, string>> = {
  api: 'Clinical Integrations API',
  mcp: 'Clinical Integrations tool server',
}

type Described = {
  readonly issuer: string
  readonly documentation: string
  /** The scopes usable at the resource. A client may request all of them. */
  readonly scopes: readonly Scope[]
}

/** `resource` is exactly the URL that clients connect to. */
export const resourceMetadata = (
  audience: Audience,
  resource: string,
  { issuer, documentation, scopes }: Described,
): string =>
  JSON.stringify({
    resource,
    authorization_servers: [issuer],
    bearer_methods_supported: ['header'],
    scopes_supported: scopes,
    resource_name: resourceNames[audience],
    resource_documentation: documentation,
  })

/** The paths of a resource's document: the well-known path alone and, if the resource's URL has a
 *  path, followed by that path. */
export function resourceMetadataPaths(resource: string): string[] {
  const { pathname } = new URL(resource)
  const root = resourceMetadataPath
  return pathname === '/' ? [root] : [root, `${root}${pathname.replace(/\/$/, '')}`]
}
