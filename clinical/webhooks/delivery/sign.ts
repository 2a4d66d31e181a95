// The signature of a delivery (contract/05, section 5): HMAC-SHA256 over `t`, a dot and the raw
// body, under the whole secret, its prefix included. `contract/vectors/webhook-signatures.json`
// holds both sides to it.

/** The header's value. While a secret is being replaced there are two, the newest first. */
export function signature(secrets: readonly string[], seconds: number, body: string): string {
  const digests = secrets.map(secret =>
    new Bun.CryptoHasher('sha256', secret).update(`${seconds}.${body}`).digest('hex'),
  )
  return [`t=${seconds}`, ...digests.map(digest => `v1=${digest}`)].join(',')
}
