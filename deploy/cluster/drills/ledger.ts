// Checks after recovery: each acknowledged write exists once, under the ID in its response, and
// polling and webhooks delivered exactly the committed events.
import type { Document } from './documents.ts'
import type { WrittenRow } from './writer.ts'

/** The event of each write. Events from the setup aren't counted. */
export const countedType = 'patient.created.v1'

export type Committed = {
  readonly rows: ReadonlyMap<string, readonly string[]>
  /** IDs in commit order, by integration. */
  readonly events: readonly (readonly string[])[]
}

type Ledger = {
  readonly acknowledged: ReadonlyMap<string, Pick<WrittenRow, 'id'>>
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
  /** The first uncommitted IDs, to search for. */
  readonly uncommitted: readonly string[]
  /** Repeats are allowed: a delivery may arrive twice with the same event ID. */
  readonly deliveredAgain: number
}

export function judge({ rows, events }: Committed, seen: Ledger): Verdict {
  const all = new Set(events.flat())
  const found = [...seen.acknowledged].map(
    ([name, { id }]) => rows.get(name)?.includes(id) === true,
  )
  const uncommitted = [...seen.delivered.keys()].filter(id => !all.has(id))
  const isSame = (one: readonly string[], other: readonly string[] = []) =>
    one.length === other.length && one.every((id, at) => id === other[at])
  return {
    acknowledged: seen.acknowledged.size,
    lost: found.filter(is => !is).length,
    doubled: [...rows.values()].filter(ids => ids.length > 1).length,
    committedEvents: all.size,
    polledOtherwise: events.filter((ids, at) => !isSame(ids, seen.polled[at])).length,
    undelivered: [...all].filter(id => !seen.delivered.has(id)).length,
    deliveredUncommitted: uncommitted.length,
    uncommitted: uncommitted.slice(0, 20),
    deliveredAgain: [...seen.delivered.values()].filter(times => times > 1).length,
  }
}

export const isRight = (verdict: Verdict): boolean => {
  const { lost, doubled, polledOtherwise, undelivered, deliveredUncommitted } = verdict
  return lost + doubled + polledOtherwise + undelivered + deliveredUncommitted === 0
}

/** Reads committed rows. `query` runs on the primary as a superuser and prints one line per row. */
export function readCommitted(
  query: (sql: string) => string,
  run: string,
  integrations: readonly string[],
): Committed {
  const lines = linesOf(query)
  const rows = new Map<string, string[]>()
  const patients = `select external_id || ' ' || id from test.patients where external_id like '${run}-%'`
  for (const line of lines(patients)) {
    const [name = '', id = ''] = line.split(' ')
    rows.set(name, [...(rows.get(name) ?? []), id])
  }
  const events = integrations.map(integration => lines(eventsSql('test', integration, countedType)))
  return { rows, events }
}

const linesOf = (query: (sql: string) => string) => (sql: string) =>
  query(sql).split('\n').filter(Boolean)

const eventsSql = (mode: 'test' | 'live', integration: string, type: string) =>
  `select e.id from ${mode}.events e join ${mode}.tenants t on t.id = e.tenant
    where t.integration = '${integration}' and e.type = '${type}' order by e.id`

export const documentType = 'file.attached.v1'

type StoredFile = { readonly id: string; readonly size: number; readonly object: string }
type CommittedDocuments = {
  readonly rows: readonly (StoredFile & { name: string })[]
  readonly events: string[]
}

/** Committed documents and their events. */
export function readDocuments(
  query: (sql: string) => string,
  run: string,
  of: string,
): CommittedDocuments {
  const lines = linesOf(query)
  const rows = lines(
    `select filename || ' ' || id || ' ' || size_bytes || ' ' || object from live.files
      where status = 'attached' and filename like '${run}-%'`,
  ).map(line => {
    const [name = '', id = '', size = '', object = ''] = line.split(' ')
    return { name, id, size: Number(size), object }
  })
  return { rows, events: lines(eventsSql('live', of, documentType)) }
}

/** Checks that each confirmed document exists once, under the ID in its response and with its
 *  bytes, and that its event was polled. `digestOfObject` reads an object from storage and returns
 *  null if it doesn't exist. */
export function judgeDocuments(
  { rows, events }: CommittedDocuments,
  attached: ReadonlyMap<string, Document>,
  polled: readonly string[],
  digestOfObject: (object: string) => string | null,
) {
  const kept = Map.groupBy(rows, ({ name }) => name)
  const of = (name: string, { id }: Document) => kept.get(name)?.find(row => row.id === id)
  const each = [...attached].map(([name, document]) => ({ document, row: of(name, document) }))
  return {
    attached: attached.size,
    lost: each.filter(({ row }) => row === undefined).length,
    doubled: [...kept.values()].filter(same => same.length > 1).length,
    otherBytes: each.filter(
      ({ row, document }) => row !== undefined && digestOfObject(row.object) !== document.digest,
    ).length,
    polledOtherwise: Number(events.join() !== polled.join()),
  }
}

export const areRight = (filed: ReturnType<typeof judgeDocuments>): boolean =>
  filed.lost + filed.doubled + filed.otherBytes + filed.polledOtherwise === 0
