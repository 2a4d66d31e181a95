// OAuth for this program: discovery through the API, one client registration per server, the device
// grant, refresh and revocation. `oauth4webapi` validates every response. Servers must identify
// themselves and the API, and requests use TLS except on this machine.

import * as oauth from 'oauth4webapi'
import { isLoopback } from '../../../typescript/src/runtime.ts'
import { CommandError, notTheApi } from '../errors.ts'
import type { TokenCredential } from './credential.ts'

const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code'

export type AuthorizationServer = {
  readonly issuer: string
  readonly resource: string
  readonly registrationEndpoint: string
  readonly deviceEndpoint: string
  readonly tokenEndpoint: string
  readonly revocationEndpoint: string
}

export type Fetch = (url: string, init?: RequestInit) => Promise<Response>

/** Checks a URL that will receive a credential or open in a browser. */
function secureUrl(value: unknown, name: string): string {
  const url = typeof value === 'string' ? URL.parse(value) : null
  if (url === null) throw distrusted(`has no ${name}`)
  if (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname))) {
    return String(value)
  }
  throw distrusted(`has an insecure ${name}: ${String(value)}`)
}

const distrusted = (fault: string) =>
  new CommandError(
    'unavailable',
    `the authorization server ${fault}`,
    'Check --base-url, or run `svc config get base_url`.',
  )

/** Options for a request to a URL that has already been checked. */
const by = (fetch: Fetch) => ({
  [oauth.customFetch]: (url: string, init: object) => fetch(url, init),
  [oauth.allowInsecureRequests]: true,
})

type OAuthFailure = { readonly error: string; readonly description: string | undefined }

/** Reads the server's grant or refusal. Throws if the response is neither. */
async function answerTo<T>(
  sent: Promise<Response>,
  read: (response: Response) => Promise<T>,
): Promise<T | OAuthFailure> {
  const response = await sent
  try {
    return await read(response)
  } catch (fault) {
    if (fault instanceof oauth.ResponseBodyError) {
      const { error, error_description: description } = fault
      // A rate limit doesn't mean that the login expired.
      if (response.status === 429) throw new CommandError('rateLimited', description ?? error)
      return { error, description }
    }
    if (response.status === 401) return { error: 'invalid_client', description: undefined }
    throw notTheApi(response.status, response.url)
  }
}

const isRefused = (answer: object): answer is OAuthFailure => 'error' in answer

const refusal = ({ description }: OAuthFailure, fallback: string) =>
  new CommandError('refused', description ?? fallback)

/** Finds the API's authorization server (RFC 9728) and that server's endpoints (RFC 8414). */
export async function discover(fetch: Fetch, baseUrl: string): Promise<AuthorizationServer> {
  const api = new URL(baseUrl)
  const found = await oauth.resourceDiscoveryRequest(api, by(fetch))
  if (!found.ok) throw notTheApi(found.status, baseUrl)
  const { resource, authorization_servers: [named] = [] } = await oauth
    .processResourceDiscoveryResponse(api, found)
    .catch(() => {
      throw distrusted("can't be found: the API's metadata names another API")
    })
  const issuer = secureUrl(named, 'issuer')
  const url = new URL(issuer)
  const described = await oauth.discoveryRequest(url, { algorithm: 'oauth2', ...by(fetch) })
  if (!described.ok) throw notTheApi(described.status, issuer)
  const metadata = await oauth.processDiscoveryResponse(url, described).catch(() => {
    throw distrusted(`at ${issuer} identifies itself as another server`)
  })
  const endpoint = (name: string) => secureUrl(metadata[name], name)
  return {
    issuer,
    resource,
    registrationEndpoint: endpoint('registration_endpoint'),
    deviceEndpoint: endpoint('device_authorization_endpoint'),
    tokenEndpoint: endpoint('token_endpoint'),
    revocationEndpoint: endpoint('revocation_endpoint'),
  }
}

const libraryServer = (server: AuthorizationServer): oauth.AuthorizationServer => ({
  issuer: server.issuer,
  registration_endpoint: server.registrationEndpoint,
  device_authorization_endpoint: server.deviceEndpoint,
  token_endpoint: server.tokenEndpoint,
})

export async function register(
  fetch: Fetch,
  server: AuthorizationServer,
  version: string,
): Promise<string> {
  const client = {
    client_name: 'svc',
    grant_types: [deviceGrant, 'refresh_token'],
    response_types: [],
    token_endpoint_auth_method: 'none',
    software_id: 'svc-cli',
    software_version: version,
  }
  const sent = oauth.dynamicClientRegistrationRequest(libraryServer(server), client, by(fetch))
  const answer = await answerTo(sent, oauth.processDynamicClientRegistrationResponse)
  if (isRefused(answer)) throw refusal(answer, "couldn't register this program")
  return answer.client_id
}

