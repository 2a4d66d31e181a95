// What a worker is measured by: what it logs is counted, and what waits is asked of the database.
import { type Mode, modes } from '#contract/operation.ts'
import { openLanes } from '#database/lanes.ts'
import { sql } from '#database/sql.ts'
import { now } from '#database/time-and-chance.ts'
import type { Metrics } from './metrics.ts'

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'

/** The millisecond in which an id was made. */
export function momentIn(id: string): number {
  let moment = 0
  for (const one of id.slice(id.indexOf('_') + 1).slice(0, 10)) {
    moment = moment * 32 + alphabet.indexOf(one)
  }
  return moment
}

type Fields = Readonly<Record<string, string | number | boolean | undefined>>

/** Counts what a worker logs: attempts by outcome, how long each took, and how long after its
 *  commit an event went. */
export function noteWork(metrics: Metrics, event: string, fields: Fields): void {
  const { mode, outcome, status, error, attempt, event_id: id, ms = 0 } = fields
  const labels = { mode: `${mode}` }
  if (event === 'job.failed')
    metrics.count('telehealth_job_failures_total', { job: `${fields['job']}` })
  const dropped = Number(fields['dropped'] ?? 0)
  if (event === 'job.ran' && dropped > 0)
    metrics.count('telehealth_realtime_dropped_total', {}, dropped)
  if (event === 'webhook.interrupted') metrics.count('telehealth_webhook_interrupted_total', labels)
  if (event === 'webhook.lease_expired')
    metrics.count('telehealth_webhook_lease_expired_total', labels)
  if (event === 'webhook.disabled') metrics.count('telehealth_webhook_disabled_total', labels)
  if (event !== 'webhook.attempted') return
  const why = outcome === 'delivered' ? 'none' : `${error ?? (status ? 'status' : 'none')}`
  metrics.count('telehealth_webhook_attempts_total', {
    ...labels,
    outcome: `${outcome}`,
    error: why,
  })
  metrics.observe('telehealth_webhook_attempt_seconds', labels, Number(ms) / 1000)
  if (attempt !== 1) return
  const seconds = Math.max(0, now() - momentIn(`${id}`) - Number(ms)) / 1000
  metrics.observe('telehealth_webhook_first_attempt_lag_seconds', labels, seconds)
}

type Waiting = { outbox: number; age: number; due: number; pending: number; late: number }

/** What waits in the queues of a worker, as the worker's roles see it. */
export function lookAtQueues(metrics: Metrics, urls: Readonly<Record<Mode, string>>): void {
  for (const mode of modes) {
    const path = `${mode}, public`
    const lanes = openLanes({ url: urls[mode], size: 1, name: `metrics ${mode}`, path })
    metrics.collect(async () => {
      const [row] = await lanes.use(lane =>
        lane.run<Waiting>(sql`
          select o.*, d.* from (
            select count(*)::int as outbox,
                   coalesce(extract(epoch from clock_timestamp() - min(created_at)), 0)::float8 as age
              from outbox) o, (
            select count(*) filter (where due_at <= now())::int as due, count(*)::int as pending,
                   greatest(0, extract(epoch from now() - min(due_at)))::float8 as late
              from due_deliveries) d`),
      )
      const { outbox = 0, age = 0, due = 0, pending = 0, late = 0 } = row ?? {}
      return [
        { name: 'telehealth_outbox_events', labels: { mode }, value: outbox },
        { name: 'telehealth_outbox_oldest_seconds', labels: { mode }, value: Math.max(0, age) },
        { name: 'telehealth_webhook_due', labels: { mode }, value: due },
        { name: 'telehealth_webhook_pending', labels: { mode }, value: pending },
        { name: 'telehealth_webhook_oldest_due_seconds', labels: { mode }, value: late ?? 0 },
      ]
    })
  }
}
