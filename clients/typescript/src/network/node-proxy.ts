// Proxy support for Node, whose fetch has none before version 24. Sends requests with node:https,
// which it loads on first use.

import type { Proxy } from './proxy.ts'

/** The Node APIs used here, typed locally because consumers may compile without Node's types. */
interface Emitter {
  once(name: string, listener: (...values: never[]) => void): this
}
type Incoming = {
  readonly statusCode: number
  readonly statusMessage: string
  readonly headers: Readonly<Record<string, string | string[]>>
  resume(): void
}
interface Outgoing extends Emitter {
  end(bytes?: Uint8Array): void
}
type Socket = { destroy(): void }
type Target = { readonly host: string; readonly port: number; readonly servername?: string }
type ConnectCallback = (error: unknown, socket?: unknown) => void
type Modules = {
  http: { request(options: object): Outgoing; request(url: string, options: object): Outgoing }
  https: Modules['http'] & { Agent: new (options: object) => object }
  tls: { connect(options: object): unknown }
  stream: { Readable: { toWeb(source: Incoming): ReadableStream } }
}

/** Builds the module name at run time, so bundlers don't resolve it. */
const builtin = <N extends keyof Modules>(name: N): Promise<Modules[N]> => import(`node:${name}`)

/** An error whose code includes the proxy's status. */
const refusal = ({ url }: Proxy, { statusCode: status }: Incoming) =>
  Object.assign(new Error(`the proxy ${url.host} responded with ${status}`), {
    code: `PROXY_${status}`,
  })

const agents: Record<string, Promise<object>> = {}

/** An agent that tunnels to TLS servers and keeps connections alive. "ws" also accepts it. */
export const agentFor = (proxy: Proxy): Promise<object> =>
  (agents[proxy.url.href] ??= openAgent(proxy))

async function openAgent(proxy: Proxy): Promise<object> {
  const [http, { Agent }, tls] = [
    await builtin('http'),
    await builtin('https'),
    await builtin('tls'),
  ]
  const connect = (target: Target, done: ConnectCallback) => {
    const path = `${target.host.includes(':') ? `[${target.host}]` : target.host}:${target.port}`
    const headers = { host: path, ...authorized(proxy) }
    const refused = (answer: Incoming) => done(refusal(proxy, answer))
    http
      .request({ ...placeOf(proxy), method: 'CONNECT', path, headers, agent: false })
      .once('connect', (answer: Incoming, socket: Socket) => {
        if (answer.statusCode < 300) return done(null, tls.connect({ ...target, socket }))
        socket.destroy()
        refused(answer)
      })
      .once('response', refused)
      .once('error', done)
      .end()
  }
  class Tunnels extends Agent {
    createConnection = connect
  }
  return new Tunnels({ keepAlive: true })
}

const placeOf = ({ url }: Proxy) => ({ host: url.hostname, port: Number(url.port || 80) })
const authorized = ({ authorization }: Proxy): Record<string, string> =>
  authorization === undefined ? {} : { 'proxy-authorization': authorization }

/** Like fetch, but through the proxy. */
export async function requestThrough(
  proxy: Proxy,
  url: string,
  { body, method, signal, ...init }: RequestInit | Request,
) {
  const { protocol, host } = new URL(url)
  const isSecure = protocol === 'https:'
  const { request } = await builtin(isSecure ? 'https' : 'http')
  const { Readable } = await builtin('stream')
  const bytes = body && new Uint8Array(await new Response(body).arrayBuffer())
  const headers = {
    ...Object.fromEntries(new Headers(init.headers)),
    ...(bytes ? { 'content-length': String(bytes.length) } : {}),
    ...(isSecure ? {} : { host, ...authorized(proxy) }),
  }
  const way = isSecure ? { agent: await agentFor(proxy) } : { ...placeOf(proxy), path: url }
  return new Promise<Response>((resolve, reject) => {
    const outgoing = request(url, { ...way, method, headers, signal })
    outgoing.once('error', reject).once('response', (answer: Incoming) => {
      const isEmpty = [204, 304].includes(answer.statusCode)
      if (isEmpty) answer.resume()
      resolve(
        new Response(isEmpty ? null : Readable.toWeb(answer), {
          status: answer.statusCode,
          statusText: answer.statusMessage,
          headers: Object.entries(answer.headers).map(([name, value]) => [name, String(value)]),
        }),
      )
    })
    outgoing.end(bytes || undefined)
  })
}
