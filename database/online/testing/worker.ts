// A process that does the online jobs of a folder: bun worker.ts <address of the owner> <folder>
import { readOnlineJobs } from '../jobs.ts'
import { keepOnlineJobs } from '../keep.ts'

if (import.meta.main) {
  const [url = '', folder = ''] = process.argv.slice(2)
  const report = (failure: unknown) => console.error(failure)
  await keepOnlineJobs({ url, jobs: readOnlineJobs(folder), onFailure: report }).finished
}
