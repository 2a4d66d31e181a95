// A write's database cost without a webhook endpoint, with and without a running worker.
// Transactions are counted by their IDs, which PostgreSQL assigns only to transactions that write.
import { sql } from '#database/sql.ts'
import { postText, type Setup } from './setup.ts'
import type { BenchEnvironment } from '../harness/environment.ts'
import { Ledger } from '../harness/ledger.ts'
import { uniqueMark, type Load, load } from '../harness/load.ts'
import { allAnswered, costLine, meter } from '../harness/meter.ts'
import { interleave, type Result, rowOf } from '../harness/rounds.ts'
import { type TargetId, targetOf } from '../targets.ts'

const connections = 8
const job = 'POST /v1/patients without an endpoint'

/** How long a new worker takes to load its data and open its connections. */
const secondsToSettle = 10

/** The next writing transaction's ID. Requesting the ID uses it up. */
async function nextTransaction({ owner }: BenchEnvironment): Promise<number> {
  const [row] = await owner.use(connection =>
    connection.run<{ id: string }>(sql`select pg_current_xact_id()::text as id`),
  )
  return Number(row?.id ?? Number.NaN)
}

export async function besideWorker({ options, environment, gateway }: Setup): Promise<Result> {
  const { seconds, requestsMax } = options
  const tenants = await environment.openTenants(1)
  const ledger = await Ledger.open(environment, tenants)
  const texts = tenants.map(tenant => postText(tenant, uniqueMark))
  const loads: Load[] = []
  const write = () =>
    meter({ gateway: gateway.pid, postmaster: environment.postmaster }, async () => {
      const before = await nextTransaction(environment)
      const run = await load({ port: gateway.port, connections, seconds, requestsMax, texts })
      loads.push(run)
      const written = (await nextTransaction(environment)) - before - 1
      return { ...run, transactions: written / run.answers }
    })
  const runs = await interleave(options.rounds, {
    running: async () => {
      const worker = await environment.openWorker()
      // The worker's startup cost occurs once, so it isn't part of a write.
      if (!options.isShort) await Bun.sleep(secondsToSettle * 1000)
      const run = await write()
      await worker.stop()
      return run
    },
    stopped: write,
  })
  const { running = [], stopped = [] } = runs
  const row = (what: string, unit: string, id: TargetId, read: (run: Run) => number) =>
    rowOf({
      job: `${job}, ${what}`,
      unit,
      target: targetOf(id),
      ours: running.map(read),
      peer: { name: 'no worker running', rounds: stopped.map(read) },
    })
  type Run = (typeof running)[number]
  return {
    rows: [
      row('commits', 'commits', 'P1b commits', run => run.transactions),
      row('PostgreSQL', 'µs', 'P1b time', run => run.databaseCost),
    ],
    notes: [costLine(`${job}, a worker running`, running), costLine('  no worker', stopped)],
    proofs: [allAnswered(job, '201', loads), ...(await ledger.proofs(job, loads))],
  }
}
