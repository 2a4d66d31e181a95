// A worker for tests: the jobs that send webhooks, with a clock the test advances and a resolver
// the test defines.

import ipaddr from 'ipaddr.js'
import { limits } from '#contract/limits.ts'
import { createEncryption } from '#database/encryption.ts'
import { workerUrls } from '#database/roles.ts'
import type { Fixtures } from '../../../testing/fixtures.ts'
import type { Resolve } from '#http/outgoing/addresses.ts'
import type { Fields, Job } from '../../../jobs/job.ts'
import { authority } from '#http/testing/receiver.ts'
import { runWorker } from '../../../jobs/run.ts'
import { webhookJobs } from '../jobs.ts'
import type { Realtime } from '../../../services.ts'

export type LogLine = { event: string } & Fields

export type Settings = {
  resolve?: Resolve
  seconds?: number
  sockets?: number
  /** The port of cloud services. */
  cloudPort?: number
  /** Whether live mode can also reach this machine. */
  sendsLive?: boolean
  realtime?: Realtime
  jobs?: (jobs: readonly Job[]) => readonly Job[]
}

const thisMachine = [[ipaddr.parse('127.0.0.1'), 32]] as const

/** Resolves every name to this machine. */
const resolveLocally: Resolve = async () => ['127.0.0.1']

export async function openTestWorker(fixtures: Fixtures, settings: Settings = {}) {
  const lines: LogLine[] = []
  let aheadSeconds = 0
  let waiting: (() => void)[] = []
  const jobs = webhookJobs({
    encryption: createEncryption([fixtures.context.pepper]),
    realtime: settings.realtime ?? fixtures.context.realtime,
    receivers: {
      addresses: {
        resolve: settings.resolve ?? resolveLocally,
        allowed: thisMachine,
        allowedInLive: settings.sendsLive ? thisMachine : [],
      },
      ca: authority.cert,
      seconds: settings.seconds ?? limits.webhookAttemptSeconds,
      ...(settings.cloudPort !== undefined && { cloudPort: settings.cloudPort }),
    },
    sockets: settings.sockets ?? 16,
    ahead: () => aheadSeconds,
  })
  const running = await runWorker({
    urls: workerUrls(fixtures.database.urls),
    poolSize: 2,
    jobs: settings.jobs ? settings.jobs(jobs) : jobs,
    note: (event, fields) => {
      lines.push({ event, ...fields })
      for (const check of waiting) check()
    },
    describe: failure => ({ failure: failure instanceof Error ? failure.message : 'unknown' }),
  })
  const linesOf = (event: string) => lines.filter(line => line.event === event)
  return {
    lines,
    linesOf,
    attempts: () => linesOf('webhook.attempted'),
    /** Resolves when the log has this many lines for an event. */
    async waitForLines(event: string, count: number): Promise<LogLine[]> {
      const done = Promise.withResolvers<void>()
      const look = () => void (linesOf(event).length >= count && done.resolve())
      waiting.push(look)
      look()
      await done.promise
      waiting = waiting.filter(one => one !== look)
      return linesOf(event)
    },
    /** Advances the jobs' clock, and immediately claims the deliveries due by then. */
    advance(seconds: number): void {
      aheadSeconds += seconds
      running.wake('webhooks.deliver')
    },
    wake: running.wake,
    stop: running.stop,
  }
}

export type TestWorker = Awaited<ReturnType<typeof openTestWorker>>
