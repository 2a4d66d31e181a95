// Authorization servers in separate processes on a fixture's database, for tests that kill them or
// need several, and helpers that make statements wait for rows.

import path from 'node:path'
import { SQL } from 'bun'
import { sql, type Statement } from '#database/sql.ts'
import { until } from '#http/testing/until.ts'
import type { Fixture } from './fixture.ts'

export type ServerProcess = {
  readonly issuer: string
  /** Sends SIGSTOP: the server does nothing from now on, but keeps its connections. */
  pause(): void
  /** Sends SIGKILL. */
  kill(): Promise<void>
}

export async function startServer(fixture: Fixture): Promise<ServerProcess> {
  const { api, mcp } = fixture.resources
  const file = path.join(import.meta.dir, 'server-process.ts')
  const server = Bun.spawn([process.execPath, file, fixture.database.urls.auth, api, mcp], {
    stdout: 'pipe',
    stderr: 'ignore',
  })
  const { value } = await server.stdout.getReader().read()
  return {
    issuer: new TextDecoder().decode(value).trim(),
    pause: () => server.kill('SIGSTOP'),
    async kill() {
      server.kill('SIGKILL')
      await server.exited
    },
  }
}

/** Counts the servers' running statements, and their statements waiting for a row or a table. */
export async function statements({ run }: Fixture) {
  const [row] = await run<{ running: number; waiting: number }>(sql`
    select count(*)::int as running,
           count(*) filter (where wait_event_type = 'Lock')::int as waiting
      from pg_stat_activity
     where datname = current_database() and application_name = 'authorization server'
       and state = 'active'`)
  return row ?? { running: 0, waiting: 0 }
}

/** Runs `work` while another transaction holds a lock. */
export async function holding<T>(
  { database }: Fixture,
  lock: Statement,
  work: () => Promise<T>,
): Promise<T> {
  await using holder = new SQL(database.url, { max: 1 })
  return holder.begin(async held => {
    const { text, values } = lock.prepared
    await held.unsafe(text, values)
    return work()
  }) as Promise<T>
}

/** Sends a request to a server, and kills it while one of its statements waits for the lock. */
export async function killWaiting(
  fixture: Fixture,
  lock: Statement,
  send: (issuer: string) => Promise<unknown>,
): Promise<void> {
  const server = await startServer(fixture)
  const answer = await holding(fixture, lock, async () => {
    const lost = send(server.issuer).then(
      () => 'answered',
      () => 'lost',
    )
    await until(async () => (await statements(fixture)).waiting > 0)
    await server.kill()
    return lost
  })
  if (answer !== 'lost') throw new Error('the killed server responded')
  // The database finishes a statement even after its caller is gone.
  await until(async () => (await statements(fixture)).running === 0)
}

/** Sends a request to a server, and kills it once its statement, which waited for the lock, has
 *  committed but before the response is sent. */
export async function killCommitted(
  fixture: Fixture,
  lock: Statement,
  send: (issuer: string) => Promise<unknown>,
): Promise<void> {
  const server = await startServer(fixture)
  const answers: Promise<string>[] = []
  await holding(fixture, lock, async () => {
    const lost = send(server.issuer).then(
      () => 'answered',
      () => 'lost',
    )
    answers.push(lost)
    await until(async () => (await statements(fixture)).waiting > 0)
    server.pause()
  })
  await until(async () => (await statements(fixture)).running === 0)
  await server.kill()
  if ((await answers[0]) !== 'lost') throw new Error('the killed server responded')
}
