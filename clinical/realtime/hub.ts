// The subscribers at this gateway. Every channel that has some keeps the id of the last event that
// it was told of, and reads on from there: ids are in the order of commits, so what it reads is
// whole, in order, and each event once, whatever became of the notification that rang.

import { SQL } from 'bun'
import { limits } from '#contract/limits.ts'
import type { Mode } from '#contract/operation.ts'
import { realtimeCloses, type RealtimeClose } from '#contract/realtime.ts'
import { standing, type Standing } from '#auth/principal.ts'
import { sql } from '#database/sql.ts'
import { momentText } from '#database/time-and-chance.ts'
import { eventColumnsOf } from '../events/event.ts'
import type { Planes } from '../planes.ts'
import { published } from '../publish.ts'
import { type ChannelName, channelNameOf, type Place } from './channel.ts'
import { earOf, toldIn } from './embedded.ts'
import type { Bearer } from './token.ts'

/** One connection of a client. */
export type Subscriber = {
  /** False when so much is waiting for it that it is to be cut off. */
  send(frame: string): boolean
  close(why: RealtimeClose): void
}

export type HubParts = {
  planes: Planes
  /** Of the roles svc_test and svc_live. */
  urls: Readonly<Record<Mode, string>>
  now(): number
  alarm(failure: unknown): void
  /** Told of what was sent: so many frames of an event that old, in milliseconds. */
  sent?(frames: number, age: number): void
}

type Channel = {
  place: Place
  stream: string
  /** The id of the last event that its subscribers were told of. */
  last: string
  subscribers: Map<Subscriber, Bearer>
  /** Being read, and to be read again. */
  reading: boolean
  again: boolean
}

type EventRow = { id: string; type: string; age: number; body: string }

/** Of events read at once: others get their turn between two of them. */
const batch = 100

export type Hub = ReturnType<typeof openHub>

export function openHub(parts: HubParts) {
  const channels = new Map<ChannelName, Channel>()
  const ears = new Map<Mode, Promise<SQL>>()

  const listening = (mode: Mode): Promise<SQL> => {
    const known = ears.get(mode)
    if (known) return known
    const heard = (payload: string) => {
      for (const told of toldIn(payload)) {
        const channel = channels.get(channelNameOf({ ...told, mode }))
        if (!channel) continue
        // An emptied sandbox goes on in another stream, of which nothing was told yet.
        if (channel.stream !== told.stream) Object.assign(channel, { stream: told.stream, last: '' })
        if (channel.last < told.event) void readOn(channel)
      }
    }
    // After a lost connection, whatever was told meanwhile was told to nobody here.
    const listens = () => {
      for (const channel of channels.values()) if (channel.place.mode === mode) void readOn(channel)
    }
    const opening = listen(parts.urls[mode], mode, heard, listens)
    ears.set(mode, opening)
    opening.catch(() => ears.delete(mode))
    return opening
  }

  const readOn = async (channel: Channel): Promise<void> => {
    channel.again = true
    if (channel.reading) return
    channel.reading = true
    try {
      while (channel.again && channel.subscribers.size > 0) {
        channel.again = false
        const { stream, last } = channel
        const rows = await eventsAfter(parts.planes, channel.place, stream, last)
        if (channel.stream !== stream) continue
        for (const row of rows) tell(channel, row)
        if (rows.length === batch) channel.again = true
      }
    } catch (failure) {
      // It is read on when the next event is told, or at the next look around.
      channel.again = true
      parts.alarm(failure)
    } finally {
      channel.reading = false
    }
  }

  const tell = (channel: Channel, { id, type, age, body }: EventRow) => {
    channel.last = id
    const frame = `{"name":${JSON.stringify(type)},"id":"${id}","data":${body}}`
    for (const one of channel.subscribers.keys()) {
      if (!one.send(frame)) drop(channel, one, realtimeCloses.tooSlow)
    }
    parts.sent?.(channel.subscribers.size, age)
  }

  const drop = (channel: Channel, one: Subscriber, why: RealtimeClose) => {
    channel.subscribers.delete(one)
    one.close(why)
  }

  return {
    /** Lets a subscriber in and greets it, or answers why not. */
    async join(one: Subscriber, bearer: Bearer): Promise<RealtimeClose | null> {
      if (bearer.expires <= parts.now()) return realtimeCloses.expired
      const { place } = bearer
      await listening(place.mode)
      const [found] = await standingOf(parts.planes, place.mode, [bearer])
      if (!found) return realtimeCloses.revoked
      const name = channelNameOf(place)
      const { stream } = found
      const last = channels.has(name) ? '' : await latestIn(parts.planes, place, stream)
      const channel = channels.get(name) ?? newChannel(place, stream, last)
      if (channel.subscribers.size >= limits.realtimeSubscribersMax) return realtimeCloses.tooMany
      if (channel.stream !== stream) Object.assign(channel, { stream, last: '' })
      channels.set(name, channel)
      channel.subscribers.set(one, bearer)
      one.send(hello(name, bearer, channel.last))
      // What was written while it was let in was told to nobody here.
      void readOn(channel)
      return null
    },
    leave(one: Subscriber, { place }: Bearer): void {
      const name = channelNameOf(place)
      const channel = channels.get(name)
      channel?.subscribers.delete(one)
      if (channel?.subscribers.size === 0) channels.delete(name)
    },
    /** Looks around: whose token is over, whose credential is revoked, what was left unread. */
    async tend(): Promise<void> {
      const left: Record<Mode, [Channel, Subscriber, Bearer][]> = { test: [], live: [] }
      for (const channel of channels.values()) {
        if (channel.again) void readOn(channel)
        for (const [one, bearer] of channel.subscribers) {
          if (bearer.expires <= parts.now()) drop(channel, one, realtimeCloses.expired)
          else left[channel.place.mode].push([channel, one, bearer])
        }
      }
      for (const mode of ['test', 'live'] as const) {
        if (left[mode].length === 0) continue
        const found = await standingOf(
          parts.planes,
          mode,
          left[mode].map(([, , bearer]) => bearer),
        )
        const stands = new Set(found.map(pairOf))
        for (const [channel, one, { credential, place }] of left[mode]) {
          if (stands.has(pairOf({ credential, organization: place.organization }))) continue
          drop(channel, one, realtimeCloses.revoked)
        }
      }
    },
    subscribers: (): number =>
      [...channels.values()].reduce((sum, { subscribers }) => sum + subscribers.size, 0),
    async close(): Promise<void> {
      for (const channel of channels.values()) {
        for (const one of channel.subscribers.keys()) drop(channel, one, realtimeCloses.restarting)
      }
      const open = await Promise.allSettled(ears.values())
      for (const ear of open) if (ear.status === 'fulfilled') await ear.value.close({ timeout: 1 })
    },
  }
}