export type DeviceCode = {
  readonly deviceCode: string
  readonly userCode: string
  readonly page: string
  readonly pageWithCode: string
  readonly intervalSeconds: number
  readonly expiresInSeconds: number
}

/** Starts a device login. Returns `unknownClient` if the server no longer has the client. */
export async function beginDevice(
  fetch: Fetch,
  server: AuthorizationServer,
  client: string,
  scopes: readonly string[],
): Promise<DeviceCode | 'unknownClient'> {
  const [as, ours] = [libraryServer(server), { client_id: client }]
  const asked = { scope: scopes.join(' '), resource: server.resource }
  const answer = await answerTo(
    oauth.deviceAuthorizationRequest(as, ours, oauth.None(), asked, by(fetch)),
    response => oauth.processDeviceAuthorizationResponse(as, ours, response),
  )
  if (isRefused(answer)) {
    if (answer.error === 'invalid_client') return 'unknownClient'
    throw refusal(answer, "couldn't start the login")
  }
  return {
    deviceCode: answer.device_code,
    userCode: answer.user_code,
    page: secureUrl(answer.verification_uri, 'verification_uri'),
    pageWithCode: secureUrl(answer.verification_uri_complete, 'verification_uri_complete'),
    intervalSeconds: answer.interval ?? 5,
    expiresInSeconds: answer.expires_in,
  }
}

type Issued = Pick<TokenCredential, 'accessToken' | 'refreshToken' | 'expiresAt' | 'scopes'>

function issued(answer: oauth.TokenEndpointResponse, now: number): Issued {
  const { access_token, refresh_token, expires_in = 3600, scope = '' } = answer
  if (refresh_token === undefined) throw distrusted('sent no refresh_token')
  return {
    accessToken: access_token,
    refreshToken: refresh_token,
    expiresAt: now + expires_in * 1000,
    scopes: scope.split(' '),
  }
}

/** Checks once whether the code was approved. */
export async function pollDevice(
  fetch: Fetch,
  server: AuthorizationServer,
  client: string,
  { deviceCode }: DeviceCode,
  now: number,
): Promise<TokenCredential | 'pending' | 'slowDown'> {
  const [as, ours] = [libraryServer(server), { client_id: client }]
  const answer = await answerTo(
    oauth.deviceCodeGrantRequest(as, ours, oauth.None(), deviceCode, by(fetch)),
    response => oauth.processDeviceCodeResponse(as, ours, response),
  )
  if (!isRefused(answer)) {
    const { tokenEndpoint, revocationEndpoint, resource } = server
    const known = { client, tokenEndpoint, revocationEndpoint, resource }
    return { kind: 'token', ...known, ...issued(answer, now) }
  }
  if (answer.error === 'authorization_pending') return 'pending'
  if (answer.error === 'slow_down') return 'slowDown'
  if (answer.error === 'access_denied') {
    throw new CommandError('notPermitted', 'the request was denied in the browser')
  }
  if (answer.error === 'expired_token') {
    throw new CommandError(
      'notLoggedIn',
      'the code expired before it was approved',
      'Run `svc login` again.',
    )
  }
  throw refusal(answer, 'login failed')
}

/** A stored login's server. */
const serverOf = ({ tokenEndpoint, revocationEndpoint }: TokenCredential) => ({
  issuer: new URL(tokenEndpoint).origin,
  token_endpoint: secureUrl(tokenEndpoint, 'token_endpoint'),
  revocation_endpoint: secureUrl(revocationEndpoint, 'revocation_endpoint'),
})

/** Returns the new tokens; undefined if the login has ended. */
export async function refresh(
  fetch: Fetch,
  old: TokenCredential,
  now: number,
): Promise<TokenCredential | undefined> {
  const [as, ours] = [serverOf(old), { client_id: old.client }]
  const options = { ...by(fetch), additionalParameters: { resource: old.resource } }
  const answer = await answerTo(
    oauth.refreshTokenGrantRequest(as, ours, oauth.None(), old.refreshToken, options),
    response => oauth.processRefreshTokenResponse(as, ours, response),
  )
  return isRefused(answer) ? undefined : { ...old, ...issued(answer, now) }
}

/** Revokes the refresh token, and with it every token of the login. */
export async function revoke(fetch: Fetch, credential: TokenCredential): Promise<void> {
  const ours = { client_id: credential.client }
  const options = { ...by(fetch), additionalParameters: { token_type_hint: 'refresh_token' } }
  const answer = await answerTo(
    oauth.revocationRequest(
      serverOf(credential),
      ours,
      oauth.None(),
      credential.refreshToken,
      options,
    ),
    async response => (await oauth.processRevocationResponse(response), {}),
  )
  if (isRefused(answer)) throw notTheApi(400, credential.revocationEndpoint)
}
