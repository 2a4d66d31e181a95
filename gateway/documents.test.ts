import { expect, test } from 'bun:test'
import { loadDocuments } from './documents.ts'

const documents = loadDocuments('http://localhost:3000')
const ask = (path: string, init?: RequestInit) =>
  documents.get(path)?.(new Request(`http://localhost:3000${path}`, init))

test('the contract names the address that it is served from', async () => {
  const answer = ask('/openapi/v1.json')
  expect(answer?.headers.get('content-type')).toBe('application/json')
  const text = (await answer?.text()) ?? ''
  expect(JSON.parse(text).openapi).toStartWith('3.1')
  expect(text).toContain('http://localhost:3000')
  expect(text).not.toContain('https://api.example.com')
})

test('it is asked for again by its tag, and measured by HEAD', async () => {
  const whole = ask('/openapi/v1.yaml')
  const etag = whole?.headers.get('etag') ?? ''
  expect(ask('/openapi/v1.yaml', { headers: { 'if-none-match': etag } })?.status).toBe(304)
  const bytes = await whole?.bytes()
  const head = ask('/openapi/v1.yaml', { method: 'HEAD' })
  expect(head?.headers.get('content-length')).toBe(String(bytes?.length))
})

test('a missing file is one clear line', () => {
  expect(() => loadDocuments('http://localhost', '/nowhere')).toThrow(
    /openapi\.v1\.json is missing; `bun run generate` writes it\.$/,
  )
})
