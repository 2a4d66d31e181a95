// The authorization server as this program needs it: found through the API, a client registered
// once for each server, the device grant, refreshing and revoking.

import { CommandError, notTheApi } from '../errors.ts'
import type { TokenCredential } from './credential.ts'

const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code'

type Json = Readonly<Record<string, unknown>>

export type AuthorizationServer = {
  readonly resource: string
  readonly registrationEndpoint: string
  readonly deviceEndpoint: string
  readonly tokenEndpoint: string
  readonly revocationEndpoint: string
}

export type Fetch = (url: string, init?: RequestInit) => Promise<Response>

async function jsonOf(response: Response): Promise<Json> {
  const text = await response.text()
  try {
    return JSON.parse(text) as Json
  } catch {
    throw notTheApi(response.status, response.url)
  }
}

async function read(fetch: Fetch, url: string): Promise<Json> {
  const response = await fetch(url)
  if (!response.ok) throw notTheApi(response.status, url)
  return jsonOf(response)
}

const textOf = (json: Json, name: string): string => {
  const value = json[name]
  if (typeof value === 'string') return value
  throw new CommandError('unavailable', `the authorization server names no ${name}`)
}

/** The API names its authorization server (RFC 9728), which names its endpoints (RFC 8414). */
export async function discover(fetch: Fetch, baseUrl: string): Promise<AuthorizationServer> {
  const resource = await read(fetch, `${baseUrl}/.well-known/oauth-protected-resource`)
  const servers = resource['authorization_servers']
  const issuer: unknown = Array.isArray(servers) ? servers[0] : undefined
  if (typeof issuer !== 'string') throw notTheApi(200, baseUrl)
  const metadata = await read(fetch, `${issuer}/.well-known/oauth-authorization-server`)
  return {
    resource: textOf(resource, 'resource'),
    registrationEndpoint: textOf(metadata, 'registration_endpoint'),
    deviceEndpoint: textOf(metadata, 'device_authorization_endpoint'),
    tokenEndpoint: textOf(metadata, 'token_endpoint'),
    revocationEndpoint: textOf(metadata, 'revocation_endpoint'),
  }
}

const form = (values: Readonly<Record<string, string>>): RequestInit => ({
  method: 'POST',
  body: new URLSearchParams(values),
})

const refusal = (json: Json, fallback: string): string =>
  typeof json['error_description'] === 'string' ? json['error_description'] : fallback

export async function register(
  fetch: Fetch,
  server: AuthorizationServer,
  version: string,
): Promise<string> {
  const response = await fetch(server.registrationEndpoint, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      client_name: 'svc',
      grant_types: [deviceGrant, 'refresh_token'],
      response_types: [],
      token_endpoint_auth_method: 'none',
      software_id: 'svc-cli',
      software_version: version,
    }),
  })
  const json = await jsonOf(response)
  if (response.ok) return textOf(json, 'client_id')
  throw new CommandError('refused', refusal(json, 'this program could not be registered'))
}

export type DeviceCode = {
  readonly deviceCode: string
  readonly userCode: string
  readonly page: string
  readonly pageWithCode: string
  readonly intervalSeconds: number
  readonly expiresInSeconds: number
}

/** `unknownClient`: the server no longer has the client; it registers again. */
export async function beginDevice(
  fetch: Fetch,
  server: AuthorizationServer,
  client: string,
  scopes: readonly string[],
): Promise<DeviceCode | 'unknownClient'> {
  const asked = { client_id: client, scope: scopes.join(' '), resource: server.resource }
  const response = await fetch(server.deviceEndpoint, form(asked))
  const json = await jsonOf(response)
  if (json['error'] === 'invalid_client') return 'unknownClient'
  if (!response.ok) throw new CommandError('refused', refusal(json, 'login could not begin'))
  return {
    deviceCode: textOf(json, 'device_code'),
    userCode: textOf(json, 'user_code'),
    page: textOf(json, 'verification_uri'),
    pageWithCode: textOf(json, 'verification_uri_complete'),
    intervalSeconds: Number(json['interval'] ?? 5),
    expiresInSeconds: Number(json['expires_in'] ?? 600),
  }
}

type Issued = Omit<TokenCredential, 'kind' | 'client' | 'tokenEndpoint' | 'revocationEndpoint'>

const issued = (json: Json, resource: string, now: number): Issued => ({
  accessToken: textOf(json, 'access_token'),
  refreshToken: textOf(json, 'refresh_token'),
  expiresAt: now + Number(json['expires_in'] ?? 3600) * 1000,
  scopes: String(json['scope'] ?? '').split(' '),
  resource,
})

/** One question whether the code was approved. */
export async function pollDevice(
  fetch: Fetch,
  server: AuthorizationServer,
  client: string,
  { deviceCode }: DeviceCode,
  now: number,
): Promise<TokenCredential | 'pending' | 'slowDown'> {
  const asked = { grant_type: deviceGrant, client_id: client, device_code: deviceCode }
  const response = await fetch(server.tokenEndpoint, form(asked))
  const json = await jsonOf(response)
  const { tokenEndpoint, revocationEndpoint, resource } = server
  if (response.ok) {
    return {
      kind: 'token',
      client,
      tokenEndpoint,
      revocationEndpoint,
      ...issued(json, resource, now),
    }
  }
  if (json['error'] === 'authorization_pending') return 'pending'
  if (json['error'] === 'slow_down') return 'slowDown'
  if (json['error'] === 'access_denied') {
    throw new CommandError('notPermitted', 'the request was denied in the browser')
  }
  if (json['error'] === 'expired_token') {
    throw new CommandError(
      'notLoggedIn',
      'the code expired before it was approved',
      'Run `svc login` again.',
    )
  }
  throw new CommandError('refused', refusal(json, 'login failed'))
}

/** Undefined: the login has ended, and only another one helps. */
export async function refresh(
  fetch: Fetch,
  old: TokenCredential,
  now: number,
): Promise<TokenCredential | undefined> {
  const response = await fetch(
    old.tokenEndpoint,
    form({
      grant_type: 'refresh_token',
      client_id: old.client,
      refresh_token: old.refreshToken,
      resource: old.resource,
    }),
  )
  if (response.status >= 500) throw notTheApi(response.status, old.tokenEndpoint)
  const json = await jsonOf(response)
  return response.ok ? { ...old, ...issued(json, old.resource, now) } : undefined
}

/** Ends the refresh token, and with it every token of the login. */
export async function revoke(fetch: Fetch, credential: TokenCredential): Promise<void> {
  const { client, refreshToken, revocationEndpoint } = credential
  const asked = { client_id: client, token: refreshToken, token_type_hint: 'refresh_token' }
  const response = await fetch(revocationEndpoint, form(asked))
  if (!response.ok) throw notTheApi(response.status, revocationEndpoint)
}
