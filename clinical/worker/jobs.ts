// Every job of the house. A worker runs them all; the log names each by its name.

import type { Job } from './job.ts'

export const openJobs = (): readonly Job[] => []
