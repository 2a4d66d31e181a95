// Compares a thousand integrations with one endpoint each with a single integration that has the
// same number of writes per second: when and in which order deliveries arrive, and the cost of an
// idle tenant.
import { sql } from '#database/sql.ts'
import type { BenchEnvironment, Cluster, Tenant } from '../harness/environment.ts'
import type { Options } from '../harness/options.ts'
import { compact, interleave, type Result, rowOf } from '../harness/rounds.ts'
import { type Server, withClosers } from '../harness/server.ts'
import { onItsOwn, openGateway, openWorker } from './processes.ts'
import {
  addEndpoints,
  arrivals,
  between,
  openTraffic,
  type Traffic,
  type Used,
  used,
  writeAt,
} from './traffic.ts'

const sizesOf = ({ isShort, seconds }: Options) =>
  isShort
    ? { tenants: 20, rate: 20, writes: 40, idleSeconds: 1 }
    : { tenants: 1000, rate: 40, writes: 40 * Math.max(seconds, 10), idleSeconds: 12 }

export const clusterTenants = (options: Options, shared: Cluster): Promise<Result> =>
  onItsOwn(options, shared, cluster =>
    cluster.withEnvironment('cluster_tenants', environment =>
      withClosers(async onClose => {
        const traffic = await openTraffic(environment, onClose)
        const [one] = await environment.openTenants(1)
        if (!one) throw new Error('A tenant must have been opened.')
        const [gateway, worker] = await Promise.all([
          openGateway(environment, onClose),
          openWorker(environment, onClose, traffic.trust),
        ])
        return measure(options, { traffic, one, gateway, worker })
      }),
    ),
  )

type Stage = { traffic: Traffic; one: Tenant; gateway: Server; worker: Server }

async function measure(options: Options, stage: Stage): Promise<Result> {
  const { traffic, one, gateway } = stage
  const { environment } = traffic
  const { tenants: count, rate, writes, idleSeconds } = sizesOf(options)
  const made = await addEndpoints(traffic, gateway, [one])
  const quiet = await idle(stage, idleSeconds)
  const tenants = await environment.openTenants(count)
  const endpoints = made + (await addEndpoints(traffic, gateway, tenants))
  const later = await idle(stage, idleSeconds)
  const before = await scans(environment)
  const side = (of: readonly Tenant[]) => async () => {
    const processes = { gateways: [gateway], workers: [stage.worker], environment }
    const start = used(processes)
    const load = await writeAt(gateway, of, rate, writes)
    const arrived = await arrivals(traffic, load.answers)
    const cost = between(start, used(processes), load.answers)
    return { ...arrived, created: load.statuses['201'] ?? 0, cost }
  }
  const runs = await interleave(options.rounds, { many: side(tenants), one: side([one]) })
  const scanned = (await scans(environment)) - before
  const all = [...(runs['many'] ?? []), ...(runs['one'] ?? [])]
  const of = (name: 'many' | 'one', member: 'p50' | 'p99') =>
    (runs[name] ?? []).map(run => run[member])
  const row = (member: 'p50' | 'p99') =>
    rowOf({
      job: `${count} tenants: commit to wire at ${rate} writes a second, ${member}`,
      unit: 'ms',
      ours: of('many', member),
      peer: { name: 'one tenant at the same rate', rounds: of('one', member) },
      target: null,
    })
  const total = (read: (run: (typeof all)[number]) => number) =>
    all.reduce((sum, run) => sum + read(run), 0)
  const costs = (name: 'many' | 'one') =>
    (runs[name] ?? [])
      .map(({ cost }) => [cost.gateways, cost.workers, cost.database].map(compact).join(' + '))
      .join('; ')
  return {
    rows: [row('p50'), row('p99')],
    notes: [
      `tenants: µs of processor a write with its delivery, gateway + worker + PostgreSQL: ${count} tenants ${costs('many')}; one ${costs('one')}`,
      `tenants: idle, with one: ${idleText(quiet)}; with ${count}: ${idleText(later)}`,
      `tenants: rows of tenants that were read by scans during the rounds: ${scanned}`,
    ],
    proofs: [
      { what: 'tenants: endpoints', expected: count + 1, found: endpoints },
      {
        what: 'tenants: events that arrived',
        expected: total(run => run.created),
        found: total(run => run.events),
      },
      {
        what: 'tenants: events that arrived out of commit order',
        expected: 0,
        found: total(run => run.late),
      },
    ],
  }
}

const idleText = ({ workers, database }: Used) =>
  `worker ${compact(workers / 1000)}, PostgreSQL ${compact(database / 1000)} ms a second`

async function idle({ traffic, gateway, worker }: Stage, seconds: number) {
  const processes = { gateways: [gateway], workers: [worker], environment: traffic.environment }
  const before = used(processes)
  await Bun.sleep(seconds * 1000)
  return between(before, used(processes), seconds)
}

/** Rows of the tenants table read by sequential scans so far. */
async function scans({ owner }: BenchEnvironment): Promise<number> {
  const [row] = await owner.use(connection =>
    connection.run<{ read: number }>(sql`
      select seq_tup_read::int as read from pg_stat_user_tables
       where schemaname = 'test' and relname = 'tenants'`),
  )
  return row?.read ?? Number.NaN
}
