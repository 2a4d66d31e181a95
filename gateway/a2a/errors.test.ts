import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { a2aPath } from '#contract/site/a2a.ts'
import { type SampleAgents, sampleAgents } from '../testing/agents.ts'
import { faultsBy03 } from './official.ts'
import { call, dialects, sendTo } from '../testing/a2a-caller.ts'

/** What the agent says to what is no call, or a call of what it does not do. */
let context: SampleAgents
beforeAll(async () => {
  context = await sampleAgents()
}, 60_000)
afterAll(() => context?.close())

const send = (body: unknown, headers?: Record<string, string>, path?: string) =>
  sendTo(context, body, headers, path)

describe('errors of JSON-RPC', () => {
  const bad = { code: -32600, id: null }
  const cases: [string, unknown, { code: number; id: unknown }][] = [
    ['no JSON', '{"jsonrpc"', { code: -32700, id: null }],
    ['nothing', '', { code: -32700, id: null }],
    ['nested without end', '['.repeat(60_000), { code: -32700, id: null }],
    ['a batch', [call('message/send', {})], bad],
    ['an empty batch', [], bad],
    ['a text', '"x"', bad],
    ['another jsonrpc', { ...call('x', {}), jsonrpc: '1.0' }, { code: -32600, id: 7 }],
    ['an id that is an object', call('tasks/get', {}, {}), bad],
    ['no id', { jsonrpc: '2.0', method: 'tasks/get', params: { id: 'x' } }, bad],
    ['no method', { jsonrpc: '2.0', id: 'a' }, { code: -32600, id: 'a' }],
    [
      'a method that is an object',
      { jsonrpc: '2.0', id: 'a', method: {} },
      { code: -32600, id: 'a' },
    ],
    ['an unknown method of 0.3', call('message/eat', {}), { code: -32601, id: 7 }],
    ['an unknown method of 1.0', call('Eat', {}), { code: -32601, id: 7 }],
    ['no parameters', call('message/send', undefined), { code: -32602, id: 7 }],
    ['no message', call('SendMessage', {}), { code: -32602, id: 7 }],
    ['no task’s id', call('GetTask', {}), { code: -32602, id: 7 }],
    ['a foreign task', call('tasks/get', { id: 'x' }), { code: -32001, id: 7 }],
    ['a foreign task of 1.0', call('GetTask', { id: 'x' }, null), { code: -32001, id: null }],
    ['cancelling a foreign task', call('tasks/cancel', { id: 'x' }), { code: -32001, id: 7 }],
    ['cancelling one of 1.0', call('CancelTask', { id: 'x' }), { code: -32001, id: 7 }],
    ['streaming', call('message/stream', {}), { code: -32004, id: 7 }],
    ['streaming of 1.0', call('SendStreamingMessage', {}), { code: -32004, id: 7 }],
    ['subscribing', call('SubscribeToTask', { id: 'x' }), { code: -32004, id: 7 }],
    [
      'push',
      call('tasks/pushNotificationConfig/set', {
        taskId: 'x',
        pushNotificationConfig: { url: 'https://example.com' },
      }),
      { code: -32003, id: 7 },
    ],
    [
      'push of 1.0',
      call('CreateTaskPushNotificationConfig', { taskId: 'x' }),
      { code: -32003, id: 7 },
    ],
    ['the extended card', call('agent/getAuthenticatedExtendedCard', {}), { code: -32007, id: 7 }],
    ['the extended card of 1.0', call('GetExtendedAgentCard', {}), { code: -32004, id: 7 }],
    [
      'a configuration of nonsense',
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

  test('-32602: each part of a message that is none is named', async () => {
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

  test('-32009: a version that is not served, by header or by query', async () => {
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

  test('405: GET is told to POST; the address with a slash is the same one', async () => {
    const response = await context.ask(a2aPath)
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'OPTIONS, POST'])
    expect((await send(call('ListTasks', {}), {}, `${a2aPath}/`))['result']['tasks']).toEqual([])
  })
})
