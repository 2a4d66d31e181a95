// Modules with their own origin. Decided in docs/decisions/0086-give-each-module-an-origin.md.
import type { AddressOf } from '#http/client-address.ts'
import type { Log } from '#http/log.ts'
import type { AppContext } from '#clinical/pipeline/perform.ts'
import type { Docs } from '#mcp/docs/docs.ts'
import type { RoleUrls } from '#database/roles.ts'
import { authorizationOf, type AuthorizationParts } from './authorization.ts'
import { consoleOf } from './console.ts'
import type { Listeners } from './listeners.ts'
import { portalOf } from './portal.ts'
import { toolServerOf } from './tool-server.ts'
import { serveAuthServer } from './auth-server.ts'
import type { GatewayContext } from '../settings/context.ts'
import { newRequestId } from '#http/http-request.ts'

type ModuleParts = Omit<AuthorizationParts, 'handoffUrls'> & {
  readonly clinic: AppContext
  readonly listeners: Listeners
  readonly urls: Pick<RoleUrls, 'auth' | 'console'>
  /** The guides and the contract, for the tool server. */
  docs(): Docs
  readonly addressOf: AddressOf
  readonly log: Log
}

export function serveOtherModules(
  context: Pick<GatewayContext, 'config' | 'secrets'>,
  { clinic, listeners, docs, addressOf, log, onError, ...parts }: ModuleParts,
) {
  const given = { addressOf, log, onError }
  const portal = portalOf(context, { ...parts, clinic, listeners, onError })
  const clinicConsole = consoleOf(context, { ...parts, clinic, listeners, onError })
  const modules = {
    mcp: toolServerOf({ clinic, listeners, base: parts.base, docs, onError }),
    portal,
    console: clinicConsole,
  }
  listeners.serveModules({ ...given, modules, newRequestId })
  const handoffUrls = { portal: listeners.urls.portal, console: listeners.urls.console }
  const open = authorizationOf(context, { ...parts, handoffUrls, onError })
  const auth = serveAuthServer({ ...given, listeners, open })
  return {
    isServed: auth.isServed,
    close: () => Promise.all([auth.close(), portal.close(), clinicConsole.close()]),
  }
}
