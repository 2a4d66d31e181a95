// Every job of the house. A worker runs them all; the log names each by its name.

import { modes } from '#contract/operation.ts'
import { signOnce, signerOf } from '../audit/sign.ts'
import type { Completing } from '../exports/complete.ts'
import { fileJobs } from '../files/jobs.ts'
import { purge } from '../sandbox/purge.ts'
import { tick } from '../sandbox/tick.ts'
import { tellingDevelopers } from '../webhooks/delivery/notify-developers.ts'
import type { Job } from './job.ts'
import { type WebhookParts, webhookJobs } from '../webhooks/delivery/jobs.ts'

export type JobParts = Completing & {
  /** What the audit is sealed with. It is not in the database. */
  auditSecret: string
  webhooks: WebhookParts
}

/** Looked for each second, so that it happens in the first second of its minute. */
const autopilot: Job = {
  name: 'autopilot',
  everySeconds: 1,
  async run(worker) {
    const moved = await tick(worker)
    const some = moved !== null && Object.values(moved).some(count => count > 0)
    return some ? moved : undefined
  },
}

const ending: Job = {
  name: 'purge',
  everySeconds: 60,
  async run(worker) {
    const rows = await purge(worker)
    return rows > 0 ? { rows } : undefined
  },
}

/** The log keeps each seal's number and signature, outside of the database that it vouches for. */
function encrypting(secret: string): Job {
  const signer = signerOf(secret)
  return {
    name: 'audit-seal',
    everySeconds: 10,
    async run(worker) {
      // Planes may share a database, where the second then finds nothing left.
      for (const mode of modes) {
        for (;;) {
          const encryption = await worker.pools[mode].use(connection =>
            signOnce(connection, signer),
          )
          if (!encryption || worker.stopping.aborted) break
          const signature = Buffer.from(encryption.signature).toString('hex')
          worker.note('audit.signed', { n: encryption.n, rows: encryption.rows, signature })
        }
      }
    },
  }
}

export const openJobs = ({ auditSecret, webhooks, ...parts }: JobParts): readonly Job[] => [
  ...webhookJobs(webhooks),
  tellingDevelopers,
  ...webhooks.realtime.jobs,
  autopilot,
  ending,
  encrypting(auditSecret),
  ...fileJobs(parts),
]
