// The modules that have an origin of their own.
import type { AddressOf } from '#http/client-address.ts'
import type { Log } from '#http/log.ts'
import { authorizationOf, type AuthorizationParts } from './authorization.ts'
import type { Listeners } from './listeners.ts'
import { toolServerMetadata } from './resource-metadata.ts'
import { serveAuthServer } from '../server/auth-server.ts'
import type { GatewayContext } from '../server/context.ts'
import { newRequestId } from '../server/request-ids.ts'

type ModuleParts = Omit<AuthorizationParts, 'handoffUrls'> & {
  readonly listeners: Listeners
  readonly addressOf: AddressOf
  readonly log: Log
}

export function serveOtherModules(
  context: Pick<GatewayContext, 'config' | 'secrets'>,
  { listeners, addressOf, log, onError, ...parts }: ModuleParts,
) {
  const given = { addressOf, log, onError }
  const endpoints = { mcp: toolServerMetadata(listeners), portal: [], console: [] }
  listeners.serveModules({ ...given, endpoints, newRequestId })
  const handoffUrls = { portal: listeners.urls.portal }
  const open = authorizationOf(context, { ...parts, handoffUrls, onError })
  return serveAuthServer({ ...given, listeners, open })
}
