// Tokens in Ably's form (a JWT with a capability claim) for every provider, so that one client
// library works with both. A token names one literal channel and grants `subscribe`, never
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

/** A verified token. It may be expired, so that its holder gets the close reason `expired`. */
export type Bearer = {
  owner: ChannelOwner
  holder: string
  expires: number
  /** The id of the signing key. */
  signedBy: string
}

/** Verifies a token's signature; null when none of the keys signed it. */
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
    // The caller checks the expiry with its own clock, which tests replace.
    const ignoring = { algorithms: ['HS256'], currentDate: new Date(0) }
    const { payload } = await jwtVerify(token, key.secret, ignoring)
    const granted: unknown = JSON.parse(String(payload['x-ably-capability']))
    const [channel = ''] = Object.keys(Object(granted))
    const owner = parseChannelName(channel)
    if (!owner || payload.exp === undefined) return null
    const holder = String(payload['x-ably-revocation-key'])
    return { owner, holder, expires: payload.exp * 1000, signedBy: key.id }
  } catch {
    // Malformed, or not signed by a known key.
    return null
  }
}
