// The gateway's metrics other than those of logged requests.
import { now } from '#database/clock.ts'
import { freeBytes } from '#database/disk.ts'
import type { Metrics } from '#http/observe/metrics.ts'
import { measureProcess } from '#http/observe/process-metrics.ts'
import type { GatewayContext } from '../settings/context.ts'
import { certificateGauges, readCertificates } from '../status/certificates.ts'

/** Measures how long requests wait for a database connection, by pool. */
export const timesWaits = (metrics: Metrics) => (milliseconds: number, pool: string) =>
  metrics.observe('telehealth_pool_wait_seconds', { pool }, milliseconds / 1000)

/** Metrics of the process, the disk, queued email, and the certificates that it serves and
 *  trusts. */
export function measureGateway(
  metrics: Metrics,
  { config, databaseUrl }: GatewayContext,
  mail: { emailWaitSeconds(): Promise<number> },
): void {
  measureProcess(metrics)
  metrics.collect(() => [
    { name: 'telehealth_disk_available_bytes', labels: {}, value: freeBytes(config.dataDir) },
  ])
  metrics.collect(() =>
    mail.emailWaitSeconds().then(
      value => [{ name: 'telehealth_mail_oldest_seconds', labels: {}, value }],
      // Keeps the other metrics available while the database doesn't respond.
      () => [],
    ),
  )
  metrics.collect(certificateGauges(() => readCertificates(config, databaseUrl), now))
}
