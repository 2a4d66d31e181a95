// The rows of the tool servers. Their methods are those of the Model Context Protocol, whose own
// schemas validate them; the tools are listed in the servers' cards.
import { Type } from 'typebox'
import { protocolVersions } from '../mcp/servers.ts'
import type { Answer } from '../operation.ts'
import { named } from '../shapes.ts'
import { RpcError } from './errors.ts'
import { defineSite, type SiteExample } from './operation.ts'

const words = (description: string) => Type.String({ description })

const ToolRequest = named('ToolRequest', 'A message of JSON-RPC 2.0; one at a time.', {
  jsonrpc: words('`2.0`.'),
  id: Type.Optional(Type.Unknown({ description: 'Absent from a notification.' })),
  method: words('`tools/list`, `tools/call`, `server/discover`, `initialize` or `ping`.'),
  params: Type.Optional(Type.Unknown({ description: 'As the method has them.' })),
})

const ToolAnswer = named('ToolAnswer', 'What the method answers.', {
  jsonrpc: Type.Literal('2.0'),
  id: Type.Unsafe({ type: ['string', 'integer'], description: 'Of the message.' }),
  result: Type.Unknown({
    description:
      'Of `tools/call`: `structuredContent`, which fits the tool’s output schema, and `content`. With `isError` it is a refusal that the caller can mend.',
  }),
})

const json = (schema: typeof RpcError) => ({ 'application/json': { schema } })
const answers: readonly [Answer, ...Answer[]] = [
  {
    status: 200,
    description: 'A result, or an error of the protocol.',
    content: { 'application/json': { schema: Type.Union([ToolAnswer, RpcError]) } },
  },
  { status: 202, description: 'A notification was taken.', content: {} },
  { status: 403, description: 'The page’s origin may not call.', content: json(RpcError) },
  { status: 404, description: 'No such method (2026-07-28).', content: json(RpcError) },
]

const meta = {
  'io.modelcontextprotocol/protocolVersion': protocolVersions[0],
  'io.modelcontextprotocol/clientCapabilities': {},
}
const message = (method: string, params: object = {}) => ({ jsonrpc: '2.0', id: 1, method, params })

const shared: Readonly<Record<string, SiteExample>> = {
  discover: {
    summary: 'What the server is, without a handshake',
    headers: { 'MCP-Protocol-Version': protocolVersions[0], 'Mcp-Method': 'server/discover' },
    body: message('server/discover', { _meta: meta }),
    status: 200,
  },
  tools: { summary: 'Which tools there are', body: message('tools/list'), status: 200 },
  article: {
    summary: 'The first articles',
    body: message('tools/call', { name: 'list_articles', arguments: { limit: 2 } }),
    status: 200,
  },
}

const description = `The Model Context Protocol, ${protocolVersions.join(', ')}, without sessions and streams: each message is answered with one JSON. Arguments that do not fit are a result with \`isError\`, and say how to mend them.`

export const toolOperations = defineSite({
  callTool: {
    method: 'POST',
    path: '/mcp',
    tag: 'Tools',
    form: 'jsonrpc',
    summary: 'Call a tool of the product server.',
    description: `${description} Nine tools; the card is at /.well-known/mcp/server-card.json. The two that book ask for the person’s own consent, name and address, and have no test mode.`,
    body: ToolRequest,
    answers,
    examples: {
      ...shared,
      without_consent: {
        summary: 'A booking without consent, which is refused',
        body: message('tools/call', { name: 'book_discovery_call', arguments: {} }),
        status: 200,
      },
    },
  },
  callReadingTool: {
    method: 'POST',
    path: '/docs/mcp',
    tag: 'Tools',
    form: 'jsonrpc',
    summary: 'Call a tool of the documentation server.',
    description: `${description} The six tools that read; the card is at /.well-known/mcp-docs.json.`,
    body: ToolRequest,
    answers,
    examples: shared,
  },
})
