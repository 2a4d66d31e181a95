// Detects whether two databases accept writes at the same time. Each database is probed on its own
// machine, through its socket, so the probe also reaches nodes cut off from the network. A
// completed commit reports its node and timeline. Two nodes on one timeline, or a commit on an
// older timeline after a commit on a newer timeline, prove two primaries.
import { SQL } from 'bun'

export type Accepted = {
  readonly node: string
  readonly timeline: number
  readonly began: number
  readonly ended: number
}

/** One line for each pair that proves two primaries. */
export function conflictsIn(accepted: readonly Accepted[]): string[] {
  const owners = new Map<number, string>()
  const conflicts: string[] = []
  let newest: Accepted | undefined
  for (const one of accepted.toSorted((a, b) => a.ended - b.ended)) {
    const owner = owners.get(one.timeline) ?? one.node
    owners.set(one.timeline, owner)
    if (owner !== one.node) {
      conflicts.push(`${owner} and ${one.node} both accepted on timeline ${one.timeline}`)
    }
    if (newest !== undefined && one.timeline < newest.timeline && one.began > newest.ended) {
      conflicts.push(
        `${one.node} accepted on timeline ${one.timeline} after ${newest.node} had on ${newest.timeline}`,
      )
    }
    if (newest === undefined || one.timeline > newest.timeline) newest = one
  }
  return conflicts
}

const statement = `
  with written as (insert into public.cluster_probe default values returning 1)
  select ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::int as timeline
    from written`

type ProbeAttempt = { readonly node: string; readonly began: number }

/** How often the nodes were probed between two times, and how often they accepted. */
export function countsOf(
  { asked, accepted }: { asked: readonly ProbeAttempt[]; accepted: readonly Accepted[] },
  nodes: readonly string[],
  [from, to]: readonly [number, number],
) {
  const isThere = ({ node, began }: ProbeAttempt) =>
    nodes.includes(node) && began > from && began < to
  return { asked: asked.filter(isThere).length, accepted: accepted.filter(isThere).length }
}

export function openProbe(sockets: ReadonlyMap<string, string>, connection: object) {
  const accepted: Accepted[] = []
  const asked: ProbeAttempt[] = []
  const stopping = new AbortController()
  const watch = async ([node, path]: readonly [string, string]) => {
    while (!stopping.signal.aborted) {
      // Opens a new connection each time: after a crash, the old connection would wait forever.
      const sql = new SQL({ ...connection, path, max: 1, connectionTimeout: 3 } as SQL.Options)
      const began = performance.now()
      asked.push({ node, began })
      const answer = await Promise.race([
        sql.unsafe(statement).catch(() => []),
        Bun.sleep(5000).then(() => []),
      ])
      const timeline = (answer as { timeline?: number }[])[0]?.timeline
      if (timeline !== undefined) {
        accepted.push({ node, timeline, began, ended: performance.now() })
      }
      void sql.close({ timeout: 0 }).catch(() => undefined)
      await Bun.sleep(400)
    }
  }
  const watching = [...sockets].map(watch)
  return {
    accepted,
    asked,
    async stop() {
      stopping.abort()
      await Promise.all(watching)
    },
  }
}

export type Probe = ReturnType<typeof openProbe>
