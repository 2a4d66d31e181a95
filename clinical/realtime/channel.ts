// The name of a channel: one integration, one organization, one mode. Names are made here alone, of
// valid ids, which hold neither `:` nor `*`, so that no name can match several channels.

import { isId, prefixes } from '#contract/ids.ts'
import type { Mode } from '#contract/operation.ts'

export type ChannelName = string & { readonly __brand: 'channel' }

export type ChannelOwner = { integration: string; organization: string; mode: Mode }

/** Throws when an id is malformed. */
export function channelNameOf({ integration, organization, mode }: ChannelOwner): ChannelName {
  if (!isId(prefixes.integration, integration) || !isId(prefixes.organization, organization)) {
    throw new Error('a channel is named by an id of an integration and one of an organization')
  }
  return `integration:${integration}:${organization}${mode === 'test' ? ':test' : ''}` as ChannelName
}

/** Parses a channel name; null when it is not valid. */
export function parseChannelName(name: string): ChannelOwner | null {
  const found = /^integration:([^:]+):([^:]+)(:test)?$/.exec(name)
  const [, integration = '', organization = '', suffix] = found ?? []
  if (!isId(prefixes.integration, integration) || !isId(prefixes.organization, organization)) {
    return null
  }
  return { integration, organization, mode: suffix === undefined ? 'live' : 'test' }
}
