// What must hold after everything has healed: each acknowledged write exists once, under the id
// that was answered, and what was polled and what was delivered are what was committed.
import type { Written } from './writer.ts'

/** The one event of each write; those of the set-up are not counted. */
export const countedType = 'patient.created.v1'

export type Committed = {
  readonly rows: ReadonlyMap<string, readonly string[]>
  /** Ids in the order of their commits, by integration. */
  readonly events: readonly (readonly string[])[]
}

type Seen = {
  readonly acknowledged: ReadonlyMap<string, Pick<Written, 'id'>>
  readonly polled: readonly (readonly string[])[]
  readonly delivered: ReadonlyMap<string, number>
}

export type Verdict = {
  readonly acknowledged: number
  readonly lost: number
  readonly doubled: number
  readonly committedEvents: number
  readonly polledOtherwise: number
  readonly undelivered: number
  readonly deliveredUncommitted: number
  /** Allowed: a delivery may come twice, with the same event id. */
  readonly deliveredAgain: number
}

export function judge({ rows, events }: Committed, seen: Seen): Verdict {
  const all = new Set(events.flat())
  const found = [...seen.acknowledged].map(
    ([name, { id }]) => rows.get(name)?.includes(id) === true,
  )
  const isSame = (one: readonly string[], other: readonly string[] = []) =>
    one.length === other.length && one.every((id, at) => id === other[at])
  return {
    acknowledged: seen.acknowledged.size,
    lost: found.filter(is => !is).length,
    doubled: [...rows.values()].filter(ids => ids.length > 1).length,
    committedEvents: all.size,
    polledOtherwise: events.filter((ids, at) => !isSame(ids, seen.polled[at])).length,
    undelivered: [...all].filter(id => !seen.delivered.has(id)).length,
    deliveredUncommitted: [...seen.delivered.keys()].filter(id => !all.has(id)).length,
    deliveredAgain: [...seen.delivered.values()].filter(times => times > 1).length,
  }
}

export const isRight = (verdict: Verdict): boolean => {
  const { lost, doubled, polledOtherwise, undelivered, deliveredUncommitted } = verdict
  return lost + doubled + polledOtherwise + undelivered + deliveredUncommitted === 0
}

/** Reads what is committed; `query` asks the primary as a superuser, one line for each row. */
export function readCommitted(
  query: (sql: string) => string,
  run: string,
  integrations: readonly string[],
): Committed {
  const lines = (sql: string) => query(sql).split('\n').filter(Boolean)
  const rows = new Map<string, string[]>()
  const patients = `select external_id || ' ' || id from test.patients where external_id like '${run}-%'`
  for (const line of lines(patients)) {
    const [name = '', id = ''] = line.split(' ')
    rows.set(name, [...(rows.get(name) ?? []), id])
  }
  const events = integrations.map(integration =>
    lines(
      `select e.id from test.events e join test.tenants t on t.id = e.tenant
        where t.integration = '${integration}' and e.type = '${countedType}' order by e.id`,
    ),
  )
  return { rows, events }
}
