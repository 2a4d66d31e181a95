// How a surface authenticates its callers. Where people sign in, their sessions take the place of
// bearer tokens.
// Decided in docs/decisions/0076-limit-failed-authentications-only.md.

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
import { findSession, guardSession, presentSession } from '#auth/session-caller.ts'
import type { RequestedCall } from './requested-call.ts'

export type AuthenticationServices = {
  /** Every pepper that credentials may be hashed with, newest first. */
  peppers: Peppers
  keyChecks: Readonly<Record<Mode, KeyCheck>>
}

/** `F`: what is found of a caller. */
export type Authentication<F extends FoundCaller = CachedCredential> = {
  /** What a request presents; null if that can be no credential, so that none is looked up. Its
   *  name must differ from every other kind's, because all share one cache. */
  present(
    services: AuthenticationServices,
    request: RequestedCall<string>,
  ): PresentedCredential | null
  /** Whether it is valid, before more is done for an address with too many failures. Only a
   *  credential that anyone can invent has it: pages have checked a session before they call, so
   *  that one is never refused for what its neighbors send. */
  isValid?(services: AuthenticationServices, presented: PresentedCredential): Promise<boolean>
  /** Looks it up, and sets the connection to the tenant that the call acts for. */
  find(
    connection: Connection,
    presented: PresentedCredential,
    cache?: CredentialCache,
  ): Promise<F | null>
  /** Has each statement of the call verify that the credential is still what was found. */
  guard(connection: Connection, found: F): GuardedConnection
}

/** Keys and access tokens. A token that is limited to other surfaces is unknown (RFC 8707). */
export const bearerTokens = (audience: Audience): Authentication => ({
  present({ peppers }, { token, organization: sent }) {
    const mode = modeOf(token)
    if (token === null || mode === null) return null
    // A malformed organization id cannot be granted, and is kept out of SQL statements.
    const organization = sent === null || isId(prefixes.organization, sent) ? sent : ''
    return presentedCredential(peppers, { token, mode, organization, audience })
  },
  isValid: ({ keyChecks }, { mode, hashes }) => keyChecks[mode](hashes),
  find: findCredential,
  guard: guardConnection,
})

/** The sessions of people. */
export const personSessions: Authentication = {
  present({ peppers }, { token, acting, organization }) {
    if (token === null || acting === undefined) return null
    return presentSession(peppers, { ...acting, token, organization })
  },
  find: findSession,
  guard: guardSession,
}
