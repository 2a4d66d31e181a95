// Tests which parameters count as absent at every endpoint and for every grant: parameters without
// a value, and parameters that only OpenID defines.

import { describe, expect, test } from 'bun:test'
import { oauthPaths as paths } from '#contract/oauth.ts'
import { agentTokens, authorizeUrl, newVerifier, openBrowser } from './testing/agent.ts'
import { everyRequest } from './testing/every-request.ts'
import { basic, newAgent, newClient, post } from './testing/requests.ts'
import { useFixture } from './testing/use-fixture.ts'

const fixture = await useFixture()
const { kinds, requestOf } = everyRequest(fixture)

describe('a parameter without a value counts as absent', () => {
  const optional = ['scope', 'resource', 'organization', 'token_type_hint', 'redirect_uri', 'state']
  const empties = [...optional, 'client_secret', 'client_assertion', 'code_verifier', 'nonce', 'x']

  test.each(kinds)('in %s', async kind => {
    const { path, form } = await requestOf(kind)
    for (const name of Object.keys(form)) {
      const { [name]: _, ...rest } = form
      if (['scope', 'token_type_hint', 'resource'].includes(name)) continue
      const absent = await post(fixture, path, rest)
      const empty = await post(fixture, path, { ...form, [name]: '' })
      expect([name, empty.status, empty.body]).toEqual([name, absent.status, absent.body])
    }
    const more = Object.fromEntries(empties.filter(name => !(name in form)).map(name => [name, '']))
    expect((await post(fixture, path, { ...form, ...more })).status).toBe(200)
  })

  test('in addition to Basic, and repeated', async () => {
    const { id, secret } = await newClient(fixture)
    const form = { grant_type: 'client_credentials', client_id: '', client_secret: ['', ''] }
    const answer = await post(fixture, paths.token, form, { headers: basic(id, secret) })
    expect(answer.status).toBe(200)
  })

  test('in an agent’s request, as do OpenID parameters', async () => {
    const [client, verifier] = [await newAgent(fixture), newVerifier()]
    const openId = {
      nonce: 'n',
      max_age: '60',
      acr_values: 'x',
      claims: '{}',
      ui_locales: 'en',
      login_hint: 'ada@example.com',
    }
    const names = [...empties, ...Object.keys(openId), 'id_token_hint', 'prompt']
    const all = Object.fromEntries(names.map(name => [name, '']))
    const sent: object[] = [all, openId, { nonce: 'n' }, { max_age: '0' }, { prompt: 'login' }]
    for (const more of sent) {
      const url = new URL(
        authorizeUrl(client, verifier, { scope: 'patients:read' }),
        fixture.issuer,
      )
      for (const [name, value] of Object.entries(more as Record<string, string>)) {
        if (!url.searchParams.has(name)) url.searchParams.append(name, value)
      }
      const answer = await openBrowser(fixture).get(String(url))
      expect([more, answer.headers.get('location')?.slice(0, 9)]).toEqual([more, '/consent/'])
    }
  })
})

test('offline_access is removed from the scopes requested for any grant', async () => {
  const params = { scope: 'patients:read offline_access' }
  const { client: client_id, refresh: refresh_token } = await agentTokens(fixture, { params })
  const form = { grant_type: 'refresh_token', client_id, refresh_token, ...params }
  const { body } = await post(fixture, paths.token, form)
  expect(body['scope']).toBe('patients:read')
  for (const kind of ['a client’s token', 'a device code']) {
    const { path, form: asked } = await requestOf(kind)
    const scope = `${asked['scope']} offline_access`
    const answer = await post(fixture, path, { ...asked, scope })
    expect([kind, answer.status]).toEqual([kind, 200])
    expect(String(answer.body['scope'] ?? '')).not.toContain('offline')
  }
})
