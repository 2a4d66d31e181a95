// One request of each kind that returns 200. Each request uses something up, so it succeeds only
// once.

import { deviceGrant, oauthPaths as paths } from '#contract/oauth.ts'
import { agentTokens, authorize } from './agent.ts'
import { type Fixture, redirectUri } from './fixture.ts'
import { newAgent, newClient, post } from './requests.ts'

export type FormRequest = { path: string; form: Record<string, string> }

async function approvedDevice(fixture: Fixture, client: string): Promise<string> {
  const asked = { client_id: client, scope: 'patients:read', resource: fixture.resources.api }
  const { body } = await post(fixture, paths.deviceAuthorization, asked)
  for (const decide of [{}, { decide: 'approve' }]) {
    const { people, integration } = fixture
    const code = { user_code: String(body['user_code']) }
    const query = new URLSearchParams({ ...code, ...decide, person: people.owner, integration })
    await fetch(`${fixture.issuer}/device?${query}`)
  }
  return String(body['device_code'])
}

const requests: Record<string, (fixture: Fixture) => Promise<FormRequest>> = {
  async 'a client’s token'(fixture) {
    const { id: client_id, secret: client_secret } = await newClient(fixture)
    const form = { grant_type: 'client_credentials', client_id, client_secret }
    return { path: paths.token, form: { ...form, scope: 'patients:read' } }
  },
  async 'a token for a code'(fixture) {
    const { client, verifier, query } = await authorize(fixture)
    return {
      path: paths.token,
      form: {
        grant_type: 'authorization_code',
        client_id: client,
        redirect_uri: redirectUri,
        code_verifier: verifier,
        code: query?.['code'] ?? '',
      },
    }
  },
  async 'a token for a refresh token'(fixture) {
    const { client: client_id, refresh: refresh_token } = await agentTokens(fixture)
    return { path: paths.token, form: { grant_type: 'refresh_token', client_id, refresh_token } }
  },
  async 'a device’s token'(fixture) {
    const client_id = await newAgent(fixture)
    const device_code = await approvedDevice(fixture, client_id)
    return { path: paths.token, form: { grant_type: deviceGrant, client_id, device_code } }
  },
  async 'a device code'(fixture) {
    const form = { client_id: await newAgent(fixture), scope: 'patients:read' }
    return { path: paths.deviceAuthorization, form: { ...form, resource: fixture.resources.api } }
  },
  async 'an introspection'(fixture) {
    const { id: client_id, secret: client_secret, mint } = await newClient(fixture)
    const token = String((await mint()).body['access_token'])
    return { path: paths.introspection, form: { client_id, client_secret, token } }
  },
  async 'a revocation'(fixture) {
    const { id: client_id, secret: client_secret, mint } = await newClient(fixture)
    const form = { client_id, client_secret, token_type_hint: 'access_token' }
    const token = String((await mint()).body['access_token'])
    return { path: paths.revocation, form: { ...form, token } }
  },
}
export const everyRequest = (fixture: Fixture) => ({
  kinds: Object.keys(requests),
  requestOf: (kind: string): Promise<FormRequest> => requests[kind]?.(fixture) ?? Promise.reject(),
})
