// Tokens in Ably's format (a JWT with a capability claim) for every provider, so one client library
// works with every provider. A token names one literal channel and grants `subscribe`, never
// `publish`.

import { decodeProtectedHeader, jwtVerify, SignJWT } from 'jose'
import { limits } from '#contract/limits.ts'
import { type ChannelOwner, parseChannelName } from '#contract/realtime.ts'
import type { RealtimeGrant } from '../services.ts'

export type SigningKey = { id: string; secret: Uint8Array }

export const signToken = (key: SigningKey, grant: RealtimeGrant): Promise<string> =>
  new SignJWT({
    'x-ably-capability': JSON.stringify({ [grant.channel]: ['subscribe'] }),
    'x-ably-clientId': grant.integration,
    'x-ably-revocation-key': grant.holder,
  })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT', kid: key.id })
    .setIssuedAt(grant.expires / 1000 - limits.realtimeTokenSeconds)
    .setExpirationTime(grant.expires / 1000)
    .sign(key.secret)

/** A verified token. It may be expired; its holder then gets the close reason `expired`. */
export type Bearer = {
  owner: ChannelOwner
  holder: string
  expires: number
  /** The signing key's ID. */
  signedBy: string
}

/** Verifies a token's signature; returns null if none of the keys signed it. */
export async function verifyToken(
  token: string,
  keys: readonly SigningKey[],
): Promise<Bearer | null> {
  for (const key of keys) {
    const bearer = await verifyWith(key, token)
    if (bearer) return bearer
  }
  return null
}

async function verifyWith(key: SigningKey, token: string): Promise<Bearer | null> {
  try {
    if (decodeProtectedHeader(token).kid !== key.id) return null
    // The caller checks expiration with its own clock, which tests replace.
    const ignoring = { algorithms: ['HS256'], currentDate: new Date(0) }
    const { payload } = await jwtVerify(token, key.secret, ignoring)
    const granted: unknown = JSON.parse(String(payload['x-ably-capability']))
    const [channel = ''] = Object.keys(Object(granted))
    const owner = parseChannelName(channel)
    if (!owner || payload.exp === undefined) return null
    const holder = String(payload['x-ably-revocation-key'])
    return { owner, holder, expires: payload.exp * 1000, signedBy: key.id }
  } catch {
    // The token is malformed, or not signed by a known key.
    return null
  }
}
