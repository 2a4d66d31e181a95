// The paths of the authorization server, and the documents that announce them (RFC 8414, RFC 9728).

import { allScopes, type Audience } from '#contract/scopes.ts'

export const paths = {
  metadata: '/.well-known/oauth-authorization-server',
  authorization: '/api/auth/oauth2/authorize',
  token: '/api/auth/oauth2/token',
  registration: '/api/auth/oauth2/register',
  revocation: '/api/auth/oauth2/revoke',
  introspection: '/api/auth/oauth2/introspect',
  deviceAuthorization: '/api/auth/device/code',
  /** A page: the person types or confirms the code of a device. */
  device: '/device',
} as const

export const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code'

export const grantTypes = [
  'client_credentials',
  'authorization_code',
  'refresh_token',
  deviceGrant,
] as const

/** The same bytes for the same settings. */
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
    client_id_metadata_document_supported: false,
    scopes_supported: allScopes,
    service_documentation: documentation,
  })

const resourceNames: Readonly<Record<Audience, string>> = {
  api: 'Clinical Integrations API',
  mcp: 'Clinical Integrations tool server',
}

/** `resource` is byte for byte the URL that clients connect to. Without an issuer no authorization
 *  server is named. */
export const resourceMetadata = (
  audience: Audience,
  resource: string,
  { issuer, documentation }: { issuer: string | undefined; documentation: string },
): string =>
  JSON.stringify({
    resource,
    ...(issuer !== undefined && { authorization_servers: [issuer] }),
    bearer_methods_supported: ['header'],
    scopes_supported: allScopes,
    resource_name: resourceNames[audience],
    resource_documentation: documentation,
  })

/** The well-known path of a resource (RFC 9728, 3.1). */
export const resourcePath = '/.well-known/oauth-protected-resource'

/** Where the document of a resource is found: its well-known path, before the resource's own. */
export function resourceMetadataPaths(resource: string): string[] {
  const { pathname } = new URL(resource)
  return pathname === '/'
    ? [resourcePath]
    : [resourcePath, `${resourcePath}${pathname.replace(/\/$/, '')}`]
}
