// Third-party clients of the authorization server: an agent and a device that register themselves,
// with their own library (oauth4webapi).

import * as oauth from 'oauth4webapi'
import { allScopes } from '#contract/scopes.ts'

export const insecure = { [oauth.allowInsecureRequests]: true }

export type TestClient = {
  readonly id: string
  readonly server: oauth.AuthorizationServer
  readonly client: oauth.Client
}

const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code'

export async function discover(issuer: string): Promise<oauth.AuthorizationServer> {
  const url = new URL(issuer)
  const discovered = await oauth.discoveryRequest(url, { algorithm: 'oauth2', ...insecure })
  return oauth.processDiscoveryResponse(url, discovered)
}

export type Registration = { name?: string; redirectUri?: string }

export async function registerClient(
  issuer: string,
  { name = 'An agent', redirectUri = 'http://127.0.0.1:33418/callback' }: Registration = {},
): Promise<TestClient> {
  const server = await discover(issuer)
  const metadata = {
    client_name: name,
    redirect_uris: [redirectUri],
    grant_types: ['authorization_code', 'refresh_token', deviceGrant],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
    ...(/^https?:/.test(redirectUri) ? {} : { application_type: 'native' }),
  }
  const response = await oauth.dynamicClientRegistrationRequest(server, metadata, insecure)
  const client = await oauth.processDynamicClientRegistrationResponse(response)
  return { id: client.client_id, server, client }
}

export type Authorization = {
  /** The URL the agent opens in the browser. */
  readonly url: string
  /** Exchanges the code in the browser's callback location for tokens. */
  finish(location: string): Promise<oauth.TokenEndpointResponse>
}

export async function beginAuthorization(
  { server, client }: TestClient,
  {
    redirectUri = 'http://127.0.0.1:33418/callback',
    scopes = ['organization:read', 'patients:read'] as readonly string[],
  } = {},
): Promise<Authorization> {
  const verifier = oauth.generateRandomCodeVerifier()
  const state = oauth.generateRandomState()
  const url = new URL(server.authorization_endpoint ?? '')
  url.search = new URLSearchParams({
    response_type: 'code',
    client_id: client.client_id,
    redirect_uri: redirectUri,
    scope: scopes.join(' '),
    state,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  }).toString()
  return {
    url: url.href,
    async finish(location) {
      const params = oauth.validateAuthResponse(server, client, new URL(location), state)
      const response = await oauth.authorizationCodeGrantRequest(
        server,
        client,
        oauth.None(),
        params,
        redirectUri,
        verifier,
        insecure,
      )
      return oauth.processAuthorizationCodeResponse(server, client, response)
    },
  }
}

export type Device = {
  readonly userCode: string
  /** The page with the code in its URL. */
  readonly link: string
  /** Polls once; returns the tokens or the error. */
  poll(): Promise<{ access_token?: string; error?: string }>
}

export async function beginDevice(
  { server, client }: TestClient,
  {
    resource,
    scopes = ['organization:read', 'patients:read'],
    agent = 'svc/1.0 (a test)',
  }: { resource: string; scopes?: readonly string[]; agent?: string },
): Promise<Device> {
  const asked = new URLSearchParams({ scope: scopes.join(' '), resource })
  const response = await oauth.deviceAuthorizationRequest(server, client, oauth.None(), asked, {
    ...insecure,
    headers: { 'user-agent': agent },
  })
  const begun = await oauth.processDeviceAuthorizationResponse(server, client, response)
  return {
    userCode: begun.user_code,
    link: begun.verification_uri_complete ?? '',
    async poll() {
      const polled = await fetch(server.token_endpoint ?? '', {
        method: 'POST',
        body: new URLSearchParams({
          grant_type: deviceGrant,
          device_code: begun.device_code,
          client_id: client.client_id,
        }),
      })
      return (await polled.json()) as { access_token?: string; error?: string }
    },
  }
}

export const everyScope: readonly string[] = allScopes
