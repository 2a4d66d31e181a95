// A gateway for tests, on a free port, with the test fixtures.
import { connect } from 'node:net'
import ipaddr from 'ipaddr.js'
import { createCredentialCache } from '#auth/principal.ts'
import { type Fixtures, openFixtures } from '#clinical/testing/fixtures.ts'
import { addressReader } from '#http/client-address.ts'
import { createApp } from '../server/app.ts'
import { createHostCheck } from '#http/host-check.ts'
import { listen } from '../origins/listen.ts'
import type { Log } from '#http/log.ts'

export type Line = Parameters<Log['request']>[0]

/** `beside` is another gateway of the same platform that shares rate limits with this one. */
export async function openTestGateway(settings: { rateLimit?: number; beside?: Fixtures } = {}) {
  const fixtures = settings.beside ?? (await openFixtures(settings))
  const lines: Line[] = []
  const events: [name: string, fields: Record<string, unknown>][] = []
  const gateway = listen('127.0.0.1', 0)
  // Tests can stop the clock to control the time, and break the database to test the responses
  // during an outage.
  let held: number | undefined
  let broken: unknown
  const { now, pools } = fixtures.context
  const credentialCache = createCredentialCache()
  const test: typeof pools.test = {
    ...pools.test,
    use: work => (broken === undefined ? pools.test.use(work) : Promise.reject(broken)),
  }
  const app = createApp({
    context: {
      ...fixtures.context,
      now: () => held ?? now(),
      pools: { ...pools, test },
      credentialCache,
    },
    isAllowedHost: createHostCheck('https://api.example.com', []),
    // Tests set a client's address, as a trusted proxy would.
    addressOf: addressReader([ipaddr.parseCIDR('127.0.0.0/8'), ipaddr.parseCIDR('::1/128')]),
    documents: new Map([['/openapi/v1.json', () => new Response('{}')]]),
    content: {
      fallback({ raw }) {
        if (raw.url.endsWith('/breaks')) throw new TypeError('broken on purpose')
        return new Response('the site')
      },
    },
    log: {
      request: line => void lines.push(line),
      event: (name, fields = {}) => void events.push([name, fields]),
      flush() {},
    },
  })
  gateway.serve(app)
  const call = (path: string, init: RequestInit & { as?: string | null } = {}) => {
    const headers = new Headers(init.headers)
    const key = init.as === undefined ? fixtures.ada.test : init.as
    if (key !== null && !headers.has('authorization')) headers.set('authorization', `Bearer ${key}`)
    return fetch(`http://localhost:${gateway.port}${path}`, { ...init, headers })
  }
  const close = async () => {
    await gateway.stop(true)
    if (!settings.beside) await fixtures.close()
  }
  const at = (moment: number | undefined) => void (held = moment)
  const breaks = (failure: unknown) => void (broken = failure)
  return { fixtures, lines, events, port: gateway.port, call, at, breaks, close }
}

/** Sends these bytes, and returns everything received until the server closes the connection. */
export function exchange(port: number, ...parts: (string | Uint8Array)[]): Promise<string> {
  return new Promise(resolve => {
    let received = ''
    const socket = connect(port, '127.0.0.1', async () => {
      for (const part of parts) {
        if (socket.destroyed) return
        if (socket.write(part)) continue
        await new Promise<void>(go => {
          socket.once('drain', go)
          socket.once('close', go)
        })
      }
    })
    socket.on('data', bytes => (received += bytes.toString('latin1')))
    // The server may close while bytes are still being sent. The bytes received before that are the
    // response.
    socket.on('error', () => {})
    socket.on('close', () => resolve(received))
  })
}
