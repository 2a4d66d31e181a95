// The worker runs background jobs alongside the gateway. `npm start` supervises one worker. More
// workers can share the work on the same database, on this machine or another.
import { openFiles } from '#clinical/files/files.ts'
import { openScanner } from '#clinical/files/malware.ts'
import { openStorage } from '#clinical/storage/open.ts'
import { httpPharmacy } from '#clinical/pharmacy/http-provider.ts'
import { checkPharmacyKeys } from '#clinical/pharmacy/reencrypt.ts'
import { openPharmacyPool, type PharmacyParts } from '#clinical/pharmacy/transmit.ts'
import { openRealtime } from '#clinical/realtime/open.ts'
import { openJobs } from '#clinical/jobs.ts'
import { runWorker } from '#clinical/jobs/run.ts'
import { checkEncryptionKeys } from '#clinical/deliveries/engine/upkeep.ts'
import { randomHalf } from '#contract/ids.ts'
import { limits } from '#contract/limits.ts'
import type { Mode } from '#contract/operation.ts'
import { onlineJobs } from '#database/migrate.ts'
import { keepOnlineJobs } from '#database/online/keep.ts'
import { workerUrls } from '#database/roles.ts'
import { createEncryption, type Encryption } from '#database/encryption.ts'
import { now, randomBytes } from '#database/clock.ts'
import {
  baseUrlOf,
  type Config,
  ConfigError,
  forgetProxies,
  readConfig,
  storageOf,
} from '../settings/config.ts'
import { auditSecretOf, peppersOf, encryptionKeysOf } from '../settings/credentials.ts'
import { launchFailure } from '../processes/launch-failure.ts'
import { outliveConnections } from '../processes/outlive.ts'
import { register } from '../processes/register.ts'
import { collectDatabase } from '../server/database-metrics.ts'
import { describeFailure } from '#database/describe-failure.ts'
import { createLog, type Log } from '#http/log.ts'
import { openMetrics, serveMetrics } from '#http/observe/metrics.ts'
import { measureProcess } from '#http/observe/process-metrics.ts'
import { outgoingOf, pharmaciesOf } from '../origins/outgoing.ts'
import { openTraces } from '#http/observe/traces.ts'
import { describeIfAsked } from '../settings/describe.ts'
import { openSecrets } from '../settings/secrets.ts'
import {
  collectQueues,
  countFromZero,
  countWork,
  type WorkFields,
} from '../server/worker-metrics.ts'

async function main(): Promise<void> {
  const config = readConfig()
  const { databaseUrl } = config
  if (databaseUrl === undefined) {
    throw new ConfigError(
      'DATABASE_URL must be set to run a worker on its own; `npm start` runs one with its own database.',
    )
  }
  forgetProxies()
  const log = createLog(config.logFormat)
  outliveConnections(log)
  const secrets = openSecrets(config.dataDir)
  const peppers = peppersOf(config, secrets)
  const registered = await register('worker', { config, databaseUrl, secrets })
  const { roles } = registered
  const base = baseUrlOf(config, config.port)
  const storage = openStorage(storageOf(config), now, () => randomHalf(randomBytes(16)))
  const files = openFiles(storage, peppers, base)
  const urls = workerUrls(roles)
  const encryption = createEncryption(encryptionKeysOf(config, secrets))
  await checkEncryptionKeys(urls, encryption)
  const observed = await observe(config, urls, log)
  const running = await runWorker({
    urls,
    poolSize: config.workerPoolSize,
    jobs: openJobs({
      auditSecret: auditSecretOf(peppers[0]),
      files,
      base,
      scanner: config.scanner ? openScanner(config.scanner) : null,
      pharmacy: await openPharmacies(config, roles.pharmacy, encryption),
      webhooks: {
        encryption,
        realtime: openRealtime(peppers, config.ably),
        receivers: outgoingOf(config, limits.webhookAttemptSeconds),
        sockets: config.workerSockets,
      },
    }),
    note: observed.note,
    describe: describeFailure,
  })
  log.event('worker.ready', { pid: process.pid })
  const online = keepOnlineJobs({
    url: databaseUrl,
    jobs: onlineJobs(),
    onFailure: failure => log.event('online_job.failed', describeFailure(failure)),
  })
  stopOnSignals(async () => {
    online.stop()
    await running.stop()
    await observed.close()
    await registered.close()
    log.event('worker.stopped', { pid: process.pid })
    log.flush()
    process.exit(0)
  })
}

/** Counts, traces and logs a worker's events. */
async function observe(config: Config, urls: Record<Mode, string>, log: Log) {
  const metrics = measured(config, urls)
  const traces = await openTraces(config.tracesEndpoint, 'telehealth-worker')
  return {
    note(event: string, fields: WorkFields) {
      countWork(metrics, event, fields)
      traces.ofWork(event, fields)
      log.event(event, fields)
    },
    close: () => traces.close(),
  }
}

function stopOnSignals(stop: () => Promise<void>): void {
  let stopping: Promise<void> | undefined
  const once = () => void (stopping ??= stop())
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, once)
  // The supervisor has died, so nothing else would stop this process.
  process.on('disconnect', once)
}

async function openPharmacies(
  config: Config,
  url: string,
  encryption: Encryption,
): Promise<PharmacyParts> {
  const pool = openPharmacyPool(url, config.workerPoolSize)
  await checkPharmacyKeys(pool, encryption)
  return { pool, encryption, provider: httpPharmacy({ outgoing: pharmaciesOf(config), now }) }
}

/** This worker's metrics, which are served if the worker has a port for them. */
function measured({ metrics: { host, worker: port }, tls }: Config, urls: Record<Mode, string>) {
  const metrics = openMetrics()
  countFromZero(metrics)
  measureProcess(metrics)
  if (port !== undefined) {
    const { pools } = collectDatabase(metrics, urls)
    collectQueues(metrics, pools)
  }
  serveMetrics(metrics, host, port, tls)
  return metrics
}

describeIfAsked(import.meta.path)
main().catch((error: unknown) => {
  const { text, exitCode } = launchFailure(error)
  console.error(text)
  process.exit(exitCode)
})
