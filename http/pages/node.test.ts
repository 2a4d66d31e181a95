// Requests to pages behind node:http, and their responses.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { HttpRequest } from '../http-request.ts'
import { answerForNode } from './node.ts'

let seen: HttpRequest | undefined
const answer = answerForNode(
  {
    endpoints: [
      {
        path: '/page',
        answer(request) {
          seen = request
          const headers = new Headers({ 'content-type': 'text/plain' })
          for (const cookie of ['a=1', 'b=2']) headers.append('set-cookie', cookie)
          return new Response('é', { status: 403, headers })
        },
      },
      { path: '/:kind/echo', answer: async call => new Response(await call.raw.text()) },
    ],
    fallback: () => new Response('none', { status: 404 }),
  },
  () => {},
)
const server = createServer((request, response) => {
  void answer(request, response, { requestId: 'req_1', address: '203.0.113.7' })
})
let origin = ''
beforeAll(async () => {
  await new Promise<void>(resolve => void server.listen(0, '127.0.0.1', resolve))
  origin = `http://localhost:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

test('a page has its status, each cookie and its length; HEAD gets no body', async () => {
  for (const method of ['GET', 'HEAD']) {
    const response = await fetch(`${origin}/page?q=1`, { method, headers: { cookie: 'c=3' } })
    expect([response.status, response.headers.getSetCookie()]).toEqual([403, ['a=1', 'b=2']])
    expect(response.headers.get('content-length')).toBe('2')
    expect(await response.text()).toBe(method === 'GET' ? 'é' : '')
    expect([seen?.id, seen?.address, seen?.search]).toEqual(['req_1', '203.0.113.7', '?q=1'])
    expect(seen?.headers.get('cookie')).toBe('c=3')
  }
})

test('a body is read, even in pieces; an unread body closes the connection', async () => {
  const body = 'x'.repeat(300_000)
  for (const sent of [body, new Blob([body]).stream()]) {
    const response = await fetch(`${origin}/any/echo`, { method: 'POST', body: sent })
    expect(await response.text()).toBe(body)
    expect(response.headers.get('connection')).not.toBe('close')
  }
  const unread = await fetch(`${origin}/page`, { method: 'POST', body })
  expect([unread.status, unread.headers.get('connection')]).toEqual([403, 'close'])
})

test('other paths get a 404', async () => {
  expect((await fetch(`${origin}/other`)).status).toBe(404)
})
