// Pages behind a node:http listener shared with another application: each request becomes a fetch
// request, and the response is written back.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { internalError } from '../endpoint-group.ts'
import { type FailedRequest, HttpRequest } from '../http-request.ts'
import { createDispatch, problemResponse } from '../router.ts'
import type { Pages } from './pages.ts'

type CallFacts = {
  readonly requestId: string
  /** The client's address. Null once the connection has closed. */
  readonly address: string | null
}

const noPeers = { requestIP: () => null }

export function answerForNode(
  { endpoints, fallback }: Pages,
  onError: (failure: unknown, request: FailedRequest) => void,
) {
  const dispatch = createDispatch(
    { groups: [], plain: endpoints, fallback },
    (failure, request) => {
      onError(failure, request)
      return problemResponse(internalError(request.id), request, '')
    },
  )
  return async (
    given: IncomingMessage,
    response: ServerResponse,
    { requestId, address }: CallFacts,
  ): Promise<void> => {
    const request = new HttpRequest(fetchRequestOf(given), requestId, noPeers, () => address)
    await write(await dispatch(request), given, response)
  }
}

/** The listener has already checked the host, so the URL uses a placeholder. */
function fetchRequestOf(given: IncomingMessage): Request {
  const { method = 'GET', url = '/' } = given
  const headers = new Headers()
  for (const [name, value] of Object.entries(given.headers)) {
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value)
  }
  const body = /^(GET|HEAD)$/.test(method)
    ? {}
    : { body: Readable.toWeb(given) as unknown as ReadableStream, duplex: 'half' }
  return new Request(`http://pages${url}`, { method, headers, ...body } as RequestInit)
}

async function write(
  answer: Response,
  given: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const bytes = Buffer.from(await answer.arrayBuffer())
  for (const [name, value] of answer.headers) response.appendHeader(name, value)
  response.setHeader('content-length', bytes.length)
  // Unread bytes would be parsed as the next request.
  if (!given.complete) response.setHeader('connection', 'close')
  response.writeHead(answer.status).end(given.method === 'HEAD' ? undefined : bytes)
}
