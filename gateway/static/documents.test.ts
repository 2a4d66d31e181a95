import { expect, test } from 'bun:test'
import { restSurface } from '#clinical/rest/surface.ts'
import { loadDocuments } from './documents.ts'

const base = 'https://api.example.com'
const documents = loadDocuments(base, 'https://auth.example.com')

test('documents: the resource metadata that a 401 names exists, and names the authorization server', async () => {
  const named = /resource_metadata="([^"]+)"/.exec(restSurface(base).challenge(''))?.[1] ?? ''
  const found = documents.get(new URL(named).pathname)?.(new Request(named))
  expect(found?.status).toBe(200)
  const document = await found?.json()
  expect(document).toMatchObject({
    resource: base,
    authorization_servers: ['https://auth.example.com'],
    bearer_methods_supported: ['header'],
  })
})

test('documents: the contract contains the base URL that it is served from', async () => {
  const url = `${base}/openapi/v1.json`
  const served = await documents.get('/openapi/v1.json')?.(new Request(url)).text()
  const elsewhere = loadDocuments('https://other.example.com').get('/openapi/v1.json')
  expect(served).toContain(`${base}/problems/`)
  expect(await elsewhere?.(new Request(url)).text()).not.toContain(`${base}/`)
})
