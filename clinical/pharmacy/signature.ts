// Standard Webhooks signatures (https://www.standardwebhooks.com), for messages to and from a
// pharmacy. The secret is `whsec_` and the key in base64.

import { createHmac, timingSafeEqual } from 'node:crypto'
import { pharmacyLimits } from '#contract/pharmacy/protocol.ts'

type Message = { readonly id: string; readonly seconds: number; readonly body: string }

const keyOf = (secret: string) => Buffer.from(secret.replace(/^whsec_/, ''), 'base64')

const digestOf = (secret: string, { id, seconds, body }: Message) =>
  createHmac('sha256', keyOf(secret)).update(`${id}.${seconds}.${body}`).digest()

export const signedHeaders = (secrets: readonly string[], message: Message) => ({
  'webhook-id': message.id,
  'webhook-timestamp': String(message.seconds),
  'webhook-signature': secrets
    .map(secret => `v1,${digestOf(secret, message).toString('base64')}`)
    .join(' '),
})

/** Returns the message's ID if one of the secrets signed it within the tolerance; otherwise null.
 */
export function verifiedId(
  headers: Headers,
  body: string,
  secrets: readonly string[],
  now: number,
): string | null {
  const id = headers.get('webhook-id') ?? ''
  const sent = headers.get('webhook-timestamp') ?? ''
  if (!/^[\x21-\x7e]{1,255}$/.test(id) || !/^\d{1,12}$/.test(sent)) return null
  const seconds = Number(sent)
  if (Math.abs(now / 1000 - seconds) > pharmacyLimits.toleranceSeconds) return null
  const signatures = (headers.get('webhook-signature') ?? '')
    .split(' ')
    .filter(one => one.startsWith('v1,'))
    .slice(0, signaturesMax)
    .map(one => Buffer.from(one.slice('v1,'.length), 'base64'))
  const own = secrets.map(secret => digestOf(secret, { id, seconds, body }))
  const isSigned = signatures.some(one =>
    own.some(digest => one.length === digest.length && timingSafeEqual(one, digest)),
  )
  return isSigned ? id : null
}

/** A sender that's rotating its secret sends two signatures. */
const signaturesMax = 10
