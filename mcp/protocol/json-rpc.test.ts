// JSON-RPC on the tool servers: unknown methods, notifications and batches.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { openServers, type Servers } from '#gateway/testing/tool-servers.ts'

type Answer = { id: unknown; error?: { code: number } }

let servers: Servers
beforeAll(async () => {
  servers = await openServers()
})
afterAll(async () => servers.close())

async function refused(response: Response, status: number, code: number) {
  expect(response.status).toBe(status)
  const body = await response.json()
  expect(body).toMatchObject({ jsonrpc: '2.0', error: { code, message: expect.any(String) } })
  return body
}

describe('mcp: unknown methods', () => {
  test('get a 200 in earlier revisions and a 404 in the newest', async () => {
    const { response, body } = await servers.ask('prompts/list')
    expect([response.status, body.error.code]).toEqual([200, -32_601])
    const newest = await servers.ask('prompts/list', {}, true)
    expect([newest.response.status, newest.body.error.code]).toEqual([404, -32_601])
  })

  test('get -32601, whatever their parameters', async () => {
    for (const params of ['x', ['x'], 7, null, { _meta: 'x' }]) {
      const sent = JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'nope', params })
      const body = await refused(await servers.post(sent), 200, -32_601)
      expect(body.id).toBe(7)
      const newest = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'nope' }
      await refused(await servers.post(sent, newest), 404, -32_601)
    }
  })

  test('subscriptions are not supported', async () => {
    const { response, body } = await servers.ask('subscriptions/listen', {}, true)
    expect([response.status, body.error.code]).toEqual([404, -32_601])
  })
})

describe('mcp: batches', () => {
  test('are accepted only in the revision that has them, with at most twenty calls', async () => {
    const batch = (count: number) =>
      JSON.stringify(
        Array.from({ length: count }, (_, id) => ({ jsonrpc: '2.0', id, method: 'ping' })),
      )
    expect(await (await servers.post(batch(20))).json()).toHaveLength(20)
    await refused(await servers.post(batch(21)), 400, -32_600)
    const later = { 'mcp-protocol-version': '2025-06-18' }
    await refused(await servers.post(batch(2), later), 400, -32_600)
  })

  test('every request in a list gets its response, and notifications get none', async () => {
    const one = { jsonrpc: '2.0', id: 1, method: 'ping' }
    const send = (batch: unknown[]) => servers.post(JSON.stringify(batch))
    expect(await (await send([one])).json()).toEqual([{ jsonrpc: '2.0', id: 1, result: {} }])
    const notification = { jsonrpc: '2.0', method: 'notifications/initialized' }
    const mixed = [
      notification,
      { ...one, method: 'tools/list' },
      { ...one, id: 2, method: 'nope' },
      7,
    ]
    const answers = await (await send(mixed)).json()
    expect(answers.map((each: Answer) => [each.id, each.error?.code])).toEqual([
      [1, undefined],
      [2, -32_601],
      [null, -32_600],
    ])
    const quiet = await send([notification, notification])
    expect([quiet.status, await quiet.text()]).toEqual([202, ''])
  })
})

test('mcp: a notification gets a 202 without a body, valid or not', async () => {
  for (const more of [
    { method: 'notifications/initialized' },
    { method: 'nope' },
    { method: 'tools/call', params: 'x' },
  ]) {
    const response = await servers.post(JSON.stringify({ jsonrpc: '2.0', ...more }))
    expect([response.status, await response.text()]).toEqual([202, ''])
  }
})

test('mcp: an unknown host gets a 421 as JSON-RPC', async () => {
  const body = await refused(await servers.post('{}', { host: 'rebound.example' }), 421, -32_600)
  expect(body.id).toBeNull()
})
