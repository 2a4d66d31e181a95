// Compares POST /v1/patients over HTTP, with a worker running as in production, to pgbench and a
// bare loop that send the same statement; an idempotent replay to a read; and a read to its two
// statements in a bare loop.
import { besideWorker } from './beside-worker.ts'
import { besidePlain } from './plain.ts'
import { publishedPatient } from './read-patient.ts'
import { countTrips } from './round-trips.ts'
import { postText, type Setup } from './setup.ts'
import { allAnswered, type Costs, costLine, meter } from '../harness/meter.ts'
import type { Cluster, BenchEnvironment, Tenant } from '../harness/environment.ts'
import { uniqueMark, type Load, load } from '../harness/load.ts'
import { runLoop } from '../harness/loop.ts'
import type { Options } from '../harness/options.ts'
import { pgbench, type Rate, runPgbench } from '../harness/pgbench.ts'
import { interleave, type Result, type Row, rowOf } from '../harness/rounds.ts'
import type { Target } from '../targets.ts'
import { createPatientStatement, setTenant, poolOf, keyed } from '../harness/statement.ts'
import { Ledger } from '../harness/ledger.ts'
import { targetOf } from '../targets.ts'

/** Connection and tenant counts. A tenant's clock serializes the commits of its writes, regardless
 *  of how many connections send them. */
const shapes = [
  { clients: 8, tenantCount: 1 },
  { clients: 16, tenantCount: 1 },
  { clients: 8, tenantCount: 8 },
] as const

export async function createPatient(options: Options, cluster: Cluster): Promise<Result> {
  return cluster.withEnvironment('patients', async environment => {
    const setup: Setup = { options, environment, gateway: await environment.openGateway() }
    const results: Result[] = [await besideWorker(setup)]
    await environment.openWorker()
    for (const shape of options.isShort ? shapes.slice(2) : shapes) {
      results.push(await writes(setup, shape))
    }
    for (const shape of options.isShort ? [] : [shapes[0], shapes[2]]) {
      results.push(await besidePlain(setup, shape))
    }
    results.push(await publishedPatient(setup), await countTrips(setup))
    return {
      rows: results.flatMap(({ rows }) => rows),
      notes: results.flatMap(({ notes }) => notes),
      proofs: results.flatMap(({ proofs }) => proofs),
    }
  })
}

type Shape = { clients: number; tenantCount: number }

/** Each side writes to its own tenants, so its rows can be counted separately. */
async function writes(setup: Setup, { clients, tenantCount }: Shape): Promise<Result> {
  const { options, environment, gateway } = setup
  const { seconds, requestsMax } = options
  const tenants = await environment.openTenants(tenantCount)
  const ledger = await Ledger.open(environment, tenants)
  const texts = tenants.map(tenant => postText(tenant, uniqueMark))
  const plan = { port: gateway.port, connections: clients, seconds, requestsMax, texts }
  const loads: Load[] = []
  const ours: Side = () =>
    meter({ gateway: gateway.pid, postmaster: environment.postmaster }, async () => {
      const run = await load(plan)
      loads.push(run)
      return run
    })
  const loop = await bareLoop(setup, await environment.openTenants(tenantCount), clients)
  const peer = await pgbenchSide(setup, { clients, tenantCount })
  const sides = { ours, loop: loop.run, ...(peer ? { pgbench: peer } : {}) }
  const runs = await interleave(options.rounds, sides)
  await loop.close()
  const job = `POST /v1/patients, ${clients} connections, ${tenantCount === 1 ? 'one tenant' : `${tenantCount} tenants`}`
  return {
    rows: rowsOf(job, { clients, tenantCount }, runs),
    notes: [
      costLine(job, runs['ours'] ?? []),
      runs['pgbench']
        ? costLine('  pgbench, the same statement', runs['pgbench'])
        : '  pgbench is not installed, so the bare loop replaces it',
      costLine('  bare loop, the same statement', runs['loop'] ?? []),
    ],
    proofs: [allAnswered(job, '201', loads), ...(await ledger.proofs(job, loads))],
  }
}

type Run = Rate & Costs
type Side = () => Promise<Run>

function rowsOf(
  job: string,
  { clients, tenantCount: tenants }: Shape,
  runs: Record<string, Run[]>,
): Row[] {
  const { ours = [], loop = [], pgbench } = runs
  const name = `${pgbench ? 'pgbench' : 'bare loop'}, same statement, ${clients} clients`
  const row = (
    job: string,
    unit: string,
    target: Target | null,
    peer: { name: string; runs: Run[] },
    pick: (run: Run) => number,
  ) => {
    const against = { name: peer.name, rounds: peer.runs.map(pick) }
    return rowOf({ job, unit, target, ours: ours.map(pick), peer: against })
  }
  const peer = { name, runs: pgbench ?? loop }
  const bare = { name: `bare loop, ${clients} workers`, runs: loop }
  return [
    row(
      job,
      '/s',
      targetOf(tenants === 1 ? 'P1 one tenant' : 'P1 eight tenants'),
      peer,
      run => run.perSecond,
    ),
    row('  the same, p99', 'ms', targetOf('P1 p99'), peer, run => run.p99),
    row('  the same beside Bun.SQL alone', '/s', null, bare, run => run.perSecond),
  ]
}

async function pgbenchSide({ options, environment }: Setup, { clients, tenantCount }: Shape) {
  const program = pgbench
  if (program === null) return null
  const tenants = await environment.openTenants(tenantCount)
  const { seconds, requestsMax } = options
  const side: Side = async () => {
    // The statements are built for each run, because they contain the current half minute.
    const statements = await Promise.all(
      tenants.map(async tenant => ({
        statement: await createPatientStatement(tenant),
        tenant: tenant.id,
      })),
    )
    const work = { url: environment.urls.test, statements, clients, seconds, requestsMax }
    return meter({ gateway: undefined, postmaster: environment.postmaster }, () =>
      runPgbench(program, work),
    )
  }
  return side
}

/** As many workers as clients, each with a connection set to its own tenant. */
async function bareLoop(
  { options, environment }: Setup,
  tenants: readonly Tenant[],
  clients: number,
) {
  const workers = await Promise.all(
    Array.from({ length: clients }, (_, at) =>
      openWorker(environment, tenants[at % tenants.length]),
    ),
  )
  const bound = { workers: clients, seconds: options.seconds, requestsMax: options.requestsMax }
  const once = async (at: number) => workers[at]?.write()
  const run: Side = () =>
    meter({ gateway: undefined, postmaster: environment.postmaster }, () => runLoop(bound, once))
  return { run, close: () => Promise.all(workers.map(worker => worker.pool.close())) }
}

async function openWorker(environment: BenchEnvironment, tenant: Tenant | undefined) {
  if (!tenant) throw new Error('Every worker must have a tenant.')
  const pool = poolOf(environment, 1)
  const under = keyed(await createPatientStatement(tenant))
  await pool.use(connection => connection.run(setTenant(tenant)))
  const write = () => pool.use(connection => connection.run(under(`loop-${crypto.randomUUID()}`)))
  return { pool, write }
}
