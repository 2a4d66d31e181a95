// A channel with subscribers at this gateway. It stores the ID of the last event sent and continues
// from there. IDs are in commit order, so every event is sent once and in order, even if
// notifications are lost.

import type { Mode } from '#contract/operation.ts'
import { realtimeCloses, type RealtimeClose } from '#contract/realtime.ts'
import { sql } from '#database/sql.ts'
import { eventColumnsOf } from '../events/event.ts'
import type { ModePools } from '../modes.ts'
import { tenantNow } from '../pipeline/clock.ts'
import { published } from '../pipeline/publish.ts'
import type { ChannelOwner } from '#contract/realtime.ts'
import type { Bearer } from './token.ts'

/** One client connection. */
export type Subscriber = {
  /** Returns false if its send buffer is full; the subscriber is then removed. */
  send(frame: string): boolean
  close(why: RealtimeClose): void
}

export type Channel = {
  readonly owner: ChannelOwner
  tenant: string
  /** The ID of the last event sent to its subscribers. */
  last: string
  readonly subscribers: Map<Subscriber, Bearer>
  /** Whether the channel is being read, and whether it must be read again. */
  isReading: boolean
  isReadRequested: boolean
}

export type ReaderParts = {
  pools: ModePools
  onError(failure: unknown): void
  /** Called for each event with the number of frames and the event's age in milliseconds. */
  sent?: ((mode: Mode, frames: number, age: number) => void) | undefined
}

type EventRow = { id: string; type: string; age: number; body: string }

/** Events per query, so one channel doesn't hold a connection for long. */
const batch = 100

export const newChannel = (owner: ChannelOwner, tenant: string, last: string): Channel => ({
  owner,
  tenant,
  last,
  subscribers: new Map(),
  isReading: false,
  isReadRequested: false,
})

/** A reset sandbox continues in a new tenant with no events sent yet. The new tenant's number is
 *  higher, so a lower number comes from a late notification. */
export function switchTenant(channel: Channel, tenant: string): void {
  if (BigInt(tenant) > BigInt(channel.tenant)) Object.assign(channel, { tenant, last: '' })
}

export function drop(channel: Channel, one: Subscriber, why: RealtimeClose): void {
  channel.subscribers.delete(one)
  one.close(why)
}

/** Sends a channel's subscribers the events after the last one. */
export async function publishNewEvents(channel: Channel, parts: ReaderParts): Promise<void> {
  channel.isReadRequested = true
  if (channel.isReading) return
  channel.isReading = true
  try {
    while (channel.isReadRequested && channel.subscribers.size > 0) {
      channel.isReadRequested = false
      const { tenant, last, owner } = channel
      const rows = await eventsAfter(parts.pools, owner, tenant, last)
      if (channel.tenant !== tenant) continue
      for (const row of rows) sendEvent(channel, row, parts)
      channel.isReadRequested ||= rows.length === batch
    }
  } catch (failure) {
    // The next notification or the next `maintain` reads the channel again.
    channel.isReadRequested = true
    parts.onError(failure)
  } finally {
    channel.isReading = false
  }
}

function sendEvent(
  channel: Channel,
  { id, type, age, body }: EventRow,
  { sent }: ReaderParts,
): void {
  channel.last = id
  const frame = `{"name":${JSON.stringify(type)},"id":"${id}","data":${body}}`
  sent?.(channel.owner.mode, channel.subscribers.size, age)
  for (const one of channel.subscribers.keys()) {
    if (!one.send(frame)) drop(channel, one, realtimeCloses.tooSlow)
  }
}

/** Row-level security limits a connection to its current tenant's rows. */
const setTenant = (tenant: string) => sql`select set_config('app.tenant', ${tenant}, false)`

export async function latestEventId(
  pools: ModePools,
  { mode }: ChannelOwner,
  tenant: string,
): Promise<string> {
  return pools[mode].use(async connection => {
    await connection.run(setTenant(tenant))
    const [row] = await connection.run<{ id: string }>(sql`
      select id from events where tenant = ${tenant}::bigint order by id desc limit 1`)
    return row?.id ?? ''
  })
}

async function eventsAfter(
  pools: ModePools,
  { mode, organization }: ChannelOwner,
  tenant: string,
  last: string,
): Promise<EventRow[]> {
  return pools[mode].use(async connection => {
    await connection.run(setTenant(tenant))
    return connection.run<EventRow>(sql`
      select id, type, extract(epoch from ${tenantNow} - created_at)::float8 * 1000 as age,
             ${published(eventColumnsOf(sql`${organization}::text`, mode))} as body
        from events where tenant = ${tenant}::bigint and id > ${last} order by id limit ${batch}::int`)
  })
}
