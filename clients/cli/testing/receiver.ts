// The developer's program that `svc listen` posts to.

export type Posted = { type: string; id: string; signature: string; delivery: string; body: string }

export function openReceiver() {
  const posted: Posted[] = []
  let [now, most] = [0, 0]
  let check = () => {}
  const server = Bun.serve({
    port: 0,
    async fetch(request) {
      const body = await request.text()
      const header = (name: string) => request.headers.get(`service-${name}`) ?? ''
      const [type, id] = [header('event-type'), header('event-id')]
      posted.push({
        type,
        id,
        signature: header('signature'),
        delivery: header('delivery-id'),
        body,
      })
      check()
      most = Math.max(most, ++now)
      await new Promise(setImmediate)
      now--
      return new Response('received', { status: type === 'order.failed.v1' ? 500 : 200 })
    },
  })
  return {
    posted,
    address: `localhost:${server.port}/webhooks`,
    /** The highest number of concurrent requests so far. */
    most: () => most,
    received: (count: number) =>
      new Promise<Posted[]>(resolve => {
        check = () => posted.length >= count && resolve(posted)
        check()
      }),
    close: () => server.stop(true),
  }
}
