// Subscribers in a process of their own: they connect, count what they hear, and note when. A plain
// door beside them is where the bench asks.
import { epoch } from '../harness/clock.ts'

export type ListenerSettings = { port: number }
/** Where each of them connects, and what it offers. */
export type Listening = { url: string; protocols: string[] }[]
/** `at` is when a frame came; `id` of which message, and `said` when its own server said it. */
export type Heard = { id: string; at: number; said: number | null }[]

async function connect(all: Listening, hear: (text: string) => void): Promise<WebSocket[]> {
  return Promise.all(
    all.map(
      ({ url, protocols }) =>
        new Promise<WebSocket>((resolve, reject) => {
          const socket = new WebSocket(url, protocols)
          let isGreeted = false
          socket.addEventListener('message', ({ data }) => {
            if (isGreeted) hear(String(data))
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
  let heard: Heard = []
  const hear = (text: string) => {
    const at = epoch()
    const { id, at: said = null } = JSON.parse(text)
    heard.push({ id, at, said })
  }
  Bun.serve({
    port,
    hostname: '127.0.0.1',
    idleTimeout: 0,
    async fetch(request) {
      const { pathname } = new URL(request.url)
      if (pathname === '/connect') sockets = await connect(await request.json(), hear)
      if (pathname === '/leave') for (const socket of sockets) socket.close()
      if (pathname === '/count') return Response.json(heard.length)
      const answer = heard
      if (pathname === '/take') heard = []
      return Response.json(answer)
    },
  })
}

if (import.meta.main) open(await Bun.stdin.json())
