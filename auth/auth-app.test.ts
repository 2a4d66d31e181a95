// What answers at AUTH_URL as a whole: programs and people, emails that are queued, and its end.

import { afterAll, beforeAll, expect, spyOn, test } from 'bun:test'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from '#database/sql.ts'
import { ownOrigin } from '#http/origins/own-origin.ts'
import { until } from '#http/testing/until.ts'
import { openAuthApp } from './auth-app.ts'
import { openBrowser } from './testing/browser.ts'
import { emailsTo } from './testing/emails.ts'
import { encryptionKeys, openPeople, peppers, type TestPeople } from './testing/people.ts'

let people: TestPeople
beforeAll(async () => void (people = await openPeople()))
afterAll(() => people.close())

async function openApp(emailed?: () => void) {
  const failures: unknown[] = []
  const server = createServer((request, response) => {
    void app.answer(request, response, { address: '203.0.113.7', requestId: 'req_1' })
  })
  await new Promise<void>(resolve => void server.listen(0, '127.0.0.1', resolve))
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`
  const app = openAuthApp({
    url: people.database.urls.auth,
    poolSize: 2,
    issuer: origin,
    resources: { api: 'http://localhost:1', mcp: 'http://localhost:2/mcp' },
    site: { name: 'Example Health', url: 'https://example.com' },
    own: ownOrigin(origin, 'auth'),
    peppers,
    encryptionKeys,
    onError: failure => void failures.push(failure),
    ...(emailed && { emailed }),
  })
  return {
    origin,
    app,
    async close() {
      server.closeAllConnections()
      server.close()
      await app.close()
      expect(failures).toEqual([])
    },
  }
}

test('programs read JSON where nothing is served, and people a page', async () => {
  const { origin, close } = await openApp()
  const paths = ['/api/x', '/.well-known/x', '/x', '/x?/api/x', '/apis/x']
  const answers = await Promise.all(paths.map(path => fetch(`${origin}${path}`)))
  expect(answers.map(({ status }) => status)).toEqual(paths.map(() => 404))
  const [json, html] = ['application/json; charset=utf-8', 'text/html; charset=utf-8']
  const types = answers.map(({ headers }) => headers.get('content-type'))
  expect(types).toEqual([json, json, html, html, html])
  const metadata = await fetch(`${origin}/.well-known/oauth-authorization-server?x`)
  expect(await metadata.json()).toMatchObject({
    issuer: origin,
    service_documentation: 'https://example.com/docs/authentication',
  })
  await close()
})

test('an email that is queued wakes who sends it', async () => {
  let woken = 0
  const { origin, close } = await openApp(() => void woken++)
  const browser = openBrowser(origin)
  await browser.get('/sign-up')
  expect(woken).toBe(0)
  await browser.submit('/sign-up', { email: 'newcomer@example.com', name: 'Ada' })
  expect([woken, (await emailsTo(people, 'newcomer@example.com')).length]).toEqual([1, 1])
  await close()
})

test('once it is closed, no timer and no connection of it is left', async () => {
  const [set, clear] = [spyOn(globalThis, 'setInterval'), spyOn(globalThis, 'clearInterval')]
  try {
    const { origin, close } = await openApp()
    expect((await fetch(`${origin}/sign-in`)).status).toBe(200)
    const timers = set.mock.results.map(({ value }) => value as unknown)
    expect(timers.length).toBeGreaterThanOrEqual(2)
    await close()
    const cleared = new Set(clear.mock.calls.map(([timer]) => timer as unknown))
    expect(timers.filter(timer => !cleared.has(timer))).toEqual([])
    const connections = () =>
      people.run(sql`
        select from pg_stat_activity
         where application_name = 'auth' and datname = current_database()`)
    await until(async () => (await connections()).length === 0)
  } finally {
    set.mockRestore()
    clear.mockRestore()
  }
})
