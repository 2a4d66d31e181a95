// How a surface authenticates its callers. Where people sign in, their sessions replace bearer
// tokens. Decided in docs/decisions/0076-limit-failed-authentications-only.md.

import { isId, prefixes } from '#contract/ids.ts'
import type { Mode } from '#contract/operation.ts'
import type { Audience } from '#contract/scopes.ts'
import { guardConnection, type GuardedConnection } from '#auth/guard.ts'
import type { KeyCheck } from '#auth/key-check.ts'
import type { Peppers } from '#auth/pepper.ts'
import {
  type CachedCredential,
  type CredentialCache,
  findCredential,
  type FoundCaller,
  modeOf,
  type PresentedCredential,
  presentedCredential,
} from '#auth/principal.ts'
import type { Connection } from '#database/pool.ts'
import {
  findSession,
  findSessionOfIntegration,
  guardSession,
  presentSession,
  presentSessionOfIntegration,
} from '#auth/session-caller.ts'
import type { RequestedCall } from './requested-call.ts'

export type AuthenticationServices = {
  /** Every pepper that credentials may be hashed with, newest first. */
  peppers: Peppers
  keyChecks: Readonly<Record<Mode, KeyCheck>>
}

/** `F` is the caller's data that the lookup returns. */
export type Authentication<F extends FoundCaller = CachedCredential> = {
  /** Returns the credential a request presents, or null, without a lookup, if it can't be valid.
   *  The credential's name must differ from the names of every other kind of credential, because
   *  all kinds share one cache. */
  present(
    services: AuthenticationServices,
    request: RequestedCall<string>,
  ): PresentedCredential | null
  /** Checks validity before any more work for an address with too many failures. Only credentials
   *  that anyone can make up need this. Pages check a session before they call, so a session is
   *  never refused because of other callers at its address. */
  isValid?(services: AuthenticationServices, presented: PresentedCredential): Promise<boolean>
  /** Looks up the credential, and sets the connection to the tenant the call acts for. */
  find(
    connection: Connection,
    presented: PresentedCredential,
    cache?: CredentialCache,
  ): Promise<F | null>
  /** Makes each of the call's statements verify that the credential hasn't changed. */
  guard(connection: Connection, found: F): GuardedConnection
}

/** Keys and access tokens. A token limited to other surfaces counts as unknown (RFC 8707). */
export const bearerTokens = (audience: Audience): Authentication => ({
  present({ peppers }, { token, organization: sent }) {
    const mode = modeOf(token)
    if (token === null || mode === null) return null
    // A malformed organization ID can't be granted, and is kept out of SQL statements.
    const organization = sent === null || isId(prefixes.organization, sent) ? sent : ''
    return presentedCredential(peppers, { token, mode, organization, audience })
  },
  isValid: ({ keyChecks }, { mode, hashes }) => keyChecks[mode](hashes),
  find: findCredential,
  guard: guardConnection,
})

/** People's sessions. */
export const personSessions: Authentication = {
  present({ peppers }, { token, acting, organization }) {
    if (token === null || acting === undefined) return null
    return presentSession(peppers, { ...acting, token, organization })
  },
  find: findSession,
  guard: guardSession,
}

/** People's sessions that act for the integration itself, not for a clinic. */
export const integrationSessions: Authentication = {
  present({ peppers }, { token, acting }) {
    if (token === null || acting === undefined) return null
    return presentSessionOfIntegration(peppers, { ...acting, token })
  },
  find: findSessionOfIntegration,
  guard: guardSession,
}
