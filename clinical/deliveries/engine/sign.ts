// A delivery's headers, with its signature: HMAC-SHA256 over `t`, a dot and the raw body. The key
// is the whole secret, including its prefix. Test vectors for senders and receivers are in
// contract/vectors/webhook-signatures.json.

import { webhookHeaders } from '#contract/events.ts'

/** Returns the header's value. While a secret is being rotated, the header has two signatures,
 *  newest first. */
export function signature(secrets: readonly string[], seconds: number, body: string): string {
  const digests = secrets.map(secret =>
    new Bun.CryptoHasher('sha256', secret).update(`${seconds}.${body}`).digest('hex'),
  )
  return [`t=${seconds}`, ...digests.map(digest => `v1=${digest}`)].join(',')
}

type Signed = {
  id: string
  event: string
  event_type: string
  /** The replay that created the delivery. */
  replay: string | null
  signature: string
}

/** Every header of a delivery, except the connection's. */
export const deliveryHeaders = ({ id, event, event_type, replay, ...sent }: Signed) => ({
  'content-type': 'application/json',
  'user-agent': 'Clinical-Integrations/1',
  'accept-encoding': 'identity',
  [webhookHeaders.signature]: sent.signature,
  [webhookHeaders.event]: event,
  [webhookHeaders.type]: event_type,
  [webhookHeaders.delivery]: id,
  ...(replay === null ? {} : { [webhookHeaders.replay]: replay }),
})
