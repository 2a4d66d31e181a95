// The agent's row. A2A's own schemas validate its methods.
import { Type } from 'typebox'
import { a2aExample, a2aPath, a2aVersions } from './a2a.ts'
import type { Answer } from '../operation.ts'
import { named } from '../shapes.ts'
import { RpcError } from './errors.ts'
import { defineSite } from './operation.ts'

const words = (description: string) => Type.String({ description })
const rpcId = Type.Unsafe({
  type: ['string', 'integer', 'null'],
  description: 'The ID of the call.',
})

const RpcCall = named('AgentCall', 'One JSON-RPC 2.0 call.', {
  jsonrpc: Type.Optional(words('`2.0`.')),
  id: Type.Optional(Type.Unknown({ description: 'A string, an integer or null.' })),
  method: Type.Optional(words('`message/send` (0.3) or `SendMessage` (1.0).')),
  params: Type.Optional(
    Type.Unknown({ description: 'A message, in the format of the protocol version.' }),
  ),
})

const RpcResult = named('AgentResult', "The agent's response: a message.", {
  jsonrpc: Type.Literal('2.0'),
  id: rpcId,
  result: Type.Unknown({
    description:
      'In 0.3, the message itself; in 1.0, `{"message": …}`. The booking is in its data part.',
  }),
})

const parts = [{ kind: 'data', data: a2aExample }]
const message = { kind: 'message', messageId: '7b1c9a52-5d0e-4f6b', role: 'user', parts }
const [call, newer] = [
  { jsonrpc: '2.0', id: 1, method: 'message/send', params: { message } },
  {
    jsonrpc: '2.0',
    id: 1,
    method: 'SendMessage',
    params: {
      message: {
        messageId: '7b1c9a52-5d0e-4f6c',
        role: 'ROLE_USER',
        parts: [{ data: a2aExample }],
      },
    },
  },
]

/** A response to an error with the Idempotency-Key. */
const keyed = (status: 409 | 422, description: string): Answer => ({
  status,
  description,
  content: { 'application/json': { schema: RpcError } },
})

export const agentOperations = defineSite({
  sendToAgent: {
    method: 'POST',
    path: a2aPath,
    tag: 'Agent',
    form: 'jsonrpc',
    summary: 'Send a message to the site’s agent.',
    description: `A2A ${a2aVersions.join(' and ')} over JSON-RPC; the card is at /.well-known/agent-card.json. A data part with first_name and email books the discovery call; for any other message the agent says what to ask the person and what to send. By sending the details you confirm that the person was asked and agreed; \`user_consent\` other than true is refused. An email address at a reserved domain (RFC 2606) makes it a dry run: nothing is sent or stored, and the response has \`Service-Dry-Run: true\`. Protocol errors have status 200. A call without an \`id\` is a notification: it takes effect but gets no response.`,
    body: RpcCall,
    answers: [
      {
        status: 200,
        description: 'A message, or a protocol error.',
        content: { 'application/json': { schema: Type.Union([RpcResult, RpcError]) } },
      },
      { status: 204, description: 'A notification, which gets no response.', content: {} },
      keyed(409, '`idempotency_in_flight`: the first call with this key is still running.'),
      keyed(422, '`idempotency_conflict`: the key was used with another message.'),
    ],
    examples: {
      dry_run: { summary: 'A dry run, in 0.3', body: call, status: 200 },
      newer: {
        summary: 'The same in 1.0',
        headers: { 'A2A-Version': '1.0' },
        body: newer,
        status: 200,
      },
      task: {
        summary: 'A task that does not exist',
        body: { jsonrpc: '2.0', id: 1, method: 'tasks/get', params: { id: 'none' } },
        status: 200,
      },
    },
  },
})
