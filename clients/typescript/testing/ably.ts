// A server that replaces Ably.

/** Implements the relevant parts of Ably's protocol, with one channel. */
export function openAbly(channel: string) {
  const asked: string[] = []
  const attached: Bun.ServerWebSocket<unknown>[] = []
  const server = Bun.serve({
    port: 0,
    fetch(request, self) {
      asked.push(new URL(request.url).search)
      return self.upgrade(request, { data: undefined })
        ? undefined
        : new Response('', { status: 400 })
    },
    websocket: {
      open: socket => void socket.send(JSON.stringify({ action: 4 })),
      message(socket, text) {
        if (text !== JSON.stringify({ action: 10, channel })) return
        attached.push(socket)
        socket.send(JSON.stringify({ action: 11, channel }))
      },
    },
  })
  const publish = (...events: unknown[]) => {
    const messages = events.map(event => ({ data: JSON.stringify(event), encoding: 'json' }))
    for (const socket of attached) socket.send(JSON.stringify({ action: 15, channel, messages }))
  }
  return { asked, attached, publish, port: server.port, close: () => server.stop(true) }
}
