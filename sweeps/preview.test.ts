// The preview over HTTP: its differences from /v1 and what the preview and /v1 share. The sweeps in
// v1*.test.ts, every-refusal and every-example also loop over the preview's operations.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { newRequestId } from '#http/http-request.ts'
import { previewIds, previewTable } from '#contract/preview/operations.ts'
import { projectAll } from '#clinical/testing/requests.ts'
import { openTestGateway } from '#gateway/testing/gateway.ts'

let gateway: Awaited<ReturnType<typeof openTestGateway>>
beforeAll(async () => {
  gateway = await openTestGateway()
})
afterAll(() => gateway.close())

const versionOf = (answer: Response) => answer.headers.get('api-preview')

describe('preview: every response names its version', () => {
  test('even errors, and those for an unknown path or method, name the preview version', async () => {
    const answers = [
      await gateway.call('/preview/requests'),
      await gateway.call('/preview/requests', { as: null }),
      await gateway.call('/preview/requests?nope=1'),
      await gateway.call(`/preview/requests/${newRequestId()}`),
      await gateway.call('/preview/nope'),
      await gateway.call('/preview/requests', { method: 'DELETE' }),
    ]
    expect(answers.map(answer => [answer.status, versionOf(answer)])).toEqual([
      [200, '2026-11-20'],
      [401, '2026-11-20'],
      [400, '2026-11-20'],
      [404, '2026-11-20'],
      [404, '2026-11-20'],
      [405, '2026-11-20'],
    ])
  })

  test('no /v1 response names the preview version', async () => {
    for (const path of ['/v1/organization', '/v1/nope'])
      expect([path, versionOf(await gateway.call(path))]).toEqual([path, null])
  })
})

test('preview: an error for an unknown path links to the contract and the nearest operation', async () => {
  for (const [path, call] of [
    ['/preview/request', 'GET /preview/requests'],
    ['/v1/requests', 'GET /preview/requests'],
    ['/preview/patients', 'GET /v1/patients'],
  ] as const) {
    const { hint, code } = (await (await gateway.call(path)).json()) as Record<string, string>
    expect([path, code, hint?.includes(call)]).toEqual([path, 'not_found', true])
    expect(hint).toContain(path.startsWith('/v1') ? '/openapi/v1.json' : '/openapi/preview.json')
  }
})

test('preview: a request is found by its response’s Request-Id, whichever API it used', async () => {
  for (const path of ['/v1/patients', '/v1/patients/pat_1', '/preview/requests']) {
    const id = (await gateway.call(path)).headers.get('request-id') ?? ''
    expect((await gateway.call(`/preview/requests/${id}`)).status).toBe(404)
    await projectAll(gateway.fixtures)
    const found = await gateway.call(`/preview/requests/${id}`)
    expect(found.status).toBe(200)
    expect(await found.json()).toMatchObject({ id, method: 'GET', mode: 'test' })
  }
})

test('preview: no preview operation is a tool or is below /v1', () => {
  expect(previewIds.length).toBeGreaterThan(4)
  for (const id of previewIds) {
    expect(previewTable[id].path).toStartWith('/preview/')
    expect(previewTable[id].tool).toBeFalse()
  }
})
