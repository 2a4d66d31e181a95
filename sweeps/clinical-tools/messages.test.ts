// Messages that the protocol's library handles, batches, and their log lines.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { rivera } from '#contract/examples.ts'
import { invoke, invokeOk } from '#clinical/testing/call.ts'
import { type ClinicalTools, openClinicalTools } from '../testing/clinical-tools.ts'

let server: ClinicalTools
let id = ''
beforeAll(async () => {
  server = await openClinicalTools()
  id = (await invokeOk(server.fixtures, 'createPatient', { body: rivera })).id
})
afterAll(() => server.close())

const message = (name: string, given: object, _meta?: object) => ({
  jsonrpc: '2.0',
  id: 7,
  method: 'tools/call',
  params: { name, arguments: given, ...(_meta && { _meta }) },
})

const prefix = 'io.modelcontextprotocol/'
const newest = {
  [`${prefix}protocolVersion`]: '2026-07-28',
  [`${prefix}clientCapabilities`]: { roots: { listChanged: true } },
  [`${prefix}clientInfo`]: { name: 'long', version: '1', websiteUrl: 'https://x.example' },
}
const newestHeaders = {
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': 'tools/call',
  'mcp-name': 'get_patient',
  accept: 'application/json, text/event-stream',
}

test.each([
  ['earlier and with a progress token', { progressToken: 1 }, {}],
  ['of the newest revision and with more of the client', newest, newestHeaders],
] as const)(
  'tool server: a call, %s, gets the same bytes as REST',
  async (_name, meta, headers) => {
    const answer = await server.post(JSON.stringify(message('get_patient', { id }, meta)), {
      headers,
    })
    const text = await answer.text()
    const rest = await invoke(server.fixtures, 'getPatient', { id })
    expect(answer.status).toBe(200)
    expect(text).toContain(`"structuredContent":${rest.text}`)
    const { result, id: rpcId } = JSON.parse(text)
    expect([rpcId, result.content[0].text]).toEqual([7, rest.text])
    expect(result._meta['svc/request_id']).toMatch(/^req_/)
    const refused = await server.post(JSON.stringify(message('get_patient', {}, meta)), { headers })
    expect((await refused.json()).result.isError).toBe(true)
    const unknown = await server.post(JSON.stringify(message('get_patient', { id }, meta)), {
      headers,
      as: server.fixtures.ada.test.replace(/.$/, '_'),
    })
    expect(unknown.status).toBe(401)
  },
)

test('tool server: a 2025-03-26 batch gets one response per call', async () => {
  const batch = [
    message('get_patient', { id }),
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    message('get_patient', { id: 'x' }),
  ]
  const headers = { 'mcp-protocol-version': '2025-03-26' }
  const answer = await server.post(JSON.stringify(batch), { headers })
  const results = (await answer.json()).map(({ result }: { result: object }) => 'isError' in result)
  expect(results).toEqual([false, true])
  const refused = await server.post(JSON.stringify(batch), { headers, as: null })
  expect(refused.status).toBe(401)
})

test('tool server: a refused call in a batch leaves the results of the others', async () => {
  const as = await server.keyWith(['patients:read'])
  const headers = { 'mcp-protocol-version': '2025-03-26' }
  const send = (...batch: object[]) => server.post(JSON.stringify(batch), { headers, as })
  const [allowed, refused] = [message('get_patient', { id }), message('list_cases', {})]
  const answer = await send(allowed, refused, { ...refused, id: undefined }, allowed)
  expect(answer.status).toBe(200)
  const [first, second, third, ...more] = await answer.json()
  for (const { result } of [first, third]) expect(result.structuredContent.id).toBe(id)
  expect(second).toEqual({
    jsonrpc: '2.0',
    id: 7,
    error: {
      code: -32_600,
      message: expect.any(String),
      data: expect.objectContaining({
        code: 'insufficient_scope',
        status: 403,
        type: expect.stringMatching(/^http.*\/problems\/insufficient_scope$/),
        request_id: expect.stringMatching(/^req_/),
      }),
    },
  })
  expect(more).toEqual([])
  // Nothing was done yet, so the refusal is the response.
  expect((await send(refused, allowed)).status).toBe(403)
})

test('tool server: a refused notification in a batch gets no response', async () => {
  const limited = await openClinicalTools({ rateLimit: 1 })
  const headers = { 'mcp-protocol-version': '2025-03-26' }
  const notification = { jsonrpc: '2.0', method: 'notifications/initialized' }
  const ping = { jsonrpc: '2.0', id: 8, method: 'ping' }
  const batch = [ping, notification, ping]
  const answer = await limited.post(JSON.stringify(batch), { headers })
  const [first, second, ...more] = await answer.json()
  expect([first.result, second.error?.data.code]).toEqual([{}, 'rate_limited'])
  expect(more).toEqual([])
  await limited.close()
})

test('tool server: a body that isn’t a message, too large or nested too deep', async () => {
  const statusOf = async (body: string, as?: null) => {
    const answer = await server.post(body, as === null ? { as } : {})
    return [answer.status, (await answer.json()).error.code]
  }
  expect(await statusOf('{')).toEqual([400, -32_700])
  expect(await statusOf('{', null)).toEqual([401, -32_600])
  expect((await statusOf(`{"a":"${'x'.repeat(1_048_576)}"}`))[0]).toBe(413)
  expect(await statusOf('['.repeat(60) + ']'.repeat(60))).toEqual([400, -32_700])
})

test('tool server: the log names the tool, operation, caller and refusal, but no argument', async () => {
  server.lines.length = 0
  await server.call('get_patient', { id })
  await server.call('list_patients', { external_id: 'Secret Name', limit: 0 })
  await server.ask('tools/list')
  const { ada } = server.fixtures
  const caller = { integration: ada.integration, credential: ada.testKey, mode: 'test' }
  expect(server.lines).toMatchObject([
    { status: 200, fields: { ...caller, tool: 'get_patient', operation: 'getPatient' } },
    { status: 200, fields: { ...caller, tool: 'list_patients', code: 'invalid_request' } },
    { status: 200, fields: { ...caller, tool: 'tools/list', operation: 'listTools' } },
  ])
  expect(JSON.stringify(server.lines)).not.toMatch(/Secret|pat_/)
  expect(server.errors).toEqual([])
})

test('tool server: a failure is reported with its request’s ID', async () => {
  const broken = new Error('the guides are broken')
  const failing = await openClinicalTools({
    beside: server.fixtures,
    docs: () => {
      throw broken
    },
  })
  const params = { name: 'docs_search', arguments: { query: 'webhooks' } }
  const { status, body } = await failing.ask('tools/call', params)
  expect([status, body.error.data.code]).toEqual([500, 'internal_error'])
  expect(failing.errors).toEqual([[broken, body.error.data.request_id]])
  await failing.close()
})

test('tool server: an unserved host gets 421 as JSON-RPC', async () => {
  const answer = await server.post('{}', { headers: { host: 'rebound.example' } })
  expect([answer.status, (await answer.json()).error.code]).toEqual([421, -32_600])
})
