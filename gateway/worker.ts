// The worker runs the background jobs beside the gateway. `npm start` supervises one; more may run
// on the same database, on this machine or another, and share the work.
import { readFileSync } from 'node:fs'
import { openFiles } from '#clinical/files/files.ts'
import { openStorage } from '#clinical/files/open.ts'
import { openRealtime } from '#clinical/realtime/open.ts'
import { resolveBySystem } from '#clinical/worker/addresses.ts'
import { openJobs } from '#clinical/worker/jobs.ts'
import type { Receivers } from '#clinical/worker/post.ts'
import { runWorker } from '#clinical/worker/run.ts'
import { checkSeals } from '#clinical/worker/upkeep.ts'
import { randomHalf } from '#contract/ids.ts'
import { limits } from '#contract/limits.ts'
import type { Mode } from '#contract/operation.ts'
import { LaunchError } from '#database/launch-error.ts'
import { openRoles, workerUrls } from '#database/roles.ts'
import { openSeal } from '#database/seal.ts'
import { now, randomBytes } from '#database/time-and-chance.ts'
import {
  baseUrlOf,
  type Config,
  ConfigError,
  forgetProxies,
  readConfig,
  storageOf,
} from './config.ts'
import { auditSecretOf, pepperOf, rolePasswords, sealKeysOf } from './credentials.ts'
import { collectDatabase } from './database-metrics.ts'
import { describeFailure } from './failure-line.ts'
import { createLog } from './log.ts'
import { openMetrics, serveMetrics } from './metrics.ts'
import { openSecrets } from './secrets.ts'
import { collectQueues, countWork } from './worker-metrics.ts'

async function main(): Promise<void> {
  const config = readConfig()
  const { databaseUrl } = config
  if (databaseUrl === undefined) {
    throw new ConfigError(
      'DATABASE_URL must be set to run a worker by itself; `npm start` runs one with its database.',
    )
  }
  forgetProxies()
  const log = createLog(config.logFormat)
  const secrets = openSecrets(config.dataDir)
  const pepper = pepperOf(config, secrets)
  const roles = await openRoles(databaseUrl, rolePasswords(pepper))
  const base = baseUrlOf(config, config.port)
  const storage = openStorage(storageOf(config), now, () => randomHalf(randomBytes(16)))
  const files = openFiles(storage, pepper, base)
  const urls = workerUrls(roles)
  const seal = openSeal(sealKeysOf(config, secrets))
  await checkSeals(urls, seal)
  const metrics = measured(config, urls)
  const running = await runWorker({
    urls,
    poolSize: config.workerPoolSize,
    jobs: openJobs({
      auditSecret: auditSecretOf(pepper),
      files,
      base,
      webhooks: {
        seal,
        realtime: openRealtime(pepper, config.ably),
        receivers: receiversOf(config),
        sockets: config.workerSockets,
      },
    }),
    note(event, fields) {
      countWork(metrics, event, fields)
      log.event(event, fields)
    },
    describe: describeFailure,
  })
  log.event('worker.ready', { pid: process.pid })
  let stopping = false
  const stop = async () => {
    if (stopping) return
    stopping = true
    await running.stop()
    log.event('worker.stopped', { pid: process.pid })
    log.flush()
    process.exit(0)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => void stop())
  }
  // The supervisor is gone, and nothing else would stop this process.
  process.on('disconnect', () => void stop())
}

/** The metrics of this worker, served at its port if it has one. */
function measured({ metrics: { host, worker: port } }: Config, urls: Record<Mode, string>) {
  const metrics = openMetrics()
  if (port !== undefined) {
    collectQueues(metrics, urls)
    collectDatabase(metrics, urls)
  }
  serveMetrics(metrics, host, port)
  return metrics
}

function receiversOf({ webhookAllow, webhookCa }: Config): Receivers {
  return {
    addresses: { resolve: resolveBySystem, allowed: webhookAllow },
    ca: webhookCa === undefined ? undefined : readFileSync(webhookCa, 'utf8'),
    seconds: limits.webhookAttemptSeconds,
  }
}

main().catch((error: unknown) => {
  const isExpected = error instanceof LaunchError || error instanceof ConfigError
  console.error(isExpected ? error.message : error)
  process.exit(error instanceof ConfigError ? 2 : 1)
})
