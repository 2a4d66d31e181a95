// Ends the test server once it has been idle: no session is open, and none has been for a while.
import { SQL } from 'bun'
import { until } from '#http/testing/until.ts'
import { readPidFile, stopProcess } from '../embedded/postmaster.ts'

/** Half an hour, or immediately once no test can find the server. */
const usual = { checkMilliseconds: 60_000, checks: 30, isWanted: () => true }

/** Ends the server in `dir` once it has been idle. Returns false if it has already ended. */
export async function endWhenIdle(
  dir: string,
  url: string,
  settings: Partial<typeof usual> = {},
): Promise<boolean> {
  const { checkMilliseconds, checks, isWanted } = { ...usual, ...settings }
  const closed = Promise.withResolvers<void>()
  const sql = new SQL(url, { max: 1, onclose: () => closed.resolve() })
  let [known, idle] = ['', 0]
  const isIdle = async () => {
    const [row] = await sql`
      select sum(sessions)::text as ever,
             (select count(*)::int - 1 from pg_stat_activity
               where backend_type = 'client backend') as now
        from pg_stat_database`
    idle = row.now === 0 && row.ever === known ? idle + 1 : 0
    known = row.ever
    if (!isWanted()) idle = checks
    return idle >= checks
  }
  // A check fails if the server has ended.
  const watched = until(isIdle, checkMilliseconds).catch(() => undefined)
  await Promise.race([watched, closed.promise])
  const pid = readPidFile(dir)?.pid
  if (idle < checks || pid === undefined) return false
  await stopProcess(pid, dir)
  return true
}
