// The worker's part in files and exports.

import { completeExports, type Completing } from '../exports/complete.ts'
import type { Done, Job } from '../jobs/job.ts'
import { endRows, removeDiscarded, removeOrphans } from './cleanup.ts'

const some = (what: string, count: number): Done => (count > 0 ? { [what]: count } : undefined)

export const fileJobs = (parts: Completing): readonly Job[] => [
  {
    name: 'exports',
    everySeconds: 2,
    onWrite: true,
    run: async worker => some('completed', await completeExports(worker, parts)),
  },
  {
    name: 'files-end',
    everySeconds: 60,
    run: async worker => some('rows', await endRows(worker)),
  },
  {
    name: 'files-discarded',
    everySeconds: 20,
    run: async worker => some('objects', await removeDiscarded(worker, parts.files.storage)),
  },
  {
    name: 'files-orphans',
    everySeconds: 600,
    run: async () => some('objects', await removeOrphans(parts.files.storage)),
  },
]
