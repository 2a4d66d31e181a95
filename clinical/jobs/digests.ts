// Emails staff a digest of waiting work. The database decides what's due and queues the emails,
// because the worker's role can't read people.
import { queueDigests } from '#auth/clinics/digest.ts'
import type { Job } from './job.ts'

export const digestsJob: Job = {
  name: 'staff.digests',
  everySeconds: 60,
  async run({ pools }) {
    const queued = await pools.live.use(queueDigests)
    return queued > 0 ? { queued } : undefined
  },
}
