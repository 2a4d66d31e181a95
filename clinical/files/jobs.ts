// Background jobs for files.

import type { Files } from '../services.ts'
import type { JobResult, Job } from '../jobs/job.ts'
import { scanFiles } from './scan.ts'
import type { MalwareScanner } from './malware.ts'
import { deleteExpiredRows, removeDiscarded, removeOrphans } from './cleanup.ts'

const countOf = (what: string, count: number): JobResult =>
  count > 0 ? { [what]: count } : undefined

export type FileParts = {
  files: Files
  /** Null disables the malware scan. */
  scanner: MalwareScanner | null
}

export const fileJobs = ({ files, scanner }: FileParts): readonly Job[] => [
  {
    name: 'files-scanned',
    everySeconds: 2,
    run: async worker => countOf('files', await scanFiles(worker, files, scanner)),
  },
  {
    name: 'files-expired',
    everySeconds: 60,
    run: async worker => countOf('rows', await deleteExpiredRows(worker)),
  },
  {
    name: 'files-discarded',
    everySeconds: 5,
    run: async worker => countOf('objects', await removeDiscarded(worker, files.storage)),
  },
  {
    name: 'files-orphans',
    everySeconds: 600,
    run: async () => countOf('objects', await removeOrphans(files.storage)),
  },
]
