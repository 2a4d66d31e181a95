// A request's credential: a key, or a device login's tokens.

export type KeyCredential = { readonly kind: 'key'; readonly key: string }

export type TokenCredential = {
  readonly kind: 'token'
  readonly accessToken: string
  readonly refreshToken: string
  /** Milliseconds since 1970, by this machine's clock. */
  readonly expiresAt: number
  readonly scopes: readonly string[]
  readonly client: string
  readonly tokenEndpoint: string
  readonly revocationEndpoint: string
  /** The API that the tokens are for. */
  readonly resource: string
}

export type Credential = KeyCredential | TokenCredential

export const secretOf = (credential: Credential): string =>
  credential.kind === 'key' ? credential.key : credential.accessToken

const prefix = /^svc_(?:sk|at)_(test|live)_/

/** Reads a key's or token's mode from its prefix. */
export const modeOf = (secret: string): 'test' | 'live' | undefined =>
  prefix.exec(secret)?.[1] as 'test' | 'live' | undefined

/** The part that is safe to show. */
export const shown = (secret: string): string =>
  `${prefix.exec(secret)?.[0] ?? ''}…${secret.slice(-4)}`

export function parseCredential(text: string): Credential | undefined {
  try {
    const value = JSON.parse(text) as Partial<Credential>
    if (value.kind === 'key' && typeof value.key === 'string') return value as KeyCredential
    if (value.kind === 'token' && typeof value.accessToken === 'string') {
      return value as TokenCredential
    }
  } catch {
    return undefined
  }
  return undefined
}
