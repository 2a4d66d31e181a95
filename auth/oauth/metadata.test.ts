// Tests the documents that describe the server, and paths that it doesn't serve.

import { describe, expect, test } from 'bun:test'
import { allScopes } from '#contract/scopes.ts'
import { oauthPaths as paths } from '#contract/oauth.ts'
import { resourceMetadata, resourceMetadataPaths, serverMetadata } from './endpoints.ts'
import { read } from './testing/requests.ts'
import { useFixture } from './testing/use-fixture.ts'

const fixture = await useFixture()

const get = (path: string, init: RequestInit = {}) => fetch(`${fixture.issuer}${path}`, init)

describe('200: the metadata', () => {
  test('names endpoints under the configured issuer, regardless of the Host header', async () => {
    const { issuer } = fixture
    const headers = { host: 'evil.example.com', 'x-forwarded-proto': 'https' }
    const response = await get(paths.metadata, { headers })
    expect(response.headers.get('cache-control')).toBe('public, max-age=3600')
    expect(response.headers.get('content-type')).toStartWith('application/json')
    expect(response.headers.get('set-cookie')).toBeNull()
    expect(await response.json()).toMatchObject({
      issuer,
      authorization_endpoint: `${issuer}/api/auth/oauth2/authorize`,
      token_endpoint: `${issuer}/api/auth/oauth2/token`,
      registration_endpoint: `${issuer}/api/auth/oauth2/register`,
      revocation_endpoint: `${issuer}/api/auth/oauth2/revoke`,
      introspection_endpoint: `${issuer}/api/auth/oauth2/introspect`,
      device_authorization_endpoint: `${issuer}/api/auth/device/code`,
      response_types_supported: ['code'],
      response_modes_supported: ['query'],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: true,
      scopes_supported: allScopes,
    })
  })

  test('is byte-identical every time', async () => {
    const [first, second] = await Promise.all([get(paths.metadata), get(paths.metadata)])
    expect(await first.text()).toBe(await second.text())
    const text = serverMetadata('https://auth.example.com', 'https://docs.example.com/auth')
    expect(serverMetadata('https://auth.example.com', 'https://docs.example.com/auth')).toBe(text)
    expect(text).not.toMatch(/openid|jwks|userinfo|id_token/)
  })

  test('responds to HEAD', async () => {
    expect((await get(paths.metadata, { method: 'HEAD' })).status).toBe(200)
  })
})

describe('404: OpenID is not served', () => {
  test.each([
    '/.well-known/openid-configuration',
    '/.well-known/jwks.json',
    '/jwks',
    '/me',
    '/session/end',
    '/session/end/confirm',
    '/api/auth/oauth2/userinfo',
    '/api/auth/oauth2/authorize/..%2ftoken',
    '/api/auth/oauth2/register/cli_1',
  ])('%s', async path => {
    const { status, body, headers } = await read(await get(`/api/../${path}`))
    expect([status, body['error'] ?? 'no page']).toEqual([404, expect.any(String)])
    expect(headers.get('set-cookie')).toBeNull()
  })
})

describe('405: another method', () => {
  test.each([
    [paths.token, 'GET', 'POST'],
    [paths.registration, 'PUT', 'POST'],
    [paths.authorization, 'POST', 'GET'],
    [paths.metadata, 'DELETE', 'GET'],
  ])('%s doesn’t accept %s', async (path, method, allowed) => {
    const { status, body, headers } = await read(await get(path, { method }))
    expect([status, body['error']]).toEqual([405, 'invalid_request'])
    expect(headers.get('allow')).toBe(`${allowed}, OPTIONS`)
  })
})

describe('the resources’ documents (RFC 9728)', () => {
  const issuer = 'https://auth.example.com'
  const documentation = 'https://docs.example.com/auth'
  const scopes = ['cases:read', 'cases:write'] as const
  const resources = { api: 'https://example.com', mcp: 'https://mcp.example.com/v1/mcp' }

  test('name each resource exactly, and its authorization server', () => {
    for (const name of ['api', 'mcp'] as const) {
      const document = JSON.parse(
        resourceMetadata(name, resources[name], { issuer, documentation, scopes }),
      ) as Record<string, unknown>
      expect(document).toEqual({
        resource: resources[name],
        authorization_servers: [issuer],
        bearer_methods_supported: ['header'],
        scopes_supported: scopes,
        resource_name: expect.any(String),
        resource_documentation: documentation,
      })
    }
  })

  test('are served at the root and before the resource’s path', () => {
    const root = '/.well-known/oauth-protected-resource'
    expect(resourceMetadataPaths(resources.api)).toEqual([root])
    expect(resourceMetadataPaths(resources.mcp)).toEqual([root, `${root}/v1/mcp`])
  })
})
