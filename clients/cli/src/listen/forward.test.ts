// Forwarding an event with its resource while the API is unavailable.
import { expect, test } from 'bun:test'
import { problemResponse } from '../../testing/problem.ts'
import { openReceiver } from '../../testing/receiver.ts'
import { openApi } from '../api/client.ts'
import type { Context } from '../context.ts'
import { openForwarder } from './forward.ts'
import { newSecret } from './secret.ts'

test('an event waits for its resource until the API responds again', async () => {
  const resource = { type: 'case', id: 'case_01m7wqryk2hdshyqxcd9x2kd4r' }
  let asked = 0
  const server = Bun.serve({
    port: 0,
    fetch: () =>
      ++asked <= 3 ? problemResponse(503, 'service_unavailable') : Response.json(resource),
  })
  const api = openApi({
    baseUrl: `http://localhost:${server.port}`,
    version: '0',
    timeoutMs: 10_000,
    secret: () => Promise.resolve('svc_sk_test_a'),
  })
  const receiver = openReceiver()
  const messages: string[] = []
  const out = { item: async () => {}, say: (text: string) => void messages.push(text) }
  const context = { api, out } as unknown as Context
  const { forward } = openForwarder(context, {
    target: new URL(`http://${receiver.address}`),
    secret: newSecret(),
    includeResource: true,
    concurrency: 1,
  })
  const event = { id: 'evt_1', type: 'case.queued.v1', created_at: '', resource }
  await forward({ event, text: JSON.stringify(event) }, 'live')
  const [posted] = await receiver.received(1)
  expect(JSON.parse(posted?.body ?? '')).toEqual({ ...event, data: resource })
  expect(messages).toEqual(['Busy (service_unavailable, 503). Trying again.'])
  await Promise.all([server.stop(true), receiver.close()])
})
