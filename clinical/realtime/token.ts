// The token, in the form that Ably reads (a JWT with its capability as a claim), whoever the
// provider is: one client library then speaks to both. It names one literal channel and grants
// `subscribe`, never `publish`. Making one is arithmetic: nobody is asked.

import { decodeProtectedHeader, jwtVerify, SignJWT } from 'jose'
import { limits } from '#contract/limits.ts'
import { type ChannelName, type ChannelOwner, parseChannelName } from './channel.ts'

export type Grant = {
  channel: ChannelName
  integration: string
  /** The id of the key that asked: with it goes every token that it made. */
  credential: string
  /** Milliseconds since 1970, of a whole second. */
  expires: number
}

export type SigningKey = { id: string; secret: Uint8Array }

export const signToken = (key: SigningKey, grant: Grant): Promise<string> =>
  new SignJWT({
    'x-ably-capability': JSON.stringify({ [grant.channel]: ['subscribe'] }),
    'x-ably-clientId': grant.integration,
    'x-ably-revocation-key': grant.credential,
  })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT', kid: key.id })
    .setIssuedAt(grant.expires / 1000 - limits.realtimeTokenSeconds)
    .setExpirationTime(grant.expires / 1000)
    .sign(key.secret)

/** Whom a token lets in. An expired one is still somebody's, who is told that it is over. */
export type Bearer = {
  place: ChannelOwner
  credential: string
  expires: number
  /** The id of the key. */
  signedBy: string
}

/** Who holds a token that one of the keys signed; null when none did. */
export async function verifyToken(
  token: string,
  keyOf: (id: string) => SigningKey | undefined,
): Promise<Bearer | null> {
  try {
    const key = keyOf(String(decodeProtectedHeader(token).kid))
    if (!key) return null
    // Whether it is over is for the caller to say, whose clock may be a test's.
    const ignoring = { algorithms: ['HS256'], currentDate: new Date(0) }
    const { payload } = await jwtVerify(token, key.secret, ignoring)
    const granted: unknown = JSON.parse(String(payload['x-ably-capability']))
    const [channel = ''] = Object.keys(Object(granted))
    const place = parseChannelName(channel)
    if (!place || payload.exp === undefined) return null
    const credential = String(payload['x-ably-revocation-key'])
    return { place, credential, expires: payload.exp * 1000, signedBy: key.id }
  } catch {
    // What does not parse, or was signed by nobody, is no token.
    return null
  }
}
