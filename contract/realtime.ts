// The realtime channel: where to connect and why the server closes a connection. The channel only
// notifies: polling and webhooks deliver every event without the channel.
import { isId, prefixes } from './ids.ts'
import type { Mode } from './operation.ts'

/** The embedded WebSocket server's path, on the API's host. */
export const realtimePath = '/v1/realtime'

/** The subprotocol that the server selects. A client offers this subprotocol along with
 *  `bearer.<token>`. */
export const realtimeProtocol = 'svc.v1'

/** Why the server closes a connection: codes from RFC 6455, and our own from 4000. */
export const realtimeCloses = {
  restarting: { code: 1012, reason: 'restarting, connect again' },
  subscribeOnly: { code: 1008, reason: 'subscribe only' },
  unavailable: { code: 1011, reason: 'unavailable, connect again' },
  tooSlow: { code: 1013, reason: 'too slow, read /v1/events' },
  tooMany: { code: 1013, reason: 'too many connections for this integration' },
  expired: { code: 4001, reason: 'token expired, create another' },
  revoked: { code: 4002, reason: 'credential revoked' },
  otherMode: { code: 4003, reason: 'token for the other mode' },
} as const

export type RealtimeClose = (typeof realtimeCloses)[keyof typeof realtimeCloses]

/** A channel's name: one integration, one organization, one mode. Names are built only here, from
 *  valid IDs, which contain neither `:` nor `*`, so no name can match several channels. */
export type ChannelName = string & { readonly __brand: 'channel' }

export type ChannelOwner = { integration: string; organization: string; mode: Mode }

/** Throws if an ID is malformed. */
export function channelNameOf({ integration, organization, mode }: ChannelOwner): ChannelName {
  if (!isId(prefixes.integration, integration) || !isId(prefixes.organization, organization)) {
    throw new Error('a channel name needs an integration ID and an organization ID')
  }
  return `integration:${integration}:${organization}${mode === 'test' ? ':test' : ''}` as ChannelName
}

/** Parses a channel name; returns null if it isn't valid. */
export function parseChannelName(name: string): ChannelOwner | null {
  const found = /^integration:([^:]+):([^:]+)(:test)?$/.exec(name)
  const [, integration = '', organization = '', suffix] = found ?? []
  if (!isId(prefixes.integration, integration) || !isId(prefixes.organization, organization)) {
    return null
  }
  return { integration, organization, mode: suffix === undefined ? 'live' : 'test' }
}
