// Prepares a token request of each kind, for tests that interrupt it.

import { deviceGrant, oauthPaths as paths } from '#contract/oauth.ts'
import { agentTokens, authorize } from './agent.ts'
import { type Fixture, redirectUri } from './fixture.ts'
import { type Form, newAgent, post } from './requests.ts'

export type Attempt = { client: string; form: Form }

/** Functions that prepare a client and the form it sends to get tokens. */
export const attempts = {
  async 'a code'(fixture: Fixture): Promise<Attempt> {
    const { client, verifier, query } = await authorize(fixture)
    const form = {
      grant_type: 'authorization_code',
      code: query?.['code'] ?? '',
      code_verifier: verifier,
      redirect_uri: redirectUri,
    }
    return { client, form: { ...form, client_id: client } }
  },
  async 'a refresh token'(fixture: Fixture): Promise<Attempt> {
    const { client, refresh } = await agentTokens(fixture)
    const form = { grant_type: 'refresh_token', refresh_token: refresh, client_id: client }
    return { client, form }
  },
  async 'a device code'(fixture: Fixture): Promise<Attempt> {
    const client = await newAgent(fixture)
    const asked = { client_id: client, scope: 'events:read', resource: fixture.resources.api }
    const { body } = await post(fixture, paths.deviceAuthorization, asked)
    const person = fixture.people.owner
    const code = new URLSearchParams({ user_code: String(body['user_code']), person })
    await fetch(`${fixture.issuer}/device?${code}`)
    code.set('decide', 'approve')
    code.set('integration', fixture.integration)
    await fetch(`${fixture.issuer}/device?${code}`)
    const device_code = String(body['device_code'])
    return { client, form: { grant_type: deviceGrant, device_code, client_id: client } }
  },
  async 'a client secret'(fixture: Fixture): Promise<Attempt> {
    const { id, secret } = await fixture.addClient()
    const form = { grant_type: 'client_credentials', client_id: id, client_secret: secret }
    return { client: id, form }
  },
}

export type AttemptName = keyof typeof attempts
