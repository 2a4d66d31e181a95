// A sweep of dead registrations, and its effect on other work: a client read and a new registration
// on a separate connection, one after another, before and during the sweep.
import { sweep } from '#auth/oauth/sweep.ts'
import { type ConnectionPool, openPool } from '#database/pool.ts'
import { sql } from '#database/sql.ts'
import type { BenchEnvironment } from '../harness/environment.ts'
import { compact, percentile, type Result, rowOf } from '../harness/rounds.ts'
import { atMost } from '../targets.ts'

const calmMilliseconds = 3000
const betweenMilliseconds = 2

const addRegistrations = ({ owner }: BenchEnvironment, count: number) =>
  owner.use(async connection => {
    await connection.run(sql`set statement_timeout = 0`)
    await connection.run(sql`
      insert into auth.clients (id, kind, name, network, created_at)
      select 'cli_d' || lpad(n::text, 25, '0'), 'registered', 'dead', 'n', now() - interval '2 days'
        from generate_series(1, ${count}::int) n`)
    // Vacuums as autovacuum would, so the effects of the fill aren't measured.
    await connection.run(sql`vacuum (analyze) auth.clients`)
  })

/** The duration in milliseconds of each read and each registration until `isDone`. */
async function useClients(pool: ConnectionPool, isDone: () => boolean) {
  const times = { reads: [] as number[], writes: [] as number[] }
  const timed = async (into: number[], work: () => Promise<unknown>) => {
    const began = performance.now()
    await work()
    into.push(performance.now() - began)
  }
  for (let at = 0; !isDone(); at++) {
    const id = `cli_c${crypto.randomUUID().replaceAll('-', '').slice(0, 25)}`
    await timed(times.writes, () =>
      pool.use(connection =>
        connection.run(sql`
          insert into auth.clients (id, kind, name, network)
          values (${id}, 'registered', 'new', 'n')`),
      ),
    )
    await timed(times.reads, () =>
      pool.use(connection =>
        connection.run(sql`select kind from auth.clients where id = ${id} and revoked_at is null`),
      ),
    )
    await Bun.sleep(betweenMilliseconds)
  }
  return times
}

const at = (times: readonly number[], share: number) =>
  percentile(
    times.toSorted((one, other) => one - other),
    share,
  )

const written = (what: string, times: readonly number[]) =>
  `${what}: ${times.length}, p50 ${compact(at(times, 0.5))} ms, p99 ${compact(at(times, 0.99))} ms, longest ${compact(Math.max(...times))} ms`

export async function sweepDead(
  environment: BenchEnvironment,
  count: number,
): Promise<Pick<Result, 'rows' | 'notes'> & { proof: Result['proofs'][number] }> {
  await addRegistrations(environment, count)
  const open = (name: string) => openPool({ url: environment.urls.auth, size: 1, name })
  const [pool, beside] = [open('sweep'), open('beside the sweep')]
  const until = performance.now() + calmMilliseconds
  const calm = await useClients(beside, () => performance.now() > until)
  const batches: number[] = []
  const timed = {
    ...pool,
    use: async <T>(work: Parameters<typeof pool.use<T>>[0]) => {
      const began = performance.now()
      const result = await pool.use(work)
      batches.push(performance.now() - began)
      return result
    },
  }
  let isSwept = false
  const during = useClients(beside, () => isSwept)
  const started = performance.now()
  await sweep(timed)
  const seconds = (performance.now() - started) / 1000
  isSwept = true
  const busy = await during
  await Promise.all([pool.close(), beside.close()])
  // The other sides' servers also sweep.
  const [left] = await environment.owner.use(connection =>
    connection.run<{ count: number }>(
      sql`select count(*)::int as count from auth.clients where id like 'cli_d%'`,
    ),
  )
  const limit = { unit: 'ms', peer: null, target: atMost(50) }
  const row = (job: string, times: readonly number[]) =>
    rowOf({ job, ours: [at(times, 0.99)], ...limit })
  return {
    rows: [
      row('a batch of a sweep, p99', batches),
      row('a registration beside a sweep, p99', busy.writes),
      row('a read of a client beside a sweep, p99', busy.reads),
    ],
    notes: [
      `a sweep of ${count.toLocaleString('en-US')} dead registrations: ${seconds.toFixed(1)} s`,
      written('batches', batches),
      written('registrations before', calm.writes),
      written('registrations beside it', busy.writes),
      written('reads before', calm.reads),
      written('reads beside it', busy.reads),
    ],
    proof: {
      what: 'registrations swept',
      expected: count,
      found: count - (left?.count ?? 0),
    },
  }
}
