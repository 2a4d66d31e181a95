// The signature of a delivery: HMAC-SHA256 over `t`, a dot and the raw body, with the whole secret,
// including its prefix, as the key. contract/vectors/webhook-signatures.json holds test vectors for
// sender and receiver.

/** The header's value. While a secret is being replaced there are two, the newest first. */
export function signature(secrets: readonly string[], seconds: number, body: string): string {
  const digests = secrets.map(secret =>
    new Bun.CryptoHasher('sha256', secret).update(`${seconds}.${body}`).digest('hex'),
  )
  return [`t=${seconds}`, ...digests.map(digest => `v1=${digest}`)].join(',')
}
