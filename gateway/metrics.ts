// How the house is, in the text form of Prometheus, on a port of its own for the operator's
// network: numbers alone, no names of anybody. What happens is counted as it is logged, so that
// no room knows that it is measured; what waits is asked of the database when somebody looks.
import type { Mode } from '#contract/operation.ts'
import { openLanes } from '#database/lanes.ts'
import { sql } from '#database/sql.ts'
import { now } from '#database/time-and-chance.ts'

type Labels = Readonly<Record<string, string>>
type Sample = { name: string; labels: Labels; value: number }
type Look = () => Sample[] | Promise<Sample[]>

export type Metrics = {
  count(name: string, labels?: Labels, by?: number): void
  /** Asked each time that somebody reads. */
  look(look: Look): void
  text(): Promise<string>
}

export function openMetrics(): Metrics {
  const counted = new Map<string, Sample>()
  const looks: Look[] = []
  return {
    count(name, labels = {}, by = 1) {
      const key = lineOf({ name, labels, value: 0 })
      const known = counted.get(key)
      if (known) known.value += by
      else counted.set(key, { name, labels, value: by })
    },
    look: look => void looks.push(look),
    async text() {
      const seen = await Promise.all(looks.map(look => look()))
      return [...counted.values(), ...seen.flat()].map(lineOf).join('')
    },
  }
}

function lineOf({ name, labels, value }: Sample): string {
  const pairs = Object.entries(labels).map(([key, text]) => `${key}=${JSON.stringify(text)}`)
  return `${name}${pairs.length > 0 ? `{${pairs.join(',')}}` : ''} ${value}\n`
}

/** Opens the port; without one there is nothing to close. */
export function serveMetrics(metrics: Metrics, hostname: string, port: number | undefined) {
  if (port === undefined) return undefined
  return Bun.serve({
    hostname,
    port,
    routes: {
      '/metrics': async () =>
        new Response(await metrics.text(), {
          headers: { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' },
        }),
    },
    fetch: () => new Response(null, { status: 404 }),
    error: () => new Response(null, { status: 503 }),
  })
}

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

/** Counts what a worker logs: attempts by outcome, and how long after its commit an event went. */
export function noteWork(metrics: Metrics, event: string, fields: Fields): void {
  if (event === 'job.failed') metrics.count('house_job_failures_total', { job: `${fields['job']}` })
  if (event !== 'webhook.attempted') return
  const { mode, outcome, attempt, event_id: id, ms = 0 } = fields
  const labels = { mode: `${mode}` }
  metrics.count('house_webhook_attempts_total', { ...labels, outcome: `${outcome}` })
  if (attempt !== 1) return
  const seconds = Math.max(0, now() - momentIn(`${id}`) - Number(ms)) / 1000
  metrics.count('house_webhook_first_attempt_lag_seconds_sum', labels, seconds)
  metrics.count('house_webhook_first_attempt_lag_seconds_count', labels)
}

type Waiting = { outbox: number; due: number; oldest: number }

/** What waits in the queues of a worker, as the worker's roles see it. */
export function lookAtQueues(metrics: Metrics, urls: Readonly<Record<Mode, string>>): void {
  for (const mode of ['test', 'live'] as const) {
    const path = `${mode}, public`
    const lanes = openLanes({ url: urls[mode], size: 1, name: `metrics ${mode}`, path })
    metrics.look(async () => {
      const [row] = await lanes.use(lane =>
        lane.run<Waiting>(sql`
          select (select count(*)::int from outbox) as outbox, count(*)::int as due,
                 coalesce(extract(epoch from now() - min(due_at)), 0)::float8 as oldest
            from due_deliveries where due_at <= now()`),
      )
      const { outbox = 0, due = 0, oldest = 0 } = row ?? {}
      return [
        { name: 'house_outbox_events', labels: { mode }, value: outbox },
        { name: 'house_webhook_due', labels: { mode }, value: due },
        { name: 'house_webhook_oldest_due_seconds', labels: { mode }, value: oldest },
      ]
    })
  }
}
