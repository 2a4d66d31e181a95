// The front door: opens the port and answers.
import type { House, Serving } from './house.ts'

const drainSecondsMax = 5

export async function serveHouse({ config }: House): Promise<Serving> {
  const server = Bun.serve({
    port: config.port,
    hostname: config.host,
    fetch: request =>
      new URL(request.url).pathname === '/healthz'
        ? new Response('ok\n')
        : new Response('Not found.\n', { status: 404 }),
  })
  return {
    port: server.port ?? config.port,
    async stop() {
      await Promise.race([server.stop(), Bun.sleep(drainSecondsMax * 1000)])
      await server.stop(true)
    },
  }
}
