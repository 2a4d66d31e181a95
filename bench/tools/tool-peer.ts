// A tool server with the protocol's own libraries, `next` or `former`: their high-level server,
// with one tool that returns the same object as ours. The server is stateless, so each request gets
// a new server.
import {
  createMcpHandler,
  fromJsonSchema,
  isLegacyRequest,
  McpServer,
} from '@modelcontextprotocol/server'
import { McpServer as FormerServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { WebStandardStreamableHTTPServerTransport as FormerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { readFileSync } from 'node:fs'
import { contentTools } from '#contract/mcp/content-tools.ts'
import { listed } from '#contract/mcp/tool.ts'
import { answerEarlier, servePosts } from './library-server.ts'

export type PeerSettings = {
  port: number
  line: 'next' | 'former'
  /** The JSON that the tool returns. */
  file: string
}

const info = { name: 'peer', version: '1' }
const { name, title, description, annotations, inputSchema } = listed(contentTools.get_overview)
const tool = { title, description, annotations }

const resultOf = (value: Record<string, unknown>) => ({
  content: [{ type: 'text' as const, text: JSON.stringify(value) }],
  structuredContent: value,
})

function nextLine(value: Record<string, unknown>): (request: Request) => Promise<Response> {
  const schema = fromJsonSchema<object>(inputSchema)
  const factory = () => {
    const server = new McpServer(info)
    server.registerTool(name, { ...tool, inputSchema: schema }, () => resultOf(value))
    return server
  }
  const handler = createMcpHandler(factory, { legacy: 'reject' })
  return async request =>
    (await isLegacyRequest(request)) ? answerEarlier(factory(), request) : handler.fetch(request)
}

const formerLine =
  (value: Record<string, unknown>) =>
  async (request: Request): Promise<Response> => {
    const server = new FormerServer(info)
    server.registerTool(name, { ...tool, inputSchema: {} }, () => resultOf(value))
    const transport = new FormerTransport({ enableJsonResponse: true })
    await server.connect(transport as Transport)
    const response = await transport.handleRequest(request)
    void server.close()
    return response
  }

function open({ port, line, file }: PeerSettings): void {
  const value: Record<string, unknown> = JSON.parse(readFileSync(file, 'utf8'))
  servePosts(port, line === 'next' ? nextLine(value) : formerLine(value))
}

if (import.meta.main) open(await Bun.stdin.json())
