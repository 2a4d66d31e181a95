// A process that runs a folder's online jobs: bun worker.ts <owner's URL> <folder>
import { readOnlineJobs } from '../jobs.ts'
import { keepOnlineJobs } from '../keep.ts'

if (import.meta.main) {
  const [url = '', folder = ''] = process.argv.slice(2)
  const report = (failure: unknown) => console.error(failure)
  await keepOnlineJobs({ url, jobs: readOnlineJobs(folder), onFailure: report }).finished
}
