// Uses the protocol's official library for everything except plain calls: handshakes, discovery,
// ping, notifications, and refusals. Each request gets a new server, because there is no session.

import {
  createMcpHandler,
  isLegacyRequest,
  ProtocolError,
  Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import { infoOf, type ServerDefinition } from '#contract/mcp/servers.ts'
import { listed } from '#contract/mcp/tool.ts'
import { isJsonType } from '#http/json-body.ts'
import type { ToolResult } from './result.ts'
import type { Caller, Tool } from './tool.ts'

/** The same for every caller until the next deployment, so shared caches may store it. */
export const cacheHint = { ttlMs: 3_600_000, cacheScope: 'public' } as const

const unknownToolCode = -32_602

type Library = {
  /** Answers a request whose body was read; `message` is undefined if the body is not JSON. */
  answer(request: Request, message: unknown, caller: Caller): Promise<Response>
}

export function openLibrary(definition: ServerDefinition, tools: readonly Tool[]): Library {
  const byName = new Map(tools.map(tool => [tool.definition.name, tool]))
  const list = tools.map(({ definition }) => listed(definition))
  return {
    async answer(request, message, caller) {
      const failures: unknown[] = []
      const factory = () => {
        const server = new Server(infoOf(definition), {
          capabilities: { tools: {} },
          instructions: definition.instructions,
          cacheHints: { 'tools/list': cacheHint, 'server/discover': cacheHint },
        })
        server.setRequestHandler('tools/list', () => ({ tools: list }))
        server.setRequestHandler('tools/call', async ({ params }) => {
          const found = byName.get(params.name)
          if (found === undefined) throw unknownTool(params.name, [...byName.keys()])
          const called = Promise.try(() => found.call(params.arguments, caller))
          // The library would send the failure's message to the caller; it belongs in the log.
          return called.catch((failure: unknown): ToolResult => {
            failures.push(failure)
            throw new ProtocolError(-32_603, 'Internal error')
          })
        })
        return server
      }
      const response = await served(factory, request, message)
      if (failures.length > 0) throw failures[0]
      // JSON has no charset parameter (RFC 8259).
      if (isJsonType(response.headers.get('content-type')))
        response.headers.set('content-type', 'application/json')
      return response
    },
  }
}

function unknownTool(name: string, names: readonly string[]): ProtocolError {
  const shown = /^[\w./-]{1,128}$/.test(name) ? name : 'this name'
  return new ProtocolError(unknownToolCode, `Unknown tool: ${shown}`, {
    hint: `Tools: ${names.join(', ')}.`,
  })
}

async function served(factory: () => Server, request: Request, message: unknown) {
  const isEarlier = await isLegacyRequest(request.clone(), message)
  if (!isEarlier) {
    const handler = createMcpHandler(factory, { legacy: 'reject' })
    return handler.fetch(request, message === undefined ? {} : { parsedBody: message })
  }
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  const server = factory()
  await server.connect(transport)
  const response = await transport.handleRequest(
    request,
    message === undefined ? {} : { parsedBody: message },
  )
  void server.close()
  return response
}
