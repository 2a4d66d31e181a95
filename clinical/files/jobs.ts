// The background jobs for files and exports.

import { completeExports, type CompleteOptions } from '../exports/complete.ts'
import type { JobResult, Job } from '../jobs/job.ts'
import { scanFiles } from './scan.ts'
import type { MalwareScanner } from './malware.ts'
import { deleteExpiredRows, removeDiscarded, removeOrphans } from './cleanup.ts'

const countOf = (what: string, count: number): JobResult =>
  count > 0 ? { [what]: count } : undefined

export type FileParts = CompleteOptions & {
  /** Null: malware is not looked for. */
  scanner: MalwareScanner | null
}

export const fileJobs = ({ scanner, ...parts }: FileParts): readonly Job[] => [
  {
    name: 'exports',
    everySeconds: 2,
    onWrite: true,
    run: async worker => countOf('completed', await completeExports(worker, parts)),
  },
  {
    name: 'files-scanned',
    everySeconds: 2,
    run: async worker => countOf('files', await scanFiles(worker, parts.files, scanner)),
  },
  {
    name: 'files-expired',
    everySeconds: 60,
    run: async worker => countOf('rows', await deleteExpiredRows(worker)),
  },
  {
    name: 'files-discarded',
    everySeconds: 5,
    run: async worker => countOf('objects', await removeDiscarded(worker, parts.files.storage)),
  },
  {
    name: 'files-orphans',
    everySeconds: 600,
    run: async () => countOf('objects', await removeOrphans(parts.files.storage)),
  },
]
