// A process with subscribers. Each subscriber connects, and records each frame with its time. The
// benchmark controls the process through an HTTP server.
import { epoch } from '../harness/clock.ts'

export type ListenerSettings = { port: number }
/** Each subscriber's URL and WebSocket protocols. */
export type SubscriberConnections = { url: string; protocols: string[] }[]
/** `at` is a frame's time, and `id` its message's. `publishedAt` is null if the server doesn't send
 *  it. */
export type ReceivedFrames = { id: string; at: number; publishedAt: number | null }[]

async function connect(
  all: SubscriberConnections,
  onFrame: (text: string) => void,
): Promise<WebSocket[]> {
  return Promise.all(
    all.map(
      ({ url, protocols }) =>
        new Promise<WebSocket>((resolve, reject) => {
          const socket = new WebSocket(url, protocols)
          let isGreeted = false
          socket.addEventListener('message', ({ data }) => {
            if (isGreeted) onFrame(String(data))
            else resolve(socket)
            isGreeted = true
          })
          socket.addEventListener('close', ({ code, reason }) =>
            reject(new Error(`closed ${code} ${reason}`)),
          )
        }),
    ),
  )
}

function open({ port }: ListenerSettings): void {
  let sockets: WebSocket[] = []
  let frames: ReceivedFrames = []
  const hear = (text: string) => {
    const at = epoch()
    const { id, at: publishedAt = null } = JSON.parse(text)
    frames.push({ id, at, publishedAt })
  }
  Bun.serve({
    port,
    hostname: '127.0.0.1',
    idleTimeout: 0,
    async fetch(request) {
      const { pathname } = new URL(request.url)
      if (pathname === '/connect') sockets = await connect(await request.json(), hear)
      if (pathname === '/leave') for (const socket of sockets) socket.close()
      if (pathname === '/count') return Response.json(frames.length)
      const answer = frames
      if (pathname === '/take') frames = []
      return Response.json(answer)
    },
  })
}

if (import.meta.main) open(await Bun.stdin.json())