const newChannel = (place: Place, stream: string, last: string): Channel => ({
  place,
  stream,
  last,
  subscribers: new Map(),
  reading: false,
  again: false,
})

const pairOf = (one: { credential: string; organization: string }) =>
  `${one.credential} ${one.organization}`

/** What comes first. A client that last saw another event reads what is between. */
const hello = (channel: ChannelName, { expires }: Bearer, latest: string): string =>
  JSON.stringify({
    name: 'hello',
    data: {
      channel,
      expires_at: momentText(expires),
      latest_event_id: latest === '' ? null : latest,
    },
  })

async function listen(
  url: string,
  mode: Mode,
  heard: (payload: string) => void,
  listens: () => void,
): Promise<SQL> {
  const ear = new SQL({ url, max: 1, connection: { application_name: `realtime ear ${mode}` } })
  await ear.listen(earOf(mode), heard, listens)
  return ear
}

const standingOf = (planes: Planes, mode: Mode, bearers: readonly Bearer[]): Promise<Standing[]> =>
  planes[mode].use(lane =>
    standing(
      lane,
      mode,
      'realtime:subscribe',
      bearers.map(({ credential, place }) => ({ credential, organization: place.organization })),
    ),
  )

/** The second wall admits the rows of one stream alone, which is opened first. */
const opening = (stream: string) => sql`select set_config('app.stream', ${stream}, false)`

async function latestIn(planes: Planes, { mode }: Place, stream: string): Promise<string> {
  return planes[mode].use(async lane => {
    await lane.run(opening(stream))
    const [row] = await lane.run<{ id: string }>(sql`
      select id from events where stream = ${stream}::bigint order by id desc limit 1`)
    return row?.id ?? ''
  })
}

async function eventsAfter(
  planes: Planes,
  { mode, organization }: Place,
  stream: string,
  last: string,
): Promise<EventRow[]> {
  return planes[mode].use(async lane => {
    await lane.run(opening(stream))
    return lane.run<EventRow>(sql`
      select id, type, extract(epoch from clock_timestamp() - created_at)::float8 * 1000 as age,
             ${published(eventColumnsOf(sql`${organization}::text`, mode))} as body
        from events where stream = ${stream}::bigint and id > ${last} order by id limit ${batch}::int`)
  })
}
