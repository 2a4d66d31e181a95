// Clinical API paths that don't exactly match the table, over real HTTP: their redirects and their
// log lines.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { callableIds, callable } from '#contract/callable.ts'
import { rivera } from '#contract/examples.ts'
import { pathNames } from '#contract/operation.ts'
import { realtimePath, realtimeProtocol } from '#contract/realtime.ts'
import { exchange, openTestGateway } from '#gateway/testing/gateway.ts'

let gateway: Awaited<ReturnType<typeof openTestGateway>>
beforeAll(async () => {
  gateway = await openTestGateway()
})
afterAll(() => gateway.close())

const ask = (target: string, method = 'GET') =>
  exchange(
    gateway.port,
    `${method} ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
  )
const statusOf = (text: string) => Number(text.slice(9, 12))
const headerOf = (text: string, name: string) =>
  new RegExp(`^${name}: (.*)\r$`, 'im').exec(text)?.[1]
const loggedRoute = () => gateway.lines.at(-1)?.route

const paths = [...new Set(callableIds.map(id => callable[id].path))]
const filled = (path: string) =>
  pathNames(path).reduce((text, name) => text.replace(`{${name}}`, `${name}_1`), path as string)

describe('v1: a trailing slash', () => {
  test('redirects each operation with a 308, which keeps method and query', async () => {
    expect(callableIds.length).toBeGreaterThan(60)
    for (const id of callableIds) {
      const { method, path } = callable[id]
      const text = await ask(`${filled(path)}/?limit=5`, method)
      expect([id, statusOf(text), headerOf(text, 'location')]).toEqual([
        id,
        308,
        `${filled(path)}?limit=5`,
      ])
      expect(headerOf(text, 'request-id')).toMatch(/^req_/)
      expect(headerOf(text, 'cache-control')).toBe('no-store')
      expect(loggedRoute()).toBe(`${path}/`)
    }
  })
  test('a client that follows gets the response, and writes only once', async () => {
    const headers = { 'content-type': 'application/json', 'idempotency-key': 'slash-1' }
    const body = JSON.stringify({ url: 'https://hooks.brand.example/', event_types: ['*'] })
    const answer = await gateway.call('/v1/webhook_endpoints/', { method: 'POST', headers, body })
    expect([answer.status, answer.redirected]).toEqual([201, true])
    const { data } = (await (await gateway.call('/v1/webhook_endpoints/')).json()) as {
      data: unknown[]
    }
    expect(data).toHaveLength(1)
  })
  test('a backslash counts as a slash, as in every URL', async () => {
    for (const path of ['/v1/organization', '/v1/patients/pat_1']) {
      const text = await ask(`${path}\\`)
      expect([statusOf(text), headerOf(text, 'location')]).toEqual([308, path])
    }
  })
  test('signed URLs and documents redirect as well', async () => {
    for (const path of ['/uploads/x', '/documents/x', '/visits/join/x', '/openapi/v1.json']) {
      const text = await ask(`${path}/`)
      expect([path, statusOf(text), headerOf(text, 'location')]).toEqual([path, 308, path])
    }
  })
  test('405 for another method; 404 for an unknown path, two slashes or an empty id', async () => {
    expect(statusOf(await ask('/v1/organization/', 'DELETE'))).toBe(405)
    for (const path of ['/v1/', '/v1/nope/', '/v1/patients//', '/v1/patients///', '/v1//patients/'])
      expect([path, statusOf(await ask(path))]).toEqual([path, 404])
  })
})

describe('v1: a percent-encoded ID', () => {
  const rowsWithIds = callableIds.filter(id => pathNames(callable[id].path).length > 0)
  const statusesOf = (encode: (path: string) => string) =>
    Promise.all(
      rowsWithIds.map(async id => {
        const { method, path } = callable[id]
        return [id, statusOf(await ask(encode(filled(path)), method)), loggedRoute()]
      }),
    )
  test('is the ID, since %5F is an underscore', async () => {
    expect(rowsWithIds.length).toBeGreaterThan(35)
    // Without a credential, a path in the table gets a 401 and any other path a 404.
    const found = await statusesOf(path => path.replaceAll(/_1(?=\/|$)/g, '%5F%31'))
    expect(found.map(([id, status]) => [id, status])).toEqual(rowsWithIds.map(id => [id, 401]))
  })
  test('404: with a slash, a dot or an encoded percent sign in it', async () => {
    for (const odd of ['%2F1', '%2f', '%2E', '%255F1', '%00', '%C3%A9']) {
      const found = await statusesOf(path => path.replaceAll(/_1(?=\/|$)/g, odd))
      expect(found.map(([id, status]) => [id, odd, status])).toEqual(
        rowsWithIds.map(id => [id, odd, 404]),
      )
    }
  })
  test('is the same request when repeated with the plain ID', async () => {
    const body = JSON.stringify({ first_name: 'Grace' })
    const created = await gateway.call('/v1/patients', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': 'encoded-0' },
      body: JSON.stringify(rivera),
    })
    const { id } = (await created.json()) as { id: string }
    const headers = { 'content-type': 'application/json', 'idempotency-key': 'encoded-1' }
    const update = async (path: string) =>
      gateway.call(`/v1/patients/${path}`, { method: 'PATCH', headers, body })
    const [first, again] = [await update(id.replace('_', '%5F')), await update(id)]
    expect([first.status, again.status]).toEqual([200, 200])
    expect(again.headers.get('original-request-id')).toBe(first.headers.get('request-id'))
  })
})

test('v1: a dot segment is removed, as every URL parser does, and leads to no other path', async () => {
  for (const path of ['/v1/./organization', '/v1/x/../organization', '/v1/%2e/organization']) {
    expect([path, statusOf(await ask(path)), loggedRoute()]).toEqual([
      path,
      401,
      '/v1/organization',
    ])
  }
  expect(statusOf(await ask('/v1/./nope'))).toBe(404)
})

describe('v1: the log', () => {
  test('names each path’s template, with or without a resource', async () => {
    for (const path of paths) {
      await ask(filled(path))
      expect(loggedRoute()).toBe(path)
    }
  })
  test('names no part of an unknown path', async () => {
    for (const path of [
      '/v1/ada-rivera',
      '/v1/patients/a/b/c/d',
      '/v1/patients/ada%40example.com',
    ]) {
      expect(statusOf(await ask(path))).toBe(404)
      expect(loggedRoute()).not.toMatch(/ada|\/a\//)
    }
  })
})

describe('v1: the realtime URL without an upgrade', () => {
  test('426 with code, Upgrade, and a hint that names the next calls', async () => {
    const answer = await gateway.call(realtimePath)
    expect([answer.status, answer.headers.get('upgrade')]).toEqual([426, 'websocket'])
    const { code, hint, request_id } = (await answer.json()) as Record<string, string>
    expect([code, request_id]).toEqual(['upgrade_required', answer.headers.get('request-id') ?? ''])
    expect(hint).toContain('POST /v1/realtime/tokens')
    expect(hint).toContain(`Sec-WebSocket-Protocol: ${realtimeProtocol}, bearer.<token>`)
    expect((await gateway.call(realtimePath, { method: 'HEAD' })).status).toBe(426)
  })
  test('405 with Allow for another method', async () => {
    const answer = await gateway.call(realtimePath, { method: 'POST' })
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  })
})
