// The authorization server as its callers find it: its paths, and the ways to a token.

export const oauthPaths = {
  metadata: '/.well-known/oauth-authorization-server',
  authorization: '/api/auth/oauth2/authorize',
  token: '/api/auth/oauth2/token',
  registration: '/api/auth/oauth2/register',
  revocation: '/api/auth/oauth2/revoke',
  introspection: '/api/auth/oauth2/introspect',
  deviceAuthorization: '/api/auth/device/code',
  keyReport: '/api/auth/keys/report',
  /** A page: the person types or confirms the code of a device. */
  device: '/device',
} as const

/** Of a resource: the document that a 401 names (RFC 9728). */
export const resourceMetadataPath = '/.well-known/oauth-protected-resource'

export const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code'

export const grantTypes = [
  'client_credentials',
  'authorization_code',
  'refresh_token',
  deviceGrant,
] as const
