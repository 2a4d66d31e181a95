// Uses the protocol's official library for everything except plain calls: handshakes, discovery,
// ping, resources, and refusals. Each request gets a new server, because there are no sessions.

import {
  createMcpHandler,
  isLegacyRequest,
  ProtocolError,
  ResourceNotFoundError,
  Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import { infoOf, type ServerText, skillsExtension } from '#contract/mcp/servers.ts'
import { isJsonType } from '#http/json-body.ts'
import { confirmationOf, inputRequired } from './message.ts'
import { inOurWords } from './params.ts'
import { Ask, isRecord, type ToolResult, WrittenResult } from './result.ts'
import type { Call, ResourceSource, SkillSource, ToolSource } from './source.ts'

const paramsCode = -32_602

export type Library = {
  /** Answers a request whose body was read; `message` is undefined if the body isn't JSON. */
  answer(request: Request, message: unknown, call: Call): Promise<Response>
}

export function openLibrary(definition: ServerText, source: ToolSource): Library {
  return {
    async answer(request, message, call) {
      const asked = new Asked(source, call, message)
      const factory = () => serverOf(definition, asked)
      const response = await served(factory, request, message)
      if (asked.failures.length > 0) throw asked.failures[0]
      // Removes charset, because JSON has no such parameter (RFC 8259).
      if (isJsonType(response.headers.get('content-type')))
        response.headers.set('content-type', 'application/json')
      return asked.spliced(response)
    },
  }
}

/** One message to the library, with the results and failures from the source. */
class Asked {
  readonly failures: unknown[] = []
  private written: WrittenResult | undefined
  constructor(
    readonly source: ToolSource,
    readonly call: Call,
    readonly message: unknown,
  ) {}

  /**
   * Hides failures from the library, which would send their messages to the caller. The failures
   * are rethrown later.
   */
  async or<T>(answer: () => T | Promise<T>): Promise<T> {
    return Promise.try(answer).catch((failure: unknown) => {
      this.failures.push(failure)
      throw new ProtocolError(-32_603, 'Internal error')
    })
  }

  async callTool(name: string, given: unknown) {
    const confirmation = confirmationOf(this.message)
    const result = await this.or(() => this.source.call(this.call, { name, given, confirmation }))
    if (result === undefined) {
      const { tools } = await this.or(() => this.source.list(this.call))
      throw unknownTool(name, tools)
    }
    this.call.request.addLogFields({ tool: name })
    if (result instanceof Ask) return inputRequired(result.message)
    if (!(result instanceof WrittenResult)) return result
    this.written = result
    return { ...placeholder, _meta: { ...result.meta } } satisfies ToolResult
  }

  /** Replaces the placeholder with the result's text, so the result is never parsed. */
  async spliced(response: Response): Promise<Response> {
    const { members } = this.written ?? {}
    if (members === undefined && !isJsonType(response.headers.get('content-type'))) return response
    const sent = await response.text()
    const text =
      members === undefined ? inOurWords(sent) : sent.replace(placeholderText, () => members)
    const headers = new Headers(response.headers)
    headers.delete('content-length')
    return new Response(text, { status: response.status, headers })
  }
}

/** A placeholder for a written result's fields. None of our own results has empty content. */
const placeholder: ToolResult = { content: [] }
const placeholderText = '"content":[]'

function serverOf(definition: ServerText, asked: Asked): Server {
  const { source, call } = asked
  const { resources, skills, cache } = source
  const server = new Server(infoOf(definition), {
    capabilities: {
      tools: {},
      ...(resources ? { resources: {} } : {}),
      ...(skills ? { extensions: skillsExtension } : {}),
    },
    instructions: definition.instructions,
    cacheHints: {
      'tools/list': cache,
      'server/discover': cache,
      ...(resources && hintsOf(resources)),
    },
  })
  server.setRequestHandler('tools/list', () =>
    asked.or(async () => ({ tools: [...(await source.list(call)).tools] as never[] })),
  )
  server.setRequestHandler('tools/call', ({ params }) =>
    asked.callTool(params.name, params.arguments),
  )
  if (resources) handleResources(server, resources, asked)
  if (skills) handleSkills(server, skills, asked)
  return server
}

const hintsOf = ({ cache }: ResourceSource) => ({
  'resources/list': cache,
  'resources/templates/list': cache,
  'resources/read': cache,
})

function handleResources(server: Server, resources: ResourceSource, asked: Asked): void {
  const { call } = asked
  server.setRequestHandler('resources/list', () =>
    asked.or(async () => ({ resources: [...(await resources.list(call))] as never[] })),
  )
  server.setRequestHandler('resources/templates/list', () =>
    asked.or(async () => ({ resourceTemplates: [...(await resources.templates(call))] })),
  )
  server.setRequestHandler('resources/read', async ({ params: { uri } }) => {
    const read = await asked.or(() => resources.read(call, uri))
    if (read.contents === null) throw new ResourceNotFoundError(uri, read.message)
    return { contents: [...read.contents] }
  })
}

/** Sends the fields that the extension requires in the newest revision in every revision. */
function handleSkills(server: Server, { cache, entries }: SkillSource, asked: Asked): void {
  const complete = { ...cache, resultType: 'complete' as const }
  server.setRequestHandler('skills/list', { params: anyParams }, async () => {
    const skills = await asked.or(() => entries(asked.call))
    return { ...complete, skills: [...skills] }
  })
  server.setRequestHandler('skills/get', { params: anyParams }, async params => {
    const uri = isRecord(params) ? params['uri'] : undefined
    const found = typeof uri === 'string' ? await asked.or(() => entries(asked.call, uri)) : []
    const skill = found.find(each => each.uri === uri)
    if (skill !== undefined) return { ...complete, skill }
    throw new ProtocolError(paramsCode, 'No skill has this URI. skills/list has them all.')
  })
}

/** Accepts anything, because each handler parses its own params. */
const anyParams = {
  '~standard': { version: 1, vendor: 'own', validate: (value: unknown) => ({ value }) },
} as const

function unknownTool(name: string, tools: readonly { readonly name: string }[]): ProtocolError {
  const shown = /^[\w./-]{1,128}$/.test(name) ? name : 'this name'
  return new ProtocolError(paramsCode, `Unknown tool: ${shown}`, {
    hint: `Tools: ${tools.map(tool => tool.name).join(', ')}.`,
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
