// Proxies that fail, for tests in another language: `POST /` with a list of faults opens one, and
// `GET /<number>` answers what has arrived there.

import type { Fault } from '../typescript/testing/proxy.ts'
import { openProxy } from '../typescript/testing/proxy.ts'

export function openProxyControl(upstream: string) {
  const proxies: Awaited<ReturnType<typeof openProxy>>[] = []
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      if (request.method === 'POST') {
        const proxy = await openProxy(upstream, ...((await request.json()) as Fault[]))
        return Response.json({ number: proxies.push(proxy) - 1, url: proxy.url })
      }
      const proxy = proxies[Number(new URL(request.url).pathname.slice(1))]
      if (proxy === undefined) return new Response('no such proxy', { status: 404 })
      return Response.json({ keys: proxy.seen.map(({ key }) => key ?? null) })
    },
  })
  return {
    url: `http://127.0.0.1:${server.port}`,
    /** What went wrong in the proxies themselves. */
    failures: () => proxies.flatMap(({ failures }) => failures),
    async close() {
      await server.stop(true)
      await Promise.all(proxies.map(proxy => proxy.close()))
    },
  }
}
