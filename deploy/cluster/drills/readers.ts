// The two ways an integration receives events: polling and webhooks. Each must deliver every
// committed event and no others.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { writeCertificate } from '../certificates.ts'
import type { State } from '../local/state.ts'
import type { Call } from './client.ts'
import { countedType } from './ledger.ts'

/** Polls one tenant's events until `finish` is called, then until no events are left. */
export function openPoller(call: Call, key: string, counted = countedType) {
  const seen: string[] = []
  let isLast = false
  let after: string | undefined
  const poll = async () => {
    const query = after === undefined ? '' : `&starting_after=${after}`
    const answer = await call(key, `/v1/events?limit=100${query}`)
    if (answer?.status !== 200) return undefined
    const { data } = JSON.parse(answer.text) as { data: { id: string; type: string }[] }
    seen.push(...data.filter(({ type }) => type === counted).map(({ id }) => id))
    after = data.at(-1)?.id ?? after
    return data.length
  }
  const ended = (async () => {
    for (;;) {
      const wasLast = isLast
      const found = await poll()
      if (wasLast && found === 0) return
      if (found !== 100) await Bun.sleep(found === undefined ? 500 : 300)
    }
  })()
  return {
    seen,
    async finish() {
      isLast = true
      await ended
    },
  }
}

/** Receives webhooks on the bridge, and counts how often each event arrived. */
export async function openReceiver(state: State, address: string, port: number) {
  const folder = path.join(state.folder, 'receiver')
  writeCertificate(state.authority, folder, 'receiver', [`IP:${address}`])
  const received = new Map<string, number>()
  // Integrations from an earlier drill may still have deliveries to this address.
  const own = `/${crypto.randomUUID()}`
  const server = Bun.serve({
    hostname: address,
    port,
    tls: {
      cert: readFileSync(path.join(folder, 'node.pem'), 'utf8'),
      key: readFileSync(path.join(folder, 'node.key'), 'utf8'),
    },
    async fetch(request) {
      const { id, type } = (await request.json()) as { id: string; type: string }
      const isOwn = new URL(request.url).pathname.startsWith(own)
      if (isOwn && type === countedType) received.set(id, (received.get(id) ?? 0) + 1)
      return new Response()
    },
  })
  return {
    received,
    url: (tenant: number) => `https://${address}:${port}${own}/${tenant}`,
    stop: () => server.stop(true),
  }
}
