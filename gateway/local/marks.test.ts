import { expect, test } from 'bun:test'
import { readConfig } from '../settings/config.ts'
import { isLocal, markLocal, siteOf } from './marks.ts'

const atHome = readConfig({ PORT: '4000' })

test('a platform is local if no setting lets others reach it', () => {
  expect(isLocal(readConfig({}))).toBe(true)
  expect(isLocal(readConfig({ HOST: '::1', ALLOWED_HOSTS: 'localhost:8080' }))).toBe(true)
  expect(siteOf(atHome, 'http://localhost:4000').notice).toStartWith('Local:')
})

test.each([
  ['BASE_URL', 'https://api.example.com'],
  // A loopback URL also counts, because someone set it.
  ['BASE_URL', 'http://localhost:3000'],
  ['HOST', '0.0.0.0'],
  ['HOST', '192.0.2.7'],
  ['DATABASE_URL', 'postgres://owner:password@localhost:5432/clinic'],
  ['ALLOWED_HOSTS', 'localhost, api.example.com'],
  ['TRUSTED_PROXIES', '127.0.0.1'],
  ['PORTAL_URL', 'https://portal.example.com'],
  ['CONSOLE_URL', 'https://console.example.com'],
])('a platform with %s %s is not local, and no page claims that it is', (name, value) => {
  const config = readConfig({ [name]: value, ...others(name, value) })
  expect(isLocal(config)).toBe(false)
  expect(siteOf(config, 'https://api.example.com')).not.toHaveProperty('notice')
})

/** A module with a public URL also requires a public URL for the site. */
const others = (name: string, value: string): Record<string, string> =>
  name.endsWith('_URL') && name !== 'DATABASE_URL' && value.startsWith('https:')
    ? { BASE_URL: 'https://api.example.com' }
    : {}

test('API responses are marked, and site pages aren’t', async () => {
  const mark = markLocal()
  const markOf = async (path: string) => {
    const request = new Request(`http://localhost:4000${path}`)
    const response = await mark(new Response('an answer'), request, { requestIP: () => null })
    return response.headers.get('service-environment')
  }
  expect(await markOf('/v1/cases?limit=1')).toBe('local')
  expect(await markOf('/documents/a-token')).toBe('local')
  expect(await markOf('/pricing')).toBeNull()
})
