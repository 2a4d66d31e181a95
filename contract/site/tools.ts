// The tool servers' rows. The Model Context Protocol's own schemas validate their methods, and the
// servers' cards list the tools.
import { Type } from 'typebox'
import { protocolVersions } from '../mcp/servers.ts'
import type { Answer } from '../operation.ts'
import { named } from '../shapes.ts'
import { RpcError } from './errors.ts'
import { defineSite, type SiteExample } from './operation.ts'

const words = (description: string) => Type.String({ description })

const ToolRequest = named('ToolRequest', 'One JSON-RPC 2.0 message.', {
  jsonrpc: words('`2.0`.'),
  id: Type.Optional(Type.Unknown({ description: 'Absent in notifications.' })),
  method: words('`tools/list`, `tools/call`, `server/discover`, `initialize` or `ping`.'),
  params: Type.Optional(Type.Unknown({ description: 'The parameters of the method.' })),
})

const ToolAnswer = named('ToolAnswer', 'The result of the method.', {
  jsonrpc: Type.Literal('2.0'),
  id: Type.Unsafe({ type: ['string', 'integer'], description: 'The ID of the message.' }),
  result: Type.Unknown({
    description:
      'For `tools/call`: `structuredContent`, which matches the tool’s output schema, and `content`. With `isError`, it is an error the caller can fix.',
  }),
})

const json = (schema: typeof RpcError) => ({ 'application/json': { schema } })
const answers: readonly [Answer, ...Answer[]] = [
  {
    status: 200,
    description: 'A result, or a protocol error.',
    content: { 'application/json': { schema: Type.Union([ToolAnswer, RpcError]) } },
  },
  { status: 202, description: 'The notification was accepted.', content: {} },
  { status: 403, description: 'The page’s origin is not allowed.', content: json(RpcError) },
  { status: 404, description: 'No such method (2026-07-28).', content: json(RpcError) },
]

const meta = {
  'io.modelcontextprotocol/protocolVersion': protocolVersions[0],
  'io.modelcontextprotocol/clientCapabilities': {},
}
const message = (method: string, params: object = {}) => ({ jsonrpc: '2.0', id: 1, method, params })

const shared: Readonly<Record<string, SiteExample>> = {
  discover: {
    summary: 'Server information, without a handshake',
    headers: { 'MCP-Protocol-Version': protocolVersions[0], 'Mcp-Method': 'server/discover' },
    body: message('server/discover', { _meta: meta }),
    status: 200,
  },
  tools: { summary: 'The list of tools', body: message('tools/list'), status: 200 },
  article: {
    summary: 'The first articles',
    body: message('tools/call', { name: 'list_articles', arguments: { limit: 2 } }),
    status: 200,
  },
}

const description = `The Model Context Protocol, ${protocolVersions.join(', ')}, without sessions or streams: each message gets one JSON response. Invalid arguments return a result with \`isError\` that says how to fix them.`

export const toolOperations = defineSite({
  callTool: {
    method: 'POST',
    path: '/mcp',
    tag: 'Tools',
    form: 'jsonrpc',
    summary: 'Call a tool on the product server.',
    description: `${description} Nine tools; the card is at /.well-known/mcp/server-card.json. The two booking tools need the person’s own consent, name and email address, and have no test mode.`,
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
    summary: 'Call a tool on the documentation server.',
    description: `${description} The six read-only tools; the card is at /.well-known/mcp-docs.json.`,
    body: ToolRequest,
    answers,
    examples: shared,
  },
})
