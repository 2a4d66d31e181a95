// A typical tool server: the protocol's own library with the same tools. The server is stateless,
// so each request gets a new server. Each tool calls the REST API with the caller's credential.
import {
  createMcpHandler,
  fromJsonSchema,
  isLegacyRequest,
  McpServer,
} from '@modelcontextprotocol/server'
import { listedTool, clinicalTools } from '#contract/tools/tools.ts'
import { answerEarlier, servePosts } from '../tools/library-server.ts'

type ToolPeerSettings = {
  port: number
  /** The REST API's port. */
  api: number
}

const tools = clinicalTools.map(tool => {
  const { name, title, description, annotations, inputSchema } = listedTool(tool)
  const schema = fromJsonSchema<{ id: string }>(inputSchema as never)
  return { name, path: tool.operation.path, title, description, annotations, schema }
})

function open({ port, api }: ToolPeerSettings): void {
  const serverFor = (authorization: string) => () => {
    const server = new McpServer({ name: 'peer', version: '1' })
    for (const { name, path, schema, ...texts } of tools) {
      server.registerTool(name, { ...texts, inputSchema: schema }, async ({ id }) => {
        const url = `http://127.0.0.1:${api}${path.replace('{id}', id)}`
        const headers = { authorization, host: `localhost:${api}` }
        const value = (await (await fetch(url, { headers })).json()) as Record<string, unknown>
        return {
          content: [{ type: 'text' as const, text: JSON.stringify(value) }],
          structuredContent: value,
        }
      })
    }
    return server
  }
  servePosts(port, async request => {
    const factory = serverFor(request.headers.get('authorization') ?? '')
    return (await isLegacyRequest(request.clone()))
      ? answerEarlier(factory(), request)
      : createMcpHandler(factory, { legacy: 'reject' }).fetch(request)
  })
}

if (import.meta.main) open(await Bun.stdin.json())
