// Creates certificates for test receivers: an authority that no system trusts, and leaf
// certificates for any name and time (X.509, RFC 5280, in DER). Keys exist in memory only.

import { dayMilliseconds } from '#contract/moments.ts'
import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'

type Keys = { publicKey: KeyObject; privateKey: KeyObject }
export type Leaf = { cert: string; key: string }

const der = (tag: number, ...parts: Uint8Array[]): Uint8Array => {
  const body = Buffer.concat(parts)
  const long = body.length < 256 ? [0x81] : [0x82, body.length >> 8]
  const size = body.length < 128 ? [body.length] : [...long, body.length & 255]
  return Buffer.concat([Uint8Array.of(tag, ...size), body])
}
const sequence = (...parts: Uint8Array[]) => der(0x30, ...parts)
const oid = (...bytes: number[]) => der(0x06, Uint8Array.of(...bytes))
const octets = (part: Uint8Array) => der(0x04, part)
const bits = (part: Uint8Array) => der(0x03, Uint8Array.of(0), part)
const integer = (value: number) => der(0x02, Uint8Array.of(value))
const time = (moment: Date) =>
  der(0x18, Buffer.from(`${moment.toISOString().replaceAll(/[-:T]|\..*/g, '')}Z`))
const name = (text: string) =>
  sequence(der(0x31, sequence(oid(0x55, 4, 3), der(0x0c, Buffer.from(text)))))

const ecdsaWithSha256 = sequence(oid(0x2a, 0x86, 0x48, 0xce, 0x3d, 4, 3, 2))
const isAuthority = sequence(
  oid(0x55, 0x1d, 0x13),
  der(0x01, Uint8Array.of(255)),
  octets(sequence(der(0x01, Uint8Array.of(255)))),
)
const signsCertificates = sequence(
  oid(0x55, 0x1d, 0x0f),
  der(0x01, Uint8Array.of(255)),
  octets(der(0x03, Uint8Array.of(1, 6))),
)
const idOf = ({ publicKey }: Keys) =>
  createHash('sha1')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest()
/** Identifies the key, so `authorityKey` in the certificates it signed can refer to it. */
const subjectKey = (keys: Keys) => sequence(oid(0x55, 0x1d, 0x0e), octets(octets(idOf(keys))))
const authorityKey = (keys: Keys) =>
  sequence(oid(0x55, 0x1d, 0x23), octets(sequence(der(0x80, idOf(keys)))))
/** The subjectAltName for DNS names and IPv4 addresses. */
const alternative = (hosts: readonly string[]) =>
  sequence(oid(0x55, 0x1d, 0x11), octets(sequence(...hosts.map(nameOf))))
const nameOf = (host: string) => {
  const address = host.split('.').map(Number)
  const isAddress = address.length === 4 && address.every(part => part >= 0 && part < 256)
  return isAddress ? der(0x87, Uint8Array.of(...address)) : der(0x82, Buffer.from(host))
}

type CertificateFields = {
  subject: string
  issuer: string
  from: Date
  to: Date
  extensions: readonly Uint8Array[]
}

let serial = 0
function certificate(fields: CertificateFields, subject: Keys, issuer: Keys): string {
  const toBeSigned = sequence(
    der(0xa0, integer(2)),
    integer(++serial & 127),
    ecdsaWithSha256,
    name(fields.issuer),
    sequence(time(fields.from), time(fields.to)),
    name(fields.subject),
    subject.publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(...fields.extensions)),
  )
  const signed = sign('sha256', toBeSigned, issuer.privateKey)
  const whole = Buffer.from(sequence(toBeSigned, ecdsaWithSha256, bits(signed)))
  const lines = whole
    .toString('base64')
    .match(/.{1,64}/g)
    ?.join('\n')
  return `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`
}

const newKeys = (): Keys => generateKeyPairSync('ec', { namedCurve: 'P-256' })

/** An authority that signs certificates for hosts. `from` and `to` are days from now. */
export function openAuthority(now: number) {
  const keys = newKeys()
  const issuer = 'A test authority'
  const validity = (from: number, to: number) => ({
    from: new Date(now + from * dayMilliseconds),
    to: new Date(now + to * dayMilliseconds),
  })
  const life = validity(-30, 400)
  const extensions = [isAuthority, signsCertificates, subjectKey(keys)]
  const root = { subject: issuer, issuer, extensions, ...life }
  return {
    cert: certificate(root, keys, keys),
    sign(hosts: string | readonly string[], from = -1, to = 1): Leaf {
      const own = newKeys()
      const names = [hosts].flat()
      const extensions = [alternative(names), authorityKey(keys)]
      const fields = { subject: names[0] ?? '', issuer, extensions, ...validity(from, to) }
      return {
        cert: certificate(fields, own, keys),
        key: own.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
      }
    },
  }
}
