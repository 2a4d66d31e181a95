// A worker process for fault tests: `bun crash-worker.ts <settings as JSON>`. It kills itself after
// a pharmacy has responded, before recording the response.

import { createEncryption } from '#database/encryption.ts'
import { now } from '#database/clock.ts'
import { runWorker } from '../../jobs/run.ts'
import { httpPharmacy } from '../http-provider.ts'
import { openPharmacyPool, pharmacyJobs } from '../transmit.ts'
import { outgoingTo } from './clinic.ts'

export type PharmacyCrash = {
  urls: { test: string; live: string }
  pharmacy: string
  pepper: string
}

if (import.meta.main) {
  const { urls, pharmacy, pepper } = JSON.parse(process.argv[2] ?? '{}') as PharmacyCrash
  const provider = httpPharmacy({ outgoing: outgoingTo(15), now })
  await runWorker({
    urls,
    poolSize: 2,
    jobs: pharmacyJobs({
      pool: openPharmacyPool(pharmacy, 2),
      encryption: createEncryption([pepper]),
      provider: {
        async transmit(...sent) {
          await provider.transmit(...sent)
          process.kill(process.pid, 'SIGKILL')
          throw new Error('the process continues after SIGKILL')
        },
      },
    }),
    note: () => undefined,
    describe: failure => ({ failure: String(failure) }),
  })
}
