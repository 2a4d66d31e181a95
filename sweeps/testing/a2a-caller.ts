// An A2A client for tests: messages in both protocol versions, and response readers.
import { expect } from 'bun:test'
import { a2aPath } from '#contract/site/a2a.ts'
import type { AgentsFixture } from '#gateway/testing/agents.ts'
import { faultsBy03, faultsBy10 } from './a2a-schemas.ts'

export type Answer = Record<string, any> // oxlint-disable-line no-explicit-any

export async function sendTo(
  context: AgentsFixture,
  body: unknown,
  headers: Record<string, string> = {},
  path: string = a2aPath,
) {
  const response = await context.ask(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': 'agent/3', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json'])
  return (await response.json()) as Answer
}

export const call = (method: string, params: unknown, id: unknown = 7) => ({
  jsonrpc: '2.0',
  id,
  method,
  params,
})
export const dialects = {
  '0.3': {
    send: (parts: object[], more: object = {}) =>
      call('message/send', {
        message: { kind: 'message', messageId: crypto.randomUUID(), role: 'user', parts, ...more },
      }),
    text: (text: string) => ({ kind: 'text', text }),
    data: (data: object) => ({ kind: 'data', data }),
    message: ({ result }: Answer) => result as Answer,
    faults: (answer: Answer) => faultsBy03('SendMessageSuccessResponse', answer),
  },
  '1.0': {
    send: (parts: object[], more: object = {}) =>
      call('SendMessage', {
        message: { messageId: crypto.randomUUID(), role: 'ROLE_USER', parts, ...more },
      }),
    text: (text: string) => ({ text }),
    data: (data: object) => ({ data, mediaType: 'application/json' }),
    message: ({ result }: Answer) => result['message'] as Answer,
    faults: ({ result }: Answer) => faultsBy10('Send Message Response', result),
  },
} as const

export const textIn = (message: Answer) =>
  message['parts'].find((part: Answer) => 'text' in part)?.['text'] as string
export const dataIn = (message: Answer) =>
  message['parts'].find((part: Answer) => 'data' in part)?.['data'] as Answer
export const once = { bookings: 1, mail: 2 }
export const never = { bookings: 0, mail: 0 }
