// The keys that sign the agent card and the catalogs: ECDSA on P-256 (ES256), which every A2A
// verifier supports. A key is derived from a secret, so gateways with the same secret have the same
// key.
import { createECDH, createPrivateKey, type KeyObject, sign } from 'node:crypto'

/** A public key in RFC 7517's format. */
type PublicKey = {
  readonly kty: 'EC'
  readonly crv: 'P-256'
  readonly x: string
  readonly y: string
  readonly kid: string
  readonly alg: 'ES256'
  readonly use: 'sig'
}

export type SigningKey = { readonly publicKey: PublicKey; readonly key: KeyObject }

export function signingKey(secret: string): SigningKey {
  const scalar = new Bun.CryptoHasher('sha256').update(`signing key\n${secret}`).digest()
  const curve = createECDH('prime256v1')
  curve.setPrivateKey(scalar)
  const point = curve.getPublicKey()
  const [x, y] = [encoded(point.subarray(1, 33)), encoded(point.subarray(33))]
  const named = { crv: 'P-256', kty: 'EC', x, y } as const
  // RFC 7638: the hash of the required fields in alphabetical order.
  const kid = new Bun.CryptoHasher('sha256').update(JSON.stringify(named)).digest('base64url')
  const key = createPrivateKey({ key: { ...named, d: encoded(scalar) }, format: 'jwk' })
  return { publicKey: { ...named, kid, alg: 'ES256', use: 'sig' }, key }
}

export type Jws = { readonly protected: string; readonly signature: string }

/** A JWS (RFC 7515) with a detached payload; `keys` is the URL where its key is published. */
export function signed({ publicKey, key }: SigningKey, payload: Uint8Array, keys: string): Jws {
  const header = { alg: publicKey.alg, typ: 'JOSE', kid: publicKey.kid, jku: keys }
  const head = encoded(Buffer.from(JSON.stringify(header)))
  const input = Buffer.from(`${head}.${encoded(payload)}`)
  const signature = sign('sha256', input, { key, dsaEncoding: 'ieee-p1363' })
  return { protected: head, signature: encoded(signature) }
}

const encoded = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url')
