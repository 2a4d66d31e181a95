// The values that the authorization server issues, and the hashes that the database stores instead.

import type { Mode } from '#contract/operation.ts'
import { randomBytes } from '#database/clock.ts'
import type { Statement } from '#database/sql.ts'
import { hashArray, hashesOf, pepperName, type Peppers } from '../pepper.ts'
import { hashToken, mintAccessToken, mintRefreshToken } from '../tokens.ts'

export type Secrets = {
  /** The hash stored in place of a new value. */
  hash(value: string): Uint8Array
  /** The possible stored forms of a value, as an array of `bytea`, one per pepper. */
  hashes(value: string): Statement
  /** The same hashes in hexadecimal. */
  hexHashes(value: string): string[]
  /** The name of the pepper for new hashes. */
  readonly pepper: string
  /** Whether one of the hexadecimal `hashes` is a hash of the value. */
  isOneOf(value: string, hashes: readonly string[]): boolean
  accessToken(mode: Mode, random?: Uint8Array): string
  refreshToken(): string
  /** A refresh token's successor, which is always the same: a client that lost the response gets
   *  the same successor again, even though the token itself isn't stored. Deriving a successor
   *  requires the pepper. */
  successor(refreshToken: string): string
  /** The successor under each pepper, because another gateway may have a newer pepper. */
  successors(refreshToken: string): readonly string[]
  /** Keys that sign cookies. */
  readonly cookieKeys: readonly string[]
}

export function createSecrets(peppers: Peppers): Secrets {
  const [newest] = peppers
  const derive = (purpose: string, value: string, pepper = newest) =>
    new Bun.CryptoHasher('sha256', pepper).update(`${purpose}\n${value}`)
  const successor = (value: string, pepper: string) =>
    mintRefreshToken(derive('successor of a refresh token', value, pepper).digest())
  return {
    hash: value => hashToken(newest, value),
    hashes: value => hashArray(hashesOf(peppers, value)),
    hexHashes: value => hashesOf(peppers, value).map(hash => hash.toHex()),
    pepper: pepperName(newest),
    isOneOf: (value, hashes) =>
      hashesOf(peppers, value).some(hash => hashes.includes(hash.toHex())),
    accessToken: (mode, random = randomBytes(32)) => mintAccessToken(mode, random),
    refreshToken: () => mintRefreshToken(randomBytes(32)),
    successor: value => successor(value, newest),
    successors: value => peppers.map(pepper => successor(value, pepper)),
    cookieKeys: peppers.map(pepper =>
      derive('authorization cookies', '', pepper).digest('base64url'),
    ),
  }
}

const userCodeAlphabet = 'BCDFGHJKLMNPQRSTVWXZ'

/** Normalizes a displayed user code to the form that is hashed. Returns null if it can't be one. */
export function normalizedUserCode(text: string): string | null {
  const normalized = text.toUpperCase().replaceAll(/[\s-]/g, '')
  return new RegExp(`^[${userCodeAlphabet}]{8}$`).test(normalized) ? normalized : null
}
