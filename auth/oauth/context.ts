// A request and its response, for our own endpoints and the library's framework.

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Provider } from 'oidc-provider'

/** The library's context for a request it handles. */
export type Context = Parameters<Parameters<Provider['use']>[0]>[0]

type Headers = Readonly<Record<string, string | string[]>>

/** The parts that both kinds of responses share. */
export type AnswerContext = {
  readonly path: string
  readonly method: string
  status: number
  body: unknown
  set(headers: Headers): void
  set(name: string, value: string): void
  readonly response: {
    readonly headers: Readonly<Record<string, unknown>>
    set(name: string, value: string[]): void
    remove(name: string): void
  }
}

/** The context of a request handled without the library's framework, which would take a twelfth to
 *  a third of the server's time per token (bench/README.md). */
export class OwnContext implements AnswerContext {
  readonly method: string
  readonly path: string
  status = 200
  body: unknown
  readonly headers: Record<string, string | string[]> = {}

  constructor(public req: IncomingMessage) {
    const { method = '', url = '' } = req
    this.method = method
    const at = url.indexOf('?')
    this.path = at < 0 ? url : url.slice(0, at)
  }

  get querystring(): string {
    const { url = '' } = this.req
    const at = url.indexOf('?')
    return at < 0 ? '' : url.slice(at + 1)
  }

  set querystring(query: string) {
    this.req.url = `${this.path}?${query}`
  }

  get(name: string): string {
    const value = this.req.headers[name]
    return Array.isArray(value) ? value.join(', ') : (value ?? '')
  }

  set(name: string | Headers, value?: string): void {
    if (typeof name === 'string') this.headers[name.toLowerCase()] = value ?? ''
    else for (const [each, text] of Object.entries(name)) this.headers[each.toLowerCase()] = text
  }

  get response(): AnswerContext['response'] {
    const { headers } = this
    return {
      headers,
      set: (name, value) => void (headers[name.toLowerCase()] = value),
      remove: name => void delete headers[name.toLowerCase()],
    }
  }

  send(response: ServerResponse): void {
    const { body, headers, status } = this
    if (body === undefined) {
      response.writeHead(status, headers).end()
      return
    }
    const isText = typeof body === 'string' || body instanceof Uint8Array
    const sent = isText ? body : JSON.stringify(body)
    headers['content-type'] ??= isText ? 'text/plain; charset=utf-8' : jsonType
    headers['content-length'] = String(Buffer.byteLength(sent))
    response.writeHead(status, headers)
    response.end(this.method === 'HEAD' ? undefined : sent)
  }
}

export const jsonType = 'application/json; charset=utf-8'
