import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { a2aPath } from '#contract/site/a2a.ts'
import { type AgentsFixture, openAgents } from '#gateway/testing/agents.ts'
import { faultsBy03 } from '../testing/a2a-schemas.ts'
import { call, dialects, sendTo } from '../testing/a2a-caller.ts'

// Errors for malformed requests and for operations that the agent doesn't support.
let context: AgentsFixture
beforeAll(async () => {
  context = await openAgents()
}, 60_000)
afterAll(() => context?.close())

const send = (body: unknown, headers?: Record<string, string>, path?: string) =>
  sendTo(context, body, headers, path)

describe('A2A: JSON-RPC errors', () => {
  const bad = { code: -32600, id: null }
  const cases: [string, unknown, { code: number; id: unknown }][] = [
    ['invalid JSON', '{"jsonrpc"', { code: -32700, id: null }],
    ['an empty body', '', { code: -32700, id: null }],
    ['deeply nested JSON', '['.repeat(60_000), { code: -32700, id: null }],
    ['a batch', [call('message/send', {})], bad],
    ['an empty batch', [], bad],
    ['a text', '"x"', bad],
    ['another JSON-RPC version', { ...call('x', {}), jsonrpc: '1.0' }, { code: -32600, id: 7 }],
    ['an id that is an object', call('tasks/get', {}, {}), bad],
    ['no method', { jsonrpc: '2.0', id: 'a' }, { code: -32600, id: 'a' }],
    [
      'a method that is an object',
      { jsonrpc: '2.0', id: 'a', method: {} },
      { code: -32600, id: 'a' },
    ],
    ['an unknown method of 0.3', call('message/eat', {}), { code: -32601, id: 7 }],
    ['an unknown method of 1.0', call('Eat', {}), { code: -32601, id: 7 }],
    ['an unknown method with a list', call('message/eat', ['x']), { code: -32601, id: 7 }],
    ['an unknown method with a text', call('Eat', 'x'), { code: -32601, id: 7 }],
    ['an unknown method with an empty name', call('eat/it', { '': 1 }), { code: -32601, id: 7 }],
    ['an unknown method without parameters', call('Eat', undefined), { code: -32601, id: 7 }],
    ['no parameters', call('message/send', undefined), { code: -32602, id: 7 }],
    ['no message', call('SendMessage', {}), { code: -32602, id: 7 }],
    ['no task id', call('GetTask', {}), { code: -32602, id: 7 }],
    ['an unknown task', call('tasks/get', { id: 'x' }), { code: -32001, id: 7 }],
    ['an unknown task in 1.0', call('GetTask', { id: 'x' }, null), { code: -32001, id: null }],
    ['canceling an unknown task', call('tasks/cancel', { id: 'x' }), { code: -32001, id: 7 }],
    ['canceling an unknown task in 1.0', call('CancelTask', { id: 'x' }), { code: -32001, id: 7 }],
    ['streaming', call('message/stream', {}), { code: -32004, id: 7 }],
    ['streaming in 1.0', call('SendStreamingMessage', {}), { code: -32004, id: 7 }],
    ['subscribing', call('SubscribeToTask', { id: 'x' }), { code: -32004, id: 7 }],
    [
      'a push configuration',
      call('tasks/pushNotificationConfig/set', {
        taskId: 'x',
        pushNotificationConfig: { url: 'https://example.com' },
      }),
      { code: -32003, id: 7 },
    ],
    [
      'a push configuration in 1.0',
      call('CreateTaskPushNotificationConfig', { taskId: 'x' }),
      { code: -32003, id: 7 },
    ],
    ['the extended card', call('agent/getAuthenticatedExtendedCard', {}), { code: -32007, id: 7 }],
    ['the extended card in 1.0', call('GetExtendedAgentCard', {}), { code: -32004, id: 7 }],
    [
      'an invalid configuration',
      call('SendMessage', {
        message: { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'x' }] },
        configuration: { taskPushNotificationConfig: { url: {} }, acceptedOutputModes: 7 },
      }),
      { code: 0, id: 7 },
    ],
  ]
  for (const [name, body, { code, id }] of cases) {
    test(`${code}: ${name}`, async () => {
      const answer = await send(body)
      expect([answer['jsonrpc'], answer['id']]).toEqual(['2.0', id])
      expect(answer['error']?.['code'] ?? 0).toBe(code)
      if (code === 0) return
      expect(await faultsBy03('JSONRPCErrorResponse', answer)).toEqual([])
      expect(answer['error']['message']).not.toMatch(/undefined|TypeError|\bat \//)
    })
  }

  test('a notification gets no response, valid or not', async () => {
    const { id: _id, ...known } = call('tasks/get', { id: 'x' })
    for (const body of [known, { ...known, method: 'eat' }, { ...known, params: 'x' }]) {
      const answer = await context.ask(a2aPath, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      expect([answer.status, await answer.text()]).toEqual([204, ''])
    }
  })

  test('-32602: names each invalid part of a message', async () => {
    const wrong: [string, object][] = [
      ['message.messageId', { messageId: '' }],
      ['message.role', { role: 'system' }],
      ['message.parts', { parts: [] }],
      ['message.parts[0]', { parts: [{ kind: 'data', data: 'x' }] }],
      ['message.contextId', { contextId: 7 }],
    ]
    for (const [field, more] of wrong) {
      const { error } = await send(dialects['0.3'].send([dialects['0.3'].text('x')], more))
      expect([error['code'], error['data'][0]['fieldViolations'][0]['field']]).toEqual([
        -32602,
        field,
      ])
    }
  })

  test('-32009: an unsupported version, by header or by query', async () => {
    const list = call('ListTasks', {})
    for (const version of ['2.0', '0.2', 'x']) {
      const { error } = await send(list, { 'a2a-version': version })
      expect([error['code'], error['data'][0]['reason']]).toEqual([-32009, 'VERSION_NOT_SUPPORTED'])
    }
    expect((await send(list, {}, `${a2aPath}?A2A-Version=9.9`))['error']['code']).toBe(-32009)
    for (const version of ['1.0', '1.0.1', '0.3', '']) {
      const { result } = await send(list, { 'a2a-version': version })
      expect(result).toEqual({ tasks: [], nextPageToken: '', pageSize: 50, totalSize: 0 })
    }
  })

  test('-32005: a body that is not sent as JSON', async () => {
    const { error } = await send(call('ListTasks', {}), { 'content-type': 'text/plain' })
    expect([error['code'], error['data'][0]['reason']]).toEqual([
      -32005,
      'CONTENT_TYPE_NOT_SUPPORTED',
    ])
  })

  test('405: GET names POST in Allow; a trailing slash is accepted', async () => {
    const response = await context.ask(a2aPath)
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'OPTIONS, POST'])
    expect((await send(call('ListTasks', {}), {}, `${a2aPath}/`))['result']['tasks']).toEqual([])
  })
})
