// The authorization server's paths and grant types.

export const oauthPaths = {
  metadata: '/.well-known/oauth-authorization-server',
  authorization: '/api/auth/oauth2/authorize',
  token: '/api/auth/oauth2/token',
  registration: '/api/auth/oauth2/register',
  revocation: '/api/auth/oauth2/revoke',
  introspection: '/api/auth/oauth2/introspect',
  deviceAuthorization: '/api/auth/device/code',
  keyReport: '/api/auth/keys/report',
  /** The page where a person enters or confirms a device's code. */
  device: '/device',
} as const

/** The resource metadata document that a 401 points to (RFC 9728). */
export const resourceMetadataPath = '/.well-known/oauth-protected-resource'

export const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code'

export const grantTypes = [
  'client_credentials',
  'authorization_code',
  'refresh_token',
  deviceGrant,
] as const
