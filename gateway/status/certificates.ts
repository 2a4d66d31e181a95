// Expirations of the certificates that the platform serves and trusts: from files, and from the
// servers that it connects to. An unreadable certificate is left out, because the code that uses it
// reports why.
import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import net from 'node:net'
import tls from 'node:tls'
import { hourMilliseconds } from '#contract/moments.ts'
import type { Sample } from '#http/observe/metrics.ts'
import type { Config } from '../settings/config.ts'

/** `ends`: in milliseconds since 1970. */
export type Certificate = { readonly name: string; readonly ends: number }

/** The exchange before a connection switches to TLS: the bytes to send, and the expected reply. */
type Prelude = readonly { readonly send?: Uint8Array | string; readonly answer: RegExp }[]

const postgresPrelude: Prelude = [
  { send: Uint8Array.of(0, 0, 0, 8, 4, 0xd2, 0x16, 0x2f), answer: /^S/ },
]
const smtpPrelude: Prelude = [
  { answer: /^220 [^\n]*\n/m },
  { send: 'EHLO localhost\r\n', answer: /^250 [^\n]*\n/m },
  { send: 'STARTTLS\r\n', answer: /^220 [^\n]*\n/m },
]

const milliseconds = 5000

export async function readCertificates(
  config: Config,
  databaseUrl: string,
): Promise<Certificate[]> {
  const { origins, baseUrl, bucket, smtpUrl, redisUrl } = config
  const addresses = {
    BASE_URL: baseUrl,
    AUTH_URL: origins.auth.url,
    MCP_URL: origins.mcp.url,
    PORTAL_URL: origins.portal.url,
    CONSOLE_URL: origins.console.url,
    S3_ENDPOINT: bucket?.endpoint,
    SMTP_URL: smtpUrl,
    REDIS_URL: redisUrl,
    DATABASE_URL: databaseUrl,
  }
  const authority = new URL(databaseUrl).searchParams.get('sslrootcert') ?? undefined
  const files = { TLS_CERTIFICATE: config.tls?.certificate, sslrootcert: authority }
  const found = await Promise.all([
    ...Object.entries(files).map(([name, file]) => endOfFile(file).then(at(name), none)),
    ...Object.entries(addresses).map(([name, url]) => endAt(url).then(at(name), none)),
  ])
  return found.filter(one => one !== null)
}

const none = () => null
const at =
  (name: string) =>
  (ends: number | null): Certificate | null =>
    ends === null || Number.isNaN(ends) ? null : { name, ends }

/** The earliest expiration in a file, which may contain a chain. */
async function endOfFile(file: string | undefined): Promise<number | null> {
  if (file === undefined) return null
  const blocks = readFileSync(file, 'utf8').match(/-----BEGIN CERTIFICATE[^]+?-----END[^\n]+/g)
  return Math.min(...(blocks ?? []).map(pem => Date.parse(new X509Certificate(pem).validTo)))
}

const portOf: Record<string, number> = {
  'https:': 443,
  'smtps:': 465,
  'smtp:': 587,
  'rediss:': 6379,
  'postgres:': 5432,
  'postgresql:': 5432,
}
const preludeOf: Record<string, Prelude> = {
  'postgres:': postgresPrelude,
  'postgresql:': postgresPrelude,
  'smtp:': smtpPrelude,
}

/** Returns null if the URL's scheme isn't encrypted. */
async function endAt(address: string | undefined): Promise<number | null> {
  if (address === undefined) return null
  const { protocol, hostname, port, searchParams } = new URL(address)
  const known = portOf[protocol]
  const isPostgres = protocol.startsWith('postgres')
  if (known === undefined || (isPostgres && !searchParams.has('sslmode'))) return null
  return endShown(hostname.replaceAll(/[[\]]/g, ''), Number(port) || known, preludeOf[protocol])
}

/** The expiration of a server's certificate, trusted or not. */
async function endShown(host: string, port: number, prelude: Prelude = []): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const socket = net.connect({ host, port })
  socket.setTimeout(milliseconds, () => reject(new Error('It did not respond in time.')))
  socket.on('error', reject)
  try {
    for (const { send, answer } of prelude) {
      if (send !== undefined) socket.write(send)
      // A failed connection rejects both promises, and a rejection that nothing awaits would stop
      // the process.
      await Promise.race([answered(socket, answer), promise])
    }
    const servername = net.isIP(host) === 0 ? { servername: host } : {}
    const secured = tls.connect({ socket, rejectUnauthorized: false, ...servername })
    secured.on('error', reject)
    secured.once('secureConnect', () => resolve(Date.parse(secured.getPeerCertificate().valid_to)))
    return await promise
  } finally {
    socket.destroy()
  }
}

function answered(socket: net.Socket, answer: RegExp): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  let text = ''
  const take = (bytes: Buffer) => {
    text += bytes.toString('latin1')
    if (answer.test(text)) resolve()
  }
  const end = () => reject(new Error('The connection was closed.'))
  socket.on('data', take).once('close', end).once('timeout', end).once('error', end)
  return promise.finally(() => socket.off('data', take).off('close', end))
}

/** How many days before expiration a certificate is first reported, and when it must be
 *  replaced. */
export const certificateDays = { soon: 21, now: 7 } as const

/** Gauges of the expirations, which a scrape reads at most once an hour. */
export function certificateGauges(read: () => Promise<Certificate[]>, now: () => number) {
  let found: Promise<Certificate[]> = Promise.resolve([])
  let until = 0
  return async (): Promise<Sample[]> => {
    if (now() >= until) {
      until = now() + hourMilliseconds
      found = read()
    }
    return (await found).map(({ name, ends }) => ({
      name: 'telehealth_certificate_end_timestamp_seconds',
      labels: { certificate: name },
      value: ends / 1000,
    }))
  }
}
