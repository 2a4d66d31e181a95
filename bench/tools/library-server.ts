// Code shared by the peers that use the protocol's own library: the response to a client with a
// protocol version that has a handshake, and the port.
import {
  type McpServer,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'

/** `server` is stateless, so each request needs a new server. */
export async function answerEarlier(server: McpServer, request: Request): Promise<Response> {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  await server.connect(transport)
  const response = await transport.handleRequest(request)
  void server.close()
  return response
}

export function servePosts(port: number, answer: (request: Request) => Promise<Response>): void {
  Bun.serve({
    port,
    hostname: '127.0.0.1',
    fetch: request =>
      request.method === 'POST' ? answer(request) : new Response(null, { status: 405 }),
  })
}
