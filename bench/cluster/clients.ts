// Thousands of subscribers in their own process. The subscribers only count frames, because keeping
// a list of ten thousand frames for each event would distort the measurement. The benchmark
// controls them through an HTTP server.
import { epoch } from '../harness/clock.ts'
import { percentile } from '../harness/rounds.ts'

/** Each subscriber's URL and WebSocket protocols. */
export type Connections = { url: string; protocols: string[] }[]
/** `refused`: counts by close code, or 0 if no WebSocket was opened. */
export type OpenedSockets = { open: number; refused: Record<string, number>; milliseconds: number }
/** Frame counts and times since the last request. Times are in milliseconds since 1970. */
export type FrameStats = { frames: number; p50: number; p99: number; last: number }
/** Totals over all closed connections. */
export type ClosedSockets = { codes: Record<string, number>; last: number }

/** More simultaneous attempts would overflow the queue of connections waiting to be accepted. */
const atOnce = 64
/** A gateway without free connections doesn't respond. */
const patienceMs = 10_000

class Clients {
  private readonly sockets = new Set<WebSocket>()
  private times: number[] = []
  private ended: ClosedSockets = { codes: {}, last: 0 }

  async connect(connections: Connections): Promise<OpenedSockets> {
    const began = performance.now()
    const refused: Record<string, number> = {}
    const waiting = [...connections]
    const work = async () => {
      for (let one = waiting.pop(); one; one = waiting.pop()) {
        const code = await this.open(one)
        if (code !== null) refused[code] = (refused[code] ?? 0) + 1
      }
    }
    await Promise.all(Array.from({ length: atOnce }, work))
    return { open: this.sockets.size, refused, milliseconds: performance.now() - began }
  }

  /** Null once the socket is open and has its first message; otherwise the socket's close code. */
  private open({ url, protocols }: Connections[number]): Promise<number | null> {
    return new Promise(resolve => {
      const socket = new WebSocket(url, protocols)
      let isOpen = false
      const patience = setTimeout(() => resolve(0), patienceMs)
      socket.addEventListener('message', () => {
        if (isOpen) this.times.push(epoch())
        isOpen = true
        clearTimeout(patience)
        this.sockets.add(socket)
        resolve(null)
      })
      socket.addEventListener('close', ({ code }) => {
        clearTimeout(patience)
        if (!this.sockets.delete(socket)) return resolve(code === 1006 ? 0 : code)
        const { codes } = this.ended
        this.ended = { codes: { ...codes, [code]: (codes[code] ?? 0) + 1 }, last: epoch() }
      })
    })
  }

  take(): FrameStats {
    const sorted = Float64Array.from(this.times).sort()
    this.times = []
    const last = sorted.at(-1) ?? 0
    return {
      frames: sorted.length,
      p50: percentile(sorted, 0.5),
      p99: percentile(sorted, 0.99),
      last,
    }
  }

  answer(name: string, connections: () => Promise<Connections>): Promise<unknown> | unknown {
    if (name === '/connect') return connections().then(all => this.connect(all))
    if (name === '/count') return this.times.length
    if (name === '/take') return this.take()
    if (name === '/leave') for (const socket of this.sockets) socket.close()
    return this.ended
  }
}

if (import.meta.main) {
  const { port }: { port: number } = await Bun.stdin.json()
  const clients = new Clients()
  Bun.serve({
    port,
    hostname: '127.0.0.1',
    idleTimeout: 0,
    maxRequestBodySize: Number.MAX_SAFE_INTEGER,
    fetch: async request =>
      Response.json(
        await clients.answer(
          new URL(request.url).pathname,
          () => request.json() as Promise<Connections>,
        ),
      ),
  })
}
