// A software authenticator for one passkey. It signs with ES256, sends no attestation, and reports
// the person as verified unless a test turns that off (Web Authentication, sections 6.1 and 6.5.4).
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

type Options = { readonly challenge: string }

const flags = { present: 1, verified: 4, attested: 64 } as const

const sha256 = (data: Uint8Array | string) => createHash('sha256').update(data).digest()
const base64url = (data: Uint8Array) => Buffer.from(data).toString('base64url')

/** A CBOR head with its major type and length (RFC 8949 section 3). */
const head = (major: number, length: number) =>
  length < 24
    ? Buffer.of((major << 5) | length)
    : length < 256
      ? Buffer.of((major << 5) | 24, length)
      : Buffer.of((major << 5) | 25, length >> 8, length & 255)

const bytes = (data: Uint8Array) => Buffer.concat([head(2, data.length), data])
const text = (value: string) => Buffer.concat([head(3, value.length), Buffer.from(value)])

export function openAuthenticator(origin: string) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const id = randomBytes(32)
  // kty EC2, alg ES256, crv P-256, x and y (RFC 9053 section 7.1.1).
  const coseKey = Buffer.concat([
    Buffer.of(0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21),
    bytes(Buffer.from(x, 'base64url')),
    Buffer.of(0x22),
    bytes(Buffer.from(y, 'base64url')),
  ])
  // Passkeys synced between devices don't count uses.
  const state = { count: 0, counts: true, isVerified: true, origin }
  const dataOf = (attested: Uint8Array = Buffer.of()) => {
    const flag =
      flags.present |
      (state.isVerified ? flags.verified : 0) |
      (attested.length > 0 ? flags.attested : 0)
    const count = Buffer.alloc(4)
    count.writeUInt32BE(state.count)
    return Buffer.concat([sha256(new URL(origin).hostname), Buffer.of(flag), count, attested])
  }
  const clientData = (type: string, { challenge }: Options) =>
    Buffer.from(JSON.stringify({ type, challenge, origin: state.origin, crossOrigin: false }))
  const answer = (response: Record<string, string>) =>
    JSON.stringify({
      id: base64url(id),
      rawId: base64url(id),
      type: 'public-key',
      clientExtensionResults: {},
      response,
    })
  return {
    state,
    /** Responds as a browser does to `navigator.credentials.create`. */
    create(options: Options): string {
      const idLength = Buffer.of(0, id.length)
      const data = dataOf(Buffer.concat([Buffer.alloc(16), idLength, id, coseKey]))
      const parts = [head(5, 3), text('fmt'), text('none'), text('attStmt'), head(5, 0)]
      const attestation = Buffer.concat([...parts, text('authData'), bytes(data)])
      return answer({
        clientDataJSON: base64url(clientData('webauthn.create', options)),
        attestationObject: base64url(attestation),
      })
    },
    /** Responds as a browser does to `navigator.credentials.get`. */
    get(options: Options): string {
      if (state.counts) state.count++
      const [data, client] = [dataOf(), clientData('webauthn.get', options)]
      return answer({
        clientDataJSON: base64url(client),
        authenticatorData: base64url(data),
        signature: base64url(sign('sha256', Buffer.concat([data, sha256(client)]), privateKey)),
      })
    },
  }
}

/** The options that a page passes to an authenticator. */
export function optionsIn(page: string): Options {
  const encoded = /data-options="([^"]+)"/.exec(page)?.[1] ?? '{}'
  return JSON.parse(encoded.replaceAll('&quot;', '"').replaceAll('&amp;', '&')) as Options
}
