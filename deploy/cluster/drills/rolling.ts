// `deploy/cluster/rolling-release --to=CHECKOUT`: replaces the gateways and workers of the running
// cluster one after the other by those of another checkout, and back, while clients write and read
// and an index over many rows is built beside a backfill. No request may fail: each write is
// answered at its first attempt, whatever happens below it.
import { parseArgs } from 'node:util'
import { startServices, stopServices, until } from '../local/control.ts'
import { outside, run, commandOn } from '../local/network.ts'
import { databasesOf, primaryOf } from '../local/databases.ts'
import { readValuesAsWritten } from '../local/prepare.ts'
import { openState } from '../local/state.ts'
import { runOnApp } from '../local/up.ts'
import { nodesOf, places, ports, tls } from '../values.ts'
import { openReceiver } from './readers.ts'
import { openIntegrations, openQuery } from './setup.ts'
import { openWriter } from './writer.ts'

const { values: options } = parseArgs({
  options: {
    data: { type: 'string' },
    to: { type: 'string' },
    rate: { type: 'string', default: '100' },
    rows: { type: 'string', default: '10000000' },
    port: { type: 'string', default: '5011' },
  },
})
const state = openState(options.data)
const cluster = { state, ...readValuesAsWritten(state) }
const { values } = cluster
const apps = nodesOf(values, 'app').map(({ name }) => name)

async function untilReady(node: string): Promise<void> {
  const url = `https://${node}.${values.domain}:${ports.modules.api}${values.platform.ready_path}`
  const host = ['-H', `Host: ${values.hosts.api}`]
  const quiet = ['-sf', '-m', '2', '-o', '/dev/null']
  const curl = ['curl', ...quiet, '--cacert', tls.authority, ...host, url]
  await until(`${node} to be ready`, 60, async () => {
    run(commandOn(state, { name: node }, {}, curl))
    return true
  })
}

/** One machine after the other: out of rotation, stopped, started, back in rotation. */
async function roll(release: string): Promise<number> {
  const began = performance.now()
  for (const node of apps) {
    for (const service of ['worker', 'gateway'] as const) {
      await stopServices(state, { node, service })
      await startServices(state, { node, service, release })
    }
    await untilReady(node)
    // The proxy in front asks every second.
    await Bun.sleep(3000)
  }
  return Math.round((performance.now() - began) / 100) / 10
}

/** Statements that run beside the release, in a process of their own. */
async function startStatements(sql: string[]) {
  const node = primaryOf(await databasesOf(values, state.authority)) ?? ''
  const psql = ['psql', '-qX', '-v', 'ON_ERROR_STOP=1', '-h', places.data, '-U', 'postgres']
  const each = sql.flatMap(one => ['-c', one])
  const command = [...psql, values.postgres.database, ...each]
  return Bun.spawn(commandOn(state, { name: node }, { user: 'postgres' }, command), {
    stdout: 'ignore',
    stderr: 'inherit',
  })
}

function backfill(rows: number): string {
  return `do $$ begin
    for part in 0..${Math.ceil(rows / 100_000) - 1} loop
      update public.drill_rows set filled = id where id > part * 100000 and id <= part * 100000 + 5000;
      commit;
    end loop;
  end $$`
}

async function main(): Promise<boolean> {
  if (options.to === undefined)
    throw new Error('Usage: deploy/cluster/rolling-release --to=CHECKOUT')
  const rows = Number(options.rows)
  const query = await openQuery(cluster)
  query(`drop table if exists public.drill_rows;
    create table public.drill_rows as
      select id, md5(id::text) as text, null::bigint as filled from generate_series(1, ${rows}) id;
    alter table public.drill_rows add primary key (id)`)
  const receiver = await openReceiver(state, outside(values), Number(options.port))
  const { call, keys } = await openIntegrations(cluster, 4, receiver.url)
  const writer = openWriter(call, keys, Number(options.rate), `rolling-${process.pid}`)
  const stopping = new AbortController()
  const reads = { sent: 0, failed: [] as string[] }
  const reader = (async () => {
    while (!stopping.signal.aborted) {
      const answer = await call(keys[0] ?? '', '/v1/patients?limit=5')
      reads.sent++
      if (answer?.status !== 200) reads.failed.push(`${answer?.status ?? 'none'}`)
      await Bun.sleep(20)
    }
  })()
  const began = performance.now()
  const building = await startStatements([
    'create index concurrently drill_rows_text on public.drill_rows (text)',
  ])
  const filling = await startStatements([backfill(rows)])
  // The next release's migrations first, beside the gateways of this one.
  const migrate = ['gateway/commands/migrate.ts']
  const migrated = runOnApp(state, values, cluster.secrets, migrate, options.to)
  const seconds = { there: await roll(options.to), back: await roll(state.release) }
  const codes = await Promise.all([building.exited, filling.exited])
  await writer.finish()
  stopping.abort()
  await reader
  const failed = Object.fromEntries(writer.answers)
  const report = {
    ...writer.counts(),
    writesThatFailedOnce: failed,
    unexpected: writer.unexpected,
    longestGapSeconds: writer.gap(),
    reads: { sent: reads.sent, failed: reads.failed },
    migrated: migrated.trim(),
    seconds,
    rows,
    statements: codes,
    totalSeconds: Math.round((performance.now() - began) / 1000),
  }
  console.log(JSON.stringify(report, null, 2))
  query('drop table public.drill_rows')
  await receiver.stop()
  const isQuiet = writer.answers.size + writer.unexpected.length + reads.failed.length === 0
  return isQuiet && codes.every(code => code === 0)
}

main().then(
  isKept => process.exit(isKept ? 0 : 1),
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : error)
    process.exit(1)
  },
)
