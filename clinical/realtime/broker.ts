// The subscribers at this gateway: who is let in, who has to leave, and which channels the database
// says have something new.

import { SQL } from 'bun'
import { type Mode, modes } from '#contract/operation.ts'
import { realtimeCloses, type RealtimeClose } from '#contract/realtime.ts'
import { standing, type Standing } from '#auth/principal.ts'
import { momentText } from '#database/clock.ts'
import type { ModePools } from '../modes.ts'
import { type ChannelName, channelNameOf } from './channel.ts'
import { earOf, toldIn } from './embedded.ts'
import {
  type Channel,
  drop,
  latestIn,
  moveTo,
  newChannel,
  type ReaderParts,
  readOn,
  type Subscriber,
} from './reader.ts'
import { openConnectionQuota, type Whose } from './connection-quota.ts'
import type { Bearer } from './token.ts'

export type BrokerOptions = ReaderParts & {
  /** Of the roles app_test and app_live. */
  urls: Readonly<Record<Mode, string>>
  now(): number
}

type Channels = Map<ChannelName, Channel>

export type Broker = {
  /** Lets a subscriber in and greets it, or answers why not. */
  join(one: Subscriber, bearer: Bearer): Promise<RealtimeClose | null>
  leave(one: Subscriber, bearer: Bearer): void
  /** Looks around: whose token is over, whose credential is revoked, what was left unread. */
  tend(): Promise<void>
  subscribers(): number
  close(): Promise<void>
}

export function openBroker(parts: BrokerOptions): Broker {
  const channels: Channels = new Map()
  const connectionQuota = openConnectionQuota(parts, whose => connectionsOf(channels, whose))
  const listeners = new Map<Mode, Promise<SQL>>()
  const listening = (mode: Mode): Promise<SQL> => {
    const known = listeners.get(mode)
    if (known) return known
    const opening = listen(mode, channels, parts)
    listeners.set(mode, opening)
    opening.catch(() => listeners.delete(mode))
    return opening
  }
  return {
    async join(one, bearer) {
      // A key speaks for its own plane alone.
      if (bearer.signedBy !== bearer.place.mode) return realtimeCloses.otherMode
      if (bearer.expires <= parts.now()) return realtimeCloses.expired
      const { place } = bearer
      await listening(place.mode)
      const [found] = await standingOf(parts.pools, place.mode, [bearer])
      if (!found) return realtimeCloses.revoked
      const name = channelNameOf(place)
      const { tenant } = found
      const last = channels.has(name) ? '' : await latestIn(parts.pools, place, tenant)
      const isAdmitted = await connectionQuota.take(place, () => {
        const channel = channels.get(name) ?? newChannel(place, tenant, last)
        moveTo(channel, tenant)
        channels.set(name, channel)
        channel.subscribers.set(one, bearer)
        one.send(hello(name, bearer, channel.last))
        // What was written while it was let in was told to nobody here.
        void readOn(channel, parts)
      })
      return isAdmitted ? null : realtimeCloses.tooMany
    },
    leave(one, { place }) {
      const name = channelNameOf(place)
      const channel = channels.get(name)
      channel?.subscribers.delete(one)
      if (channel?.subscribers.size === 0) channels.delete(name)
      connectionQuota.give(place)
    },
    async tend() {
      await tend(channels, parts)
      await connectionQuota.renew()
    },
    subscribers: () =>
      [...channels.values()].reduce((sum, { subscribers }) => sum + subscribers.size, 0),
    async close() {
      for (const channel of channels.values()) {
        for (const one of channel.subscribers.keys()) drop(channel, one, realtimeCloses.restarting)
      }
      await connectionQuota.close()
      const open = await Promise.allSettled(listeners.values())
      for (const listener of open)
        if (listener.status === 'fulfilled') await listener.value.close({ timeout: 1 })
    },
  }
}

/** Those of one integration in one mode at this gateway, whatever clinics it listens for. */
function connectionsOf(channels: Channels, { integration, mode }: Whose): number {
  let count = 0
  for (const { place, subscribers } of channels.values()) {
    if (place.integration === integration && place.mode === mode) count += subscribers.size
  }
  return count
}

/** Hears which channels of a plane have something new. */
async function listen(mode: Mode, channels: Channels, parts: BrokerOptions): Promise<SQL> {
  const url = parts.urls[mode]
  const listener = new SQL({
    url,
    max: 1,
    connection: { application_name: `realtime listener ${mode}` },
  })
  const heard = (payload: string) => {
    for (const told of toldIn(payload)) {
      const channel = channels.get(channelNameOf({ ...told, mode }))
      if (!channel) continue
      moveTo(channel, told.tenant)
      if (channel.last < told.event) void readOn(channel, parts)
    }
  }
  // After a lost connection, whatever was told meanwhile was told to nobody here.
  const listens = () => {
    for (const channel of channels.values()) {
      if (channel.place.mode === mode) void readOn(channel, parts)
    }
  }
  await listener.listen(earOf(mode), heard, listens)
  return listener
}

async function tend(channels: Channels, parts: BrokerOptions): Promise<void> {
  const left: Record<Mode, [Channel, Subscriber, Bearer][]> = { test: [], live: [] }
  for (const channel of channels.values()) {
    if (channel.again) void readOn(channel, parts)
    for (const [one, bearer] of channel.subscribers) {
      if (bearer.expires <= parts.now()) drop(channel, one, realtimeCloses.expired)
      else left[channel.place.mode].push([channel, one, bearer])
    }
  }
  for (const mode of modes) {
    if (left[mode].length === 0) continue
    const bearers = left[mode].map(([, , bearer]) => bearer)
    const stand = new Set((await standingOf(parts.pools, mode, bearers)).map(pairOf))
    for (const [channel, one, bearer] of left[mode]) {
      if (!stand.has(pairOf(heldBy(bearer)))) drop(channel, one, realtimeCloses.revoked)
    }
  }
}

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

const heldBy = ({ credential, place: { organization } }: Bearer) => ({ credential, organization })
const pairOf = (one: ReturnType<typeof heldBy>) => `${one.credential} ${one.organization}`

const standingOf = (
  pools: ModePools,
  mode: Mode,
  bearers: readonly Bearer[],
): Promise<Standing[]> =>
  pools[mode].use(connection =>
    standing(connection, mode, 'realtime:subscribe', bearers.map(heldBy)),
  )
