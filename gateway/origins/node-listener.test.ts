// The listener of the authorization server.
import { expect, test } from 'bun:test'
import { listenForNode } from './node-listener.ts'

test('an idle connection outlasts the 20 s for which a proxy keeps it', async () => {
  const listener = await listenForNode('127.0.0.1', 0)
  listener.serve({
    url: 'https://auth.example.com',
    guard: () => undefined,
    paths: new Set(),
    answer: (_request, response) => response.end('here'),
    addressOf: () => null,
    newRequestId: () => 'req_1',
    log: { request() {} },
    onError() {},
  })
  const kept = await fetch(`http://127.0.0.1:${listener.port}/`, {
    headers: { host: 'auth.example.com' },
  })
  const [, seconds] = /timeout=(\d+)/.exec(kept.headers.get('keep-alive') ?? '') ?? []
  expect(Number(seconds)).toBeGreaterThan(20)
  await listener.stop(true)
})
