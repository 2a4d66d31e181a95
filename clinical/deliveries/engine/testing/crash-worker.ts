// A worker process for fault tests that kills itself at one step: `bun crash-worker.ts <step>
// <settings as JSON>`. A step is a call to a database, a resolver or a receiver. With `never`, it
// doesn't crash, and prints each attempt's delivery.

import ipaddr from 'ipaddr.js'
import { createEncryption } from '#database/encryption.ts'
import { embeddedRealtime } from '../../../realtime/embedded.ts'
import { authority } from '#http/testing/receiver.ts'
import { runWorker } from '../../../jobs/run.ts'
import { openAdvanceJob } from '../../../sandbox/advance.ts'
import { webhookJobs } from '../jobs.ts'

export const steps = ['dispatched', 'opened', 'resolving', 'answered', 'recorded'] as const
/** A worker that resolves this host kills itself, whatever the step. */
export const deadlyHost = 'deadly.receiver.example'
export type Step = (typeof steps)[number]
export type CrashSettings = {
  urls: { test: string; live: string }
  pepper: string
  ca: string
  /** How many seconds this process's clock is off. */
  skew?: number
}

function crash(at: Step, step: string): void {
  if (at === step) process.kill(process.pid, 'SIGKILL')
}

/** Shifts this process's clock. */
function setClockWrong(seconds: number): void {
  const right = Date
  const wrong = () => right.now() + seconds * 1000
  globalThis.Date = class extends right {
    constructor(...args: [] | [string | number | Date]) {
      super(args.length === 0 ? wrong() : args[0])
    }
    static override now = wrong
  } as DateConstructor
}

async function main(step: string, { urls, pepper, ca, skew }: CrashSettings): Promise<void> {
  if (skew !== undefined) setClockWrong(skew)
  const encryption = createEncryption([pepper])
  await runWorker({
    urls,
    poolSize: 2,
    jobs: [
      openAdvanceJob(),
      ...webhookJobs({
        realtime: embeddedRealtime(pepper),
        encryption: {
          ...encryption,
          open(purpose, encrypted) {
            crash('opened', step)
            return encryption.open(purpose, encrypted)
          },
          encrypt(purpose, text) {
            crash('answered', step)
            return encryption.encrypt(purpose, text)
          },
        },
        receivers: {
          addresses: {
            async resolve(host) {
              crash('resolving', step)
              if (host === deadlyHost) process.kill(process.pid, 'SIGKILL')
              return ['127.0.0.1']
            },
            allowed: [[ipaddr.parse('127.0.0.1'), 32]],
          },
          ca: ca === '' ? authority.cert : ca,
          seconds: 15,
        },
        sockets: 4,
      }),
    ],
    note(event, fields) {
      if (event === 'job.ran' && fields['job'] === 'webhooks.dispatch') crash('dispatched', step)
      if (event !== 'webhook.attempted') return
      crash('recorded', step)
      console.log(fields['delivery'])
    },
    describe: failure => ({ failure: String(failure) }),
  })
}

if (import.meta.main) {
  const [step = '', settings = '{}'] = process.argv.slice(2)
  await main(step, JSON.parse(settings) as CrashSettings)
}
