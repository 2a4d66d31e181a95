// Controls a test's network for clients in other processes: `POST /` with faults and a route opens
// an API address, and `GET /<number>` returns the requests that arrived there.

import type { Fault } from '../typescript/testing/proxy.ts'
import { openProxy } from '../typescript/testing/proxy.ts'
import { type Certificate, openNetwork } from './network.ts'

/** How a client reaches the API. A client without a `Way` connects directly. */
type Way = {
  /** The URL, with {port} for the port of the API or of the TLS server in front of it. */
  readonly url: string
  readonly certificate?: Certificate
  readonly proxy?: { readonly user?: string; readonly answers?: number[] }
  /** The credentials that the client sends to the proxy. */
  readonly user?: string
  /** How the client's proxy is configured: by a variable or by its option. */
  readonly by?: string
  readonly NO_PROXY?: string
}

export function openControl(upstream: string) {
  const network = openNetwork(Date.now(), upstream)
  const opened: { faults: Awaited<ReturnType<typeof openProxy>>; through: string[] }[] = []

  async function open({ faults: planned = [], way }: { faults?: Fault[]; way?: Way | null }) {
    const faults = await openProxy(upstream, ...planned)
    const through: string[] = []
    const number = opened.push({ faults, through }) - 1
    const plain = Number(new URL(faults.url).port)
    if (!way) return { number, url: faults.url, env: {}, options: {} }
    const { certificate, proxy, user, by = 'HTTPS_PROXY', NO_PROXY } = way
    const port = certificate === undefined ? plain : await network.secure(plain, certificate)
    const closed = await network.closedPort()
    const url = way.url.replace('{port}', String(port)).replace('{closed}', String(closed))
    const env: Record<string, string> = NO_PROXY === undefined ? {} : { NO_PROXY }
    if (proxy === undefined) return { number, url, env, options: {} }
    const running = await network.proxy(proxy)
    opened[number] = { faults, through: running.seen }
    const address = `http://${user === undefined ? '' : `${user}@`}${running.address}`
    if (by === 'option') return { number, url, env, options: { proxy: address } }
    return { number, url, env: { ...env, [by]: address }, options: {} }
  }

  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      if (request.method === 'POST') return Response.json(await open(await request.json()))
      const one = opened[Number(new URL(request.url).pathname.slice(1))]
      if (one === undefined) return new Response('no such address', { status: 404 })
      const keys = one.faults.seen.map(({ key }) => key ?? null)
      return Response.json({ keys, through: one.through })
    },
  })
  return {
    url: `http://127.0.0.1:${server.port}`,
    authority: network.authority,
    /** Errors in the proxies themselves. */
    failures: () => opened.flatMap(({ faults }) => faults.failures),
    async close() {
      await server.stop(true)
      network.close()
      await Promise.all(opened.map(({ faults }) => faults.close()))
    },
  }
}
