// Reads a request of node:http for a page, and writes the page's answer.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { readNodeForm } from '#http/html/form.ts'
import type { PageAnswer, PageRequest } from './page.ts'

type CallFacts = Pick<PageRequest, 'address' | 'requestId'>

/** Null where the body is no form of a page. */
export async function readPageRequest(
  request: IncomingMessage,
  response: ServerResponse,
  facts: CallFacts,
): Promise<PageRequest | null> {
  const { method = 'GET', url = '/' } = request
  const at = url.indexOf('?')
  const form = method === 'POST' ? await readNodeForm(request) : new URLSearchParams()
  if (typeof form === 'string' || [...form.values()].some(hasNul)) return null
  return {
    ...facts,
    method,
    path: at < 0 ? url : url.slice(0, at),
    query: new URLSearchParams(at < 0 ? '' : url.slice(at)),
    form,
    raw: [request, response],
    header: name => textOf(request.headers[name]),
  }
}

/** No text of the database may have one, and no field of a page needs it. */
const hasNul = (value: string) => value.includes('\0')

const textOf = (value: string | string[] | undefined): string | null =>
  (Array.isArray(value) ? value.join(', ') : value) ?? null

export function writePageAnswer([request, response]: PageRequest['raw'], answer: PageAnswer): void {
  response.statusCode = answer.status
  for (const [name, value] of Object.entries(answer.headers)) response.setHeader(name, value)
  if (answer.cookies !== undefined && answer.cookies.length > 0) {
    response.appendHeader('set-cookie', [...answer.cookies])
  }
  response.setHeader('content-length', Buffer.byteLength(answer.body))
  // What was not read would be taken for the next request.
  if (!request.complete) response.setHeader('connection', 'close')
  response.end(request.method === 'HEAD' ? undefined : answer.body)
}
