import { expect, test } from 'bun:test'
import { restSurface } from '#clinical/rest/surface.ts'
import { operations } from '#contract/api.ts'
import { allScopes } from '#contract/scopes.ts'
import { loadDocuments } from './documents.ts'

const addresses = {
  api: 'https://clinic.example.org',
  auth: 'https://login.example.org',
  mcp: 'https://tools.example.org/mcp',
}
const { api } = addresses
const documents = loadDocuments(addresses)

test('documents: a 401’s resource metadata exists and lists the authorization server', async () => {
  const { challenge } = restSurface(api)
  for (const parameters of ['', ', error="invalid_token"']) {
    const header = challenge(parameters, operations.getOrganization)
    const named = /, resource_metadata="([^"]+)"$/.exec(header)?.[1] ?? ''
    expect(named).toStartWith(`${api}/`)
    const found = documents.get(new URL(named).pathname)?.(new Request(named))
    expect(found?.status).toBe(200)
    expect(found?.headers.get('api-version')).toBe('2026-11-20')
    expect(await found?.json()).toEqual({
      resource: api,
      authorization_servers: [addresses.auth],
      bearer_methods_supported: ['header'],
      scopes_supported: allScopes,
      resource_name: 'Clinical Integrations API',
      resource_documentation: `${api}/docs/authentication`,
    })
  }
})

test('documents: the contract contains only the URLs at which it is served', async () => {
  for (const path of ['v1.json', 'v1.yaml', 'preview.json', 'preview.yaml'].map(
    file => `/openapi/${file}`,
  )) {
    const text =
      (await documents
        .get(path)?.(new Request(`${api}${path}`))
        .text()) ?? ''
    expect(text).toContain(`${api}/problems/`)
    expect(text).toContain(`${addresses.auth}/api/auth/oauth2/token`)
    expect(text).not.toMatch(/https:\/\/(api|auth)\.example\.com/)
  }
})
