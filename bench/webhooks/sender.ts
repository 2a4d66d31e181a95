// The sender in a separate process: a worker with only the webhook jobs, or a bare loop of signed
// POSTs. The benchmark starts and stops either through an HTTP server. Settings are read from
// standard input, because they contain passwords.
import ipaddr from 'ipaddr.js'
import { embeddedRealtime } from '#clinical/realtime/embedded.ts'
import { type RunningWorker, runWorker } from '#clinical/jobs/run.ts'
import { signature } from '#clinical/deliveries/engine/sign.ts'
import { webhookJobs } from '#clinical/deliveries/engine/jobs.ts'
import { limits } from '#contract/limits.ts'
import { createEncryption } from '#database/encryption.ts'
import { createLog } from '#http/log.ts'
import { epoch } from '../harness/clock.ts'

export type SenderSettings = {
  port: number
  urls: { test: string; live: string }
  pepper: string
  ca: string
  sockets: number
  poolSize: number
  receiver: { url: string; secret: string; body: string }
}

/** How many POSTs the loop has open at the same time. */
const atOnce = 32
/** Logs like a platform worker. */
const log = createLog('json')

type Timing = { posts: number; milliseconds: number }

async function start({
  urls,
  pepper,
  ca,
  sockets,
  poolSize,
}: SenderSettings): Promise<RunningWorker> {
  return runWorker({
    urls,
    poolSize,
    jobs: webhookJobs({
      encryption: createEncryption([pepper]),
      realtime: embeddedRealtime(pepper),
      receivers: {
        addresses: { resolve: async () => [], allowed: [[ipaddr.parse('127.0.0.1'), 32]] },
        ca,
        seconds: limits.webhookAttemptSeconds,
      },
      sockets,
    }),
    note: (event, fields) => log.event(event, fields),
    describe: failure => ({ failure: String(failure) }),
  })
}

type Send = (id: string) => Promise<void>

function poster({ receiver, ca }: SenderSettings): Send {
  return async id => {
    const seconds = Math.floor(epoch() / 1000)
    const response = await fetch(receiver.url, {
      method: 'POST',
      body: receiver.body,
      headers: {
        'content-type': 'application/json',
        'service-signature': signature([receiver.secret], seconds, receiver.body),
        'service-event-id': id,
      },
      tls: { ca, serverName: new URL(receiver.url).hostname },
    })
    await response.arrayBuffer()
    if (!response.ok) throw new Error(`the receiver responded with ${response.status}`)
  }
}

const timed = async (posts: number, work: () => Promise<unknown>): Promise<Timing> => {
  const started = performance.now()
  await work()
  return { posts, milliseconds: performance.now() - started }
}

function bareLoop(send: Send, count: number): Promise<Timing> {
  let begun = 0
  const one = async () => {
    while (begun < count) await send(`loop ${begun++}`)
  }
  return timed(count, () => Promise.all(Array.from({ length: atOnce }, one)))
}

function open(settings: SenderSettings): void {
  let running: RunningWorker | undefined
  const send = poster(settings)
  const handlers: Record<string, (count: number) => Promise<Timing | void>> = {
    '/work': async () => void (running ??= await start(settings)),
    async '/rest'() {
      await running?.stop()
      running = undefined
    },
    '/loop': count => bareLoop(send, count),
  }
  Bun.serve({
    port: settings.port,
    hostname: '127.0.0.1',
    idleTimeout: 0,
    async fetch(request) {
      const { pathname, searchParams } = new URL(request.url)
      return Response.json((await handlers[pathname]?.(Number(searchParams.get('count')))) ?? {})
    },
  })
}

if (import.meta.main) open(await Bun.stdin.json())
