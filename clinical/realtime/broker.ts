// This gateway's subscribers: admits and removes them, and listens to the database for channels
// with new events.

import { SQL } from 'bun'
import { type Mode, modes } from '#contract/operation.ts'
import { realtimeCloses, type RealtimeClose } from '#contract/realtime.ts'
import { stillAuthorized, type TenantAuthorization } from '#auth/principal.ts'
import { momentText } from '#database/clock.ts'
import { driverAddress } from '#database/roles.ts'
import type { ModePools } from '../modes.ts'
import { type ChannelName, channelNameOf } from '#contract/realtime.ts'
import { notifyChannelOf, parseNotification } from './embedded.ts'
import {
  type Channel,
  drop,
  latestEventId,
  switchTenant,
  newChannel,
  type ReaderParts,
  publishNewEvents,
  type Subscriber,
} from './reader.ts'
import { openConnectionQuota, type QuotaOwner } from './connection-quota.ts'
import type { Bearer } from './token.ts'

type BrokerOptions = ReaderParts & {
  /** Database URLs for the gateway's roles. */
  urls: Readonly<Record<Mode, string>>
  now(): number
}

type Channels = Map<ChannelName, Channel>

export type Broker = {
  /** Admits a subscriber and sends it a hello message. Returns the close reason if it's refused. */
  join(one: Subscriber, bearer: Bearer): Promise<RealtimeClose | null>
  leave(one: Subscriber, bearer: Bearer): void
  /** Removes subscribers with expired tokens or revoked credentials, and retries failed reads. */
  maintain(): Promise<void>
  subscribers(): number
  close(): Promise<void>
}

export function openBroker(parts: BrokerOptions): Broker {
  const channels: Channels = new Map()
  const connectionQuota = openConnectionQuota(parts, owner => connectionsOf(channels, owner))
  const listeners = new Map<Mode, Promise<SQL>>()
  const listenerFor = (mode: Mode): Promise<SQL> => {
    const listening = listeners.get(mode)
    if (listening) return listening
    const opening = listen(mode, channels, parts)
    listeners.set(mode, opening)
    opening.catch(() => listeners.delete(mode))
    return opening
  }
  return {
    async join(one, bearer) {
      // A signing key is valid only in its own mode.
      if (bearer.signedBy !== bearer.owner.mode) return realtimeCloses.otherMode
      if (bearer.expires <= parts.now()) return realtimeCloses.expired
      const { owner } = bearer
      await listenerFor(owner.mode)
      const [found] = await standingOf(parts.pools, owner.mode, [bearer])
      if (!found) return realtimeCloses.revoked
      const name = channelNameOf(owner)
      const { tenant } = found
      // This is also read for an open channel, because the channel's last subscriber may leave
      // before this subscriber enters.
      const last = await latestEventId(parts.pools, owner, tenant)
      const isAdmitted = await connectionQuota.acquire(owner, () => {
        const channel = channels.get(name) ?? newChannel(owner, tenant, last)
        switchTenant(channel, tenant)
        channels.set(name, channel)
        channel.subscribers.set(one, bearer)
        one.send(hello(name, bearer, channel.last))
        // Events written during admission weren't sent to this subscriber.
        void publishNewEvents(channel, parts)
      })
      return isAdmitted ? null : realtimeCloses.tooMany
    },
    leave(one, { owner }) {
      const name = channelNameOf(owner)
      const channel = channels.get(name)
      channel?.subscribers.delete(one)
      if (channel?.subscribers.size === 0) channels.delete(name)
      connectionQuota.release(owner)
    },
    async maintain() {
      await maintainChannels(channels, parts)
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

/** Returns one integration's connections in one mode at this gateway, for all its organizations. */
function connectionsOf(channels: Channels, { integration, mode }: QuotaOwner): number {
  let count = 0
  for (const { owner, subscribers } of channels.values()) {
    if (owner.integration === integration && owner.mode === mode) count += subscribers.size
  }
  return count
}

/** Listens for a mode's channels with new events. */
async function listen(mode: Mode, channels: Channels, parts: BrokerOptions): Promise<SQL> {
  const url = parts.urls[mode]
  const listener = new SQL({
    ...driverAddress(url),
    max: 1,
    connection: { application_name: `realtime listener ${mode}` },
  })
  const onNotification = (payload: string) => {
    for (const notification of parseNotification(payload)) {
      const channel = channels.get(channelNameOf({ ...notification, mode }))
      if (!channel) continue
      switchTenant(channel, notification.tenant)
      if (channel.last < notification.event) void publishNewEvents(channel, parts)
    }
  }
  // Runs after every (re)connection, because notifications are lost while disconnected.
  const onListen = () => {
    for (const channel of channels.values()) {
      if (channel.owner.mode === mode) void publishNewEvents(channel, parts)
    }
  }
  await listener.listen(notifyChannelOf(mode), onNotification, onListen)
  return listener
}

async function maintainChannels(channels: Channels, parts: BrokerOptions): Promise<void> {
  const left: Record<Mode, [Channel, Subscriber, Bearer][]> = { test: [], live: [] }
  for (const channel of channels.values()) {
    if (channel.isReadRequested) void publishNewEvents(channel, parts)
    for (const [one, bearer] of channel.subscribers) {
      if (bearer.expires <= parts.now()) drop(channel, one, realtimeCloses.expired)
      else left[channel.owner.mode].push([channel, one, bearer])
    }
  }
  for (const mode of modes) {
    if (left[mode].length === 0) continue
    // Sockets with the same key are checked only once.
    const bearers = new Map(left[mode].map(([, , bearer]) => [pairOf(heldBy(bearer)), bearer]))
    const stand = new Set((await standingOf(parts.pools, mode, [...bearers.values()])).map(pairOf))
    for (const [channel, one, bearer] of left[mode]) {
      if (!stand.has(pairOf(heldBy(bearer)))) drop(channel, one, realtimeCloses.revoked)
    }
  }
}

/** Builds the first message. A client whose last event is a different one reads the events in
 *  between. */
const hello = (channel: ChannelName, { expires }: Bearer, latest: string): string =>
  JSON.stringify({
    name: 'hello',
    data: {
      channel,
      expires_at: momentText(expires),
      latest_event_id: latest === '' ? null : latest,
    },
  })

const heldBy = ({ holder, owner: { organization } }: Bearer) => ({ holder, organization })
const pairOf = (one: ReturnType<typeof heldBy>) => `${one.holder} ${one.organization}`

const standingOf = (
  pools: ModePools,
  mode: Mode,
  bearers: readonly Bearer[],
): Promise<TenantAuthorization[]> =>
  pools[mode].use(connection =>
    stillAuthorized(connection, mode, 'realtime:subscribe', bearers.map(heldBy)),
  )
