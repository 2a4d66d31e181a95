// The state of one request to the authorization server: values it has read, and writes still to
// come. The library works step by step: it consumes a code, then saves an access token, then a
// refresh token. The adapter keeps these steps here, and one statement writes them once the library
// has decided (issue.ts). If a process dies, all of these writes are stored or none are, and the
// database decides every race.

import type { Statement } from '#database/sql.ts'
import type { AuditedCall } from './audit.ts'
import type { FamilyRow } from './families.ts'

export type ConsumedKind = 'code' | 'refresh' | 'device'

export type Consumed = {
  readonly kind: ConsumedKind
  readonly hashes: Statement
  /** The value's name in this process's memory. */
  readonly name: string
  readonly family: string
  /** Whether a refresh token was consumed seconds ago by a request whose response was lost, so its
   *  successor is returned again. */
  readonly isRetry: boolean
  /** Whether the retry arrived before the first request's response, so it's no sign of theft. */
  readonly isConcurrent?: boolean
}

export type IssuedAccess = {
  readonly value: string
  readonly scopes: readonly string[]
  readonly audience: readonly string[] | null
  readonly seconds: number
}

export type IssuedRefresh = {
  readonly value: string
  readonly payload: Readonly<Record<string, unknown>>
  readonly seconds: number
}

export type OAuthRequest = {
  readonly call: AuditedCall
  /** Measured with performance.now(). */
  readonly arrived: number
  readonly families: Map<string, FamilyRow | null>
  /** HMACs of the looked-up client's secrets. */
  secretHashes: readonly string[]
  /** Refresh tokens and other items found, by value. */
  readonly found: Map<string, Consumed>
  consumed?: Consumed
  /** The successor that the first request got for an already used refresh token. */
  successor?: string
  access?: IssuedAccess
  refresh?: IssuedRefresh
  client?: string
  /** The code of a refusal shown to a person as a page. */
  shown?: string
  /** The organization to pin the tokens to. */
  organization?: string | null
  /** The failure that stopped the request, if it isn't the caller's fault. */
  failure?: unknown
}

export const newRequest = (call: AuditedCall): OAuthRequest => ({
  call,
  arrived: performance.now(),
  families: new Map(),
  secretHashes: [],
  found: new Map(),
})

const requests = new WeakMap<object, OAuthRequest>()

export const rememberRequest = (context: object, request: OAuthRequest) =>
  void requests.set(context, request)

export const requestOf = (context: object): OAuthRequest | undefined => requests.get(context)

/** Milliseconds since the request arrived. */
export const ageOf = ({ arrived }: OAuthRequest) => performance.now() - arrived
