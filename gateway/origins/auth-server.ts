// Mounts the authorization server on its listener, at AUTH_URL.
import type { AddressOf } from '#http/client-address.ts'
import type { Log } from '#http/log.ts'
import type { OwnOrigin } from '#http/origins/own-origin.ts'
import { nothingServed } from './guard.ts'
import type { Listeners } from './listeners.ts'
import type { RequestListener } from './node-listener.ts'
import { type FailedRequest, newRequestId } from '#http/http-request.ts'

/** Serves AUTH_URL. */
export type AuthApp = {
  /** The paths that appear in the log. */
  readonly paths: readonly string[]
  readonly answer: RequestListener
  close(): Promise<void>
}

/** The mounted server's parts, in addition to those that `open` adds. */
export type AuthAppParts = {
  /** AUTH_URL: the issuer of every token. */
  readonly issuer: string
  /** The resources that the issuer's tokens are valid for: the API and the tool server. */
  readonly resources: { readonly api: string; readonly mcp: string }
  /** The session cookies' names, and whether a request comes from its own page. */
  readonly own: OwnOrigin
}

type AuthServerParts = {
  readonly listeners: Listeners
  readonly addressOf: AddressOf
  readonly log: Log
  onError(failure: unknown, request: FailedRequest): void
  /** If absent, nothing is served at AUTH_URL. */
  open?(parts: AuthAppParts): AuthApp
}

export function serveAuthServer({ listeners, open, ...parts }: AuthServerParts) {
  const { auth, base, urls, own, guards } = listeners
  const app = open?.({
    issuer: urls.auth,
    resources: { api: base, mcp: urls.mcp },
    own: own.auth,
  })
  auth.serve({
    ...parts,
    url: urls.auth,
    guard: guards.auth,
    paths: new Set(app?.paths),
    answer: app?.answer ?? nothingServed(base),
    newRequestId,
  })
  return { isServed: app !== undefined, close: async () => app?.close() }
}
