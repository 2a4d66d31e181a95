// Measures writes per second with one, two and four gateways and as many workers, with every event
// delivered, and each process's CPU time per write. If every processor is busy, more processes
// can't write more, but the CPU time shows how much capacity more processes would need on other
// machines.
import { availableParallelism } from 'node:os'
import type { BenchEnvironment, Cluster, Tenant } from '../harness/environment.ts'
import { residentMegabytes } from '../harness/machine.ts'
import type { Options } from '../harness/options.ts'
import { compact, interleave, median, type Result, rowOf } from '../harness/rounds.ts'
import { withClosers } from '../harness/server.ts'
import { onItsOwn, type OnClose, openGateway, openWorker } from './processes.ts'
import { openLogNote, storageNote } from './storage.ts'
import {
  addEndpoints,
  arrivals,
  between,
  openTraffic,
  type Processes,
  type Traffic,
  used,
  writeAll,
} from './traffic.ts'

const sizesOf = ({ isShort }: Options) => (isShort ? [1, 2] : [1, 2, 4])
const tenantsOf = ({ isShort }: Options) => (isShort ? 2 : 16)
const connections = 16
const warmSeconds = 2

/** With this size, four gateways and four workers fit within PostgreSQL's connection limit. */
const settings = { POOL_SIZE: '6' }

export const clusterGateways = (options: Options, shared: Cluster): Promise<Result> =>
  onItsOwn(options, shared, cluster =>
    cluster.withEnvironment('cluster_gateways', environment =>
      withClosers(onClose => measure(options, environment, onClose)),
    ),
  )

async function measure(options: Options, environment: BenchEnvironment, onClose: OnClose) {
  const sizes = sizesOf(options)
  const traffic = await openTraffic(environment, onClose)
  const tenants = await environment.openTenants(tenantsOf(options))
  const first = await openGateway(environment, onClose, { settings })
  const gateways = [first]
  while (gateways.length < Math.max(...sizes)) {
    gateways.push(await openGateway(environment, onClose, { settings }))
  }
  const endpoints = await addEndpoints(traffic, first, tenants)
  let memory: number[] = []
  const side = (count: number) => () =>
    withClosers(async close => {
      const opening = Array.from({ length: count }, () =>
        openWorker(environment, close, traffic.trust),
      )
      const workers = await Promise.all(opening)
      const processes = { gateways: gateways.slice(0, count), workers, environment }
      // The workers have just started, so their first deliveries aren't representative.
      await round(warmSeconds, traffic, processes, tenants)
      const run = await round(options.seconds, traffic, processes, tenants)
      memory = [processes.gateways, workers].map(all =>
        median(all.map(({ pid }) => residentMegabytes(pid))),
      )
      return run
    })
  const sides = Object.fromEntries(sizes.map(count => [`n${count}`, side(count)]))
  const logNote = await openLogNote(environment)
  const runs = await interleave(options.rounds, sides)
  const stored = [await logNote(), await storageNote(environment)]
  return resultOf(sizes, runs, { endpoints, tenants: tenants.length, memory, stored })
}

async function round(
  seconds: number,
  traffic: Traffic,
  processes: Processes,
  tenants: readonly Tenant[],
): Promise<Run> {
  const before = used(processes)
  const began = performance.now()
  const loads = await writeAll(processes.gateways, tenants, connections, seconds)
  const lasted = performance.now() - began
  const created = loads.reduce((sum, load) => sum + (load.statuses['201'] ?? 0), 0)
  const busy = between(before, used(processes), lasted * 1000)
  const arrived = await arrivals(traffic, created)
  const cost = between(before, used(processes), created)
  return { created, perSecond: (created / lasted) * 1000, arrived, cost, busy }
}

type Run = {
  created: number
  perSecond: number
  arrived: Awaited<ReturnType<typeof arrivals>>
  cost: ReturnType<typeof between>
  busy: ReturnType<typeof between>
}

function resultOf(
  sizes: number[],
  runs: Record<string, Run[]>,
  found: { endpoints: number; tenants: number; memory: number[]; stored: string[] },
): Result {
  const of = (count: number) => runs[`n${count}`] ?? []
  const rates = (count: number) => of(count).map(run => run.perSecond)
  const costs = (count: number, member: 'cost' | 'busy') =>
    (['gateways', 'workers', 'database'] as const)
      .map(kind => compact(median(of(count).map(run => run[member][kind]))))
      .join(' + ')
  const all = Object.values(runs).flat()
  const sum = (read: (run: Run) => number) => all.reduce((total, run) => total + read(run), 0)
  return {
    rows: sizes.slice(1).map(count =>
      rowOf({
        job: `${count} gateways and workers: writes`,
        unit: '/s',
        ours: rates(count),
        peer: { name: 'one of each', rounds: rates(1) },
        target: null,
      }),
    ),
    notes: [
      ...sizes.map(
        count =>
          `gateways: ${count} of each: ${compact(median(rates(count)))}/s; µs of processor a write with its delivery, gateways + workers + PostgreSQL: ${costs(count, 'cost')}; processors in use while writing: ${costs(count, 'busy')} of ${availableParallelism()}`,
      ),
      `gateways: resident MB of a gateway and a worker afterwards: ${found.memory.map(compact).join(', ')}`,
      ...found.stored,
    ],
    proofs: [
      { what: 'gateways: endpoints', expected: found.tenants, found: found.endpoints },
      {
        what: 'gateways: events that arrived',
        expected: sum(run => run.created),
        found: sum(run => run.arrived.events),
      },
    ],
  }
}
