// Every background job. A worker runs all of them, and log lines use their names.

import { modes } from '#contract/operation.ts'
import { invoicingJob } from './billing/invoicing-job.ts'
import { emptySeatsJob } from './rooms/empty-seats-job.ts'
import { signOnce, signerOf } from './audit/sign.ts'
import { type CompleteOptions, exportsJob } from './exports/complete.ts'
import { bulkExportsJob } from './fhir/bulk/job.ts'
import { type FileParts, fileJobs } from './files/jobs.ts'
import { pharmacyJobs, type PharmacyParts } from './pharmacy/transmit.ts'
import { retentionJob } from './records/retention-job.ts'
import { replayJob } from './replays/step.ts'
import { requestJobs } from './requests/project.ts'
import { openAdvanceJob } from './sandbox/advance.ts'
import { purge } from './sandbox/purge.ts'
import { runAutopilot } from './sandbox/run-autopilot.ts'
import { notifyDevelopersJob } from './deliveries/engine/notify-developers.ts'
import type { Job } from './jobs/job.ts'
import { digestsJob } from './jobs/digests.ts'
import { notifyEndingKeysJob } from './jobs/notify-ending-keys.ts'
import { operatorRolesJob } from './jobs/operator-roles.ts'
import { type WebhookParts, webhookJobs } from './deliveries/engine/jobs.ts'

type JobParts = CompleteOptions &
  FileParts & {
    /** The key that signs the audit; never stored in the database. */
    auditSecret: string
    webhooks: WebhookParts
    pharmacy: PharmacyParts
  }

/** Checks every second; due steps run once a minute. */
const autopilot: Job = {
  name: 'autopilot',
  everySeconds: 1,
  async run(worker) {
    const moved = await runAutopilot(worker)
    const some = moved !== null && Object.values(moved).some(count => count > 0)
    return some ? moved : undefined
  },
}

const purgeJob: Job = {
  name: 'purge',
  everySeconds: 60,
  async run(worker) {
    const rows = await purge(worker)
    return rows > 0 ? { rows } : undefined
  },
}

/** Logs each signed batch's number and signature, so a copy is kept outside the database. */
function auditSigning(secret: string): Job {
  const signer = signerOf(secret)
  return {
    name: 'audit.sign',
    everySeconds: 10,
    async run(worker) {
      // If both modes share a database, the second run finds nothing left.
      for (const mode of modes) {
        for (;;) {
          const signed = await worker.pools[mode].use(connection => signOnce(connection, signer))
          if (!signed || worker.stopping.aborted) break
          const signature = Buffer.from(signed.signature).toString('hex')
          worker.note('audit.signed', { n: signed.n, rows: signed.rows, signature })
        }
      }
    },
  }
}

export const openJobs = ({
  auditSecret,
  webhooks,
  pharmacy,
  ...parts
}: JobParts): readonly Job[] => [
  ...webhookJobs(webhooks),
  notifyDevelopersJob,
  ...webhooks.realtime.jobs,
  autopilot,
  openAdvanceJob(),
  purgeJob,
  auditSigning(auditSecret),
  ...requestJobs,
  notifyEndingKeysJob,
  digestsJob,
  invoicingJob,
  retentionJob,
  operatorRolesJob,
  emptySeatsJob,
  replayJob,
  ...pharmacyJobs(pharmacy),
  exportsJob(parts),
  bulkExportsJob(parts),
  ...fileJobs(parts),
]
