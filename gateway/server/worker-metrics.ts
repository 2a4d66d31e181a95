// Worker metrics: counts its log events, and queries queue lengths from the database.
import { createdAt } from '#contract/ids.ts'
import { type Mode, modes } from '#contract/operation.ts'
import type { ConnectionPool } from '#database/pool.ts'
import { sql } from '#database/sql.ts'
import { now } from '#database/clock.ts'
import type { Metrics } from '#http/observe/metrics.ts'

export type WorkFields = Readonly<Record<string, string | number | boolean | undefined>>

/**
 * Counts a worker's log event: attempts by outcome, their duration, and the time between an event's
 * commit and its first attempt.
 */
export function countWork(metrics: Metrics, event: string, fields: WorkFields): void {
  const { mode, outcome, status, error, attempt, event_id: id, ms = 0 } = fields
  const labels = { mode: `${mode}` }
  if (event === 'job.failed')
    metrics.count('telehealth_job_failures_total', { job: `${fields['job']}` })
  const dropped = Number(fields['dropped'] ?? 0)
  if (event === 'job.ran' && dropped > 0)
    metrics.count('telehealth_realtime_dropped_total', {}, dropped)
  const stopped = Number(fields['stopped'] ?? 0)
  if (event === 'job.ran' && fields['job'] === 'pharmacy.transmit' && stopped > 0)
    metrics.count('telehealth_prescriptions_stopped_total', {}, stopped)
  if (event === 'webhook.interrupted') metrics.count('telehealth_webhook_interrupted_total', labels)
  if (event === 'webhook.lease_expired')
    metrics.count('telehealth_webhook_lease_expired_total', labels)
  if (event === 'webhook.disabled') metrics.count('telehealth_webhook_disabled_total', labels)
  if (event !== 'webhook.attempted') return
  const reason = outcome === 'delivered' ? 'none' : `${error ?? (status ? 'status' : 'none')}`
  metrics.count('telehealth_webhook_attempts_total', {
    ...labels,
    outcome: `${outcome}`,
    error: reason,
  })
  metrics.observe('telehealth_webhook_attempt_seconds', labels, Number(ms) / 1000)
  if (attempt !== 1) return
  const seconds = Math.max(0, now() - createdAt(`${id}`) - Number(ms)) / 1000
  metrics.observe('telehealth_webhook_first_attempt_lag_seconds', labels, seconds)
}

/** Initializes the series that alerts compare: a series that starts with its first failure has a
 *  rate of 0. */
export function countFromZero(metrics: Metrics): void {
  metrics.count('telehealth_realtime_dropped_total', {}, 0)
  metrics.count('telehealth_prescriptions_stopped_total', {}, 0)
  for (const mode of modes) {
    for (const [outcome, error] of [
      ['delivered', 'none'],
      ['pending', 'blocked_address'],
    ] as const) {
      metrics.count('telehealth_webhook_attempts_total', { mode, outcome, error }, 0)
    }
    metrics.count('telehealth_webhook_interrupted_total', { mode }, 0)
    metrics.count('telehealth_webhook_lease_expired_total', { mode }, 0)
  }
}

type Queues = { unread: number; age: number; due: number; pending: number; late: number }

/** Adds queue lengths and ages, queried with the worker's roles. */
export function collectQueues(
  metrics: Metrics,
  pools: Readonly<Record<Mode, ConnectionPool>>,
): void {
  for (const mode of modes) {
    const pool = pools[mode]
    metrics.collect(async () => {
      const [row] = await pool.use(connection =>
        connection.run<Queues>(sql`
          select o.*, d.*, q.* from (
            select count(*)::int as unread,
                   coalesce(extract(epoch from clock_timestamp() - min(since)), 0)::float8 as age
              from unread_since(array(select tenants_to_read()))) o, (
            select count(*) filter (where due_at <= now())::int as due, count(*)::int as pending
              from due_deliveries) d, (
            -- Of what waits for an agreement, none is due.
            select greatest(0, extract(epoch from now() - min(next_due)))::float8 as late
              from endpoint_queues where next_due < 'infinity') q`),
      )
      const { unread = 0, age = 0, due = 0, pending = 0, late = 0 } = row ?? {}
      return [
        { name: 'telehealth_unread_tenants', labels: { mode }, value: unread },
        { name: 'telehealth_unread_oldest_seconds', labels: { mode }, value: Math.max(0, age) },
        { name: 'telehealth_webhook_due', labels: { mode }, value: due },
        { name: 'telehealth_webhook_pending', labels: { mode }, value: pending },
        { name: 'telehealth_webhook_oldest_due_seconds', labels: { mode }, value: late ?? 0 },
      ]
    })
  }
}
