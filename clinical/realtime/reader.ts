// A channel that has subscribers here: it keeps the id of the last event that they were told of,
// and reads on from there. Ids are in the order of commits, so what it reads is whole, in order,
// and each event once, whatever became of the notification that rang.

import type { Mode } from '#contract/operation.ts'
import { realtimeCloses, type RealtimeClose } from '#contract/realtime.ts'
import { sql } from '#database/sql.ts'
import { eventColumnsOf } from '../events/event.ts'
import type { ModePools } from '../modes.ts'
import { published } from '../pipeline/publish.ts'
import type { Place } from './channel.ts'
import type { Bearer } from './token.ts'

/** One connection of a client. */
export type Subscriber = {
  /** False when so much is waiting for it that it is to be cut off. */
  send(frame: string): boolean
  close(why: RealtimeClose): void
}

export type Channel = {
  readonly place: Place
  tenant: string
  /** The id of the last event that its subscribers were told of. */
  last: string
  readonly subscribers: Map<Subscriber, Bearer>
  /** Whether it is being read, and whether it is to be read again. */
  reading: boolean
  again: boolean
}

export type ReaderParts = {
  pools: ModePools
  onError(failure: unknown): void
  /** Told of what was sent: so many frames of an event that old, in milliseconds. */
  sent?: ((mode: Mode, frames: number, age: number) => void) | undefined
}

type EventRow = { id: string; type: string; age: number; body: string }

/** Of events read at once: others get their turn between two of them. */
const batch = 100

export const newChannel = (place: Place, tenant: string, last: string): Channel => ({
  place,
  tenant,
  last,
  subscribers: new Map(),
  reading: false,
  again: false,
})

/** An emptied sandbox goes on in another tenant, of which nothing was told yet. */
export function moveTo(channel: Channel, tenant: string): void {
  if (channel.tenant !== tenant) Object.assign(channel, { tenant, last: '' })
}

export function drop(channel: Channel, one: Subscriber, why: RealtimeClose): void {
  channel.subscribers.delete(one)
  one.close(why)
}

/** Tells the subscribers of a channel what they were not told yet. */
export async function readOn(channel: Channel, parts: ReaderParts): Promise<void> {
  channel.again = true
  if (channel.reading) return
  channel.reading = true
  try {
    while (channel.again && channel.subscribers.size > 0) {
      channel.again = false
      const { tenant, last, place } = channel
      const rows = await eventsAfter(parts.pools, place, tenant, last)
      if (channel.tenant !== tenant) continue
      for (const row of rows) tell(channel, row, parts)
      channel.again ||= rows.length === batch
    }
  } catch (failure) {
    // It is read on when the next event is told, or at the next look around.
    channel.again = true
    parts.onError(failure)
  } finally {
    channel.reading = false
  }
}

function tell(channel: Channel, { id, type, age, body }: EventRow, { sent }: ReaderParts): void {
  channel.last = id
  const frame = `{"name":${JSON.stringify(type)},"id":"${id}","data":${body}}`
  sent?.(channel.place.mode, channel.subscribers.size, age)
  for (const one of channel.subscribers.keys()) {
    if (!one.send(frame)) drop(channel, one, realtimeCloses.tooSlow)
  }
}

/** Row-level security admits the rows of the tenant that is set, so it is set first. */
const opening = (tenant: string) => sql`select set_config('app.tenant', ${tenant}, false)`

export async function latestIn(pools: ModePools, { mode }: Place, tenant: string): Promise<string> {
  return pools[mode].use(async connection => {
    await connection.run(opening(tenant))
    const [row] = await connection.run<{ id: string }>(sql`
      select id from events where tenant = ${tenant}::bigint order by id desc limit 1`)
    return row?.id ?? ''
  })
}

async function eventsAfter(
  pools: ModePools,
  { mode, organization }: Place,
  tenant: string,
  last: string,
): Promise<EventRow[]> {
  return pools[mode].use(async connection => {
    await connection.run(opening(tenant))
    return connection.run<EventRow>(sql`
      select id, type, extract(epoch from clock_timestamp() - created_at)::float8 * 1000 as age,
             ${published(eventColumnsOf(sql`${organization}::text`, mode))} as body
        from events where tenant = ${tenant}::bigint and id > ${last} order by id limit ${batch}::int`)
  })
}
