// Reads the environment once. All other code receives its settings as arguments.
import path from 'node:path'
import { siteLimits } from '#contract/limits.ts'
import type { Bucket } from '#clinical/storage/s3.ts'
import type { ScannerAddress } from '#clinical/files/malware.ts'
import type { AblySettings } from '#clinical/realtime/ably.ts'
import type { VideoSettings } from '#clinical/rooms/open-video.ts'
import type { StorageSettings } from '#clinical/storage/open.ts'
import type { AddressRange } from '#http/client-address.ts'
import type { AddressForm } from '#http/log-addresses.ts'
import type { LogFormat } from '#http/log.ts'
import ipaddr from 'ipaddr.js'
import { isLoopback } from '#http/host-check.ts'
import { originsOf, type OriginSettings } from './origins.ts'
import { ConfigError, isBare, originOf, wrong } from './config-error.ts'
import type { TlsFiles } from '#http/origins/tls-files.ts'
import {
  ablyOf,
  bucketOf,
  scannerOf,
  drainingOf,
  loggingOf,
  mailAddress,
  type MetricsPorts,
  metricsOf,
  serviceUrlOf,
  serverUrl,
  tlsOf,
  videoOf,
  list,
  secrets,
} from './config-services.ts'

export type Config = Readonly<{
  /** PORT: 0 means any free port. */
  port: number
  /** HOST: the address to listen on. Defaults to the loopback address. */
  host: string
  /** TLS_CERTIFICATE, TLS_KEY: PEM files. With both files, every listener speaks TLS; otherwise, a
   *  proxy on the same machine handles TLS. */
  tls: TlsFiles | undefined
  /** DATABASE_URL: for a role that owns the database. Without it, PostgreSQL runs in DATA_DIR. */
  databaseUrl: string | undefined
  /** DATA_DIR: the database, the generated secrets and dev.json. */
  dataDir: string
  /**
   * WAL_ARCHIVE: a folder where the PostgreSQL in DATA_DIR archives its WAL, so a backup can be
   * restored to any later time. Without it, no WAL is archived.
   */
  walArchive: string | undefined
  /**
   * SITE_DIR: the built site to serve, such as a symbolic link that a deployment switches. Without
   * it, the site that `npm start` builds is served.
   */
  siteDir: string | undefined
  /**
   * BASE_URL: the public origin, which URLs in content/site.config.ts also use. Without it,
   * links point to this gateway: at localhost in files, and at the requested host elsewhere.
   */
  baseUrl: string | undefined
  /** AUTH_URL, MCP_URL, PORTAL_URL, CONSOLE_URL: the other modules' public URLs, each with a
   *  separate origin. They default to `http://localhost:` with their ports. AUTH_PORT, MCP_PORT,
   *  PORTAL_PORT, CONSOLE_PORT: where they listen. They default to the four ports after PORT. */
  origins: OriginSettings
  /** ALLOWED_HOSTS: accepted Host header values in addition to BASE_URL's. */
  allowedHosts: readonly string[]
  /** TRUSTED_PROXIES: proxies whose X-Forwarded-For is trusted. */
  trustedProxies: readonly AddressRange[]
  /** KEY_PEPPER: peppers for hashing credentials, newest first. Without it, DATA_DIR stores one. */
  keyPeppers: readonly string[]
  /**
   * SEAL_KEYS: the keys that encrypt secrets in the database, newest first. To rotate, put a new
   * key first; the worker re-encrypts everything encrypted with the old one. Without SEAL_KEYS, a
   * key is generated and stored in DATA_DIR.
   */
  encryptionKeys: readonly string[]
  /** SIGNING_KEYS: secrets of the keys that sign the agent card and the catalogs, newest first. */
  signingKeys: readonly string[]
  /**
   * WEBHOOK_ALLOW: private addresses that may receive test webhooks, such as 127.0.0.1 on a
   * developer's machine. These addresses may also host documents of OAuth clients, whose tokens are
   * for test mode only.
   */
  webhookAllow: readonly AddressRange[]
  /** WEBHOOK_CA: a file of CA certificates trusted for the same requests, in addition to the
   *  system's. */
  webhookCa: string | undefined
  /** S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY and, if not us-east-1,
   *  S3_REGION: the bucket for documents and export bundles. Without them, DATA_DIR stores both. */
  bucket: Bucket | undefined
  /** CLAMAV_ADDRESS: the clamd that scans live documents for malware. */
  scanner: ScannerAddress | undefined
  /**
   * ABLY_TEST_SUBSCRIBE_KEY, ABLY_TEST_PUBLISH_KEY, their LIVE counterparts (for a second Ably app)
   * and optionally ABLY_URL: Ably delivers realtime messages. Without them, the gateways do.
   */
  ably: AblySettings | undefined
  /** TURN_URLS and TURN_SECRET: the TURN server for video visits. DAILY_API_KEY: uses Daily
   *  instead. */
  video: VideoSettings
  /**
   * METRICS_PORT and WORKER_METRICS_PORT, at METRICS_HOST: where the gateway and a worker serve
   * Prometheus metrics, for the operator's network only. Off unless set.
   */
  metrics: MetricsPorts
  /** OTEL_EXPORTER_OTLP_ENDPOINT: where spans are sent by OTLP over HTTP; off unless set. */
  tracesEndpoint: string | undefined
  /** LOG_FORMAT: text on a terminal, JSON otherwise; `failures` prints only failures, as text. */
  logFormat: LogFormat
  /** LOG_ADDRESSES: whether request lines include the client address, as a keyed hash or in plain
   *  text. */
  logAddresses: AddressForm
  /** RATE_LIMIT_REQUESTS: requests per integration and organization in 60 seconds, under /v1. */
  rateLimitRequests: number
  /** SITE_RATE_LIMIT_REQUESTS: the same limit per client address, on the site's endpoints. */
  siteRateLimitRequests: number
  /** BREACHED_PASSWORDS_URL: a service of breached passwords, queried with five characters of a
   *  hash. */
  breachedPasswordsUrl: string | undefined
  /** REDIS_URL: lets gateways share rate limits. Without it, each gateway counts separately. */
  redisUrl: string | undefined
  /**
   * SMTP_URL: the mail server, with user and password. Without it, email is written to files in
   * DATA_DIR/mail.
   */
  smtpUrl: string | undefined
  /** MAIL_FROM: the sender address. Defaults to the company's sales address. */
  mailFrom: string | undefined
  /** SALES_EMAIL: who receives booking notices. Defaults to the company's sales address. */
  salesEmail: string | undefined
  draining: ReturnType<typeof drainingOf>
  /** POOL_SIZE: a gateway's database connections per mode. */
  poolSize: number
  /** WORKER_SOCKETS: the number of webhook requests a worker sends concurrently. */
  workerSockets: number
  /** WORKER_POOL_SIZE: a worker's database connections per mode. */
  workerPoolSize: number
}>

export { ConfigError }

type Environment = Record<string, string | undefined>

export function readConfig(environment: Environment = process.env): Config {
  // Compose and unit files write "not set" as an empty variable.
  const text = (name: string) => environment[name]?.trim() || undefined
  const port = wholeNumber('PORT', text('PORT'), 3000, 0, 65_535)
  const requests = (name: string, usual: number) =>
    wholeNumber(name, text(name), usual, 1, 10_000_000)
  const baseUrl = text('BASE_URL')
  const site = {
    port,
    baseUrl: baseUrl && originOf('BASE_URL', baseUrl, 'https://api.example.com'),
    allowedHosts: Object.freeze(list(text('ALLOWED_HOSTS')).map(hostName)),
  }
  return Object.freeze({
    ...site,
    origins: originsOf(text, site),
    host: hostToBind(text('HOST')),
    tls: tlsOf(text),
    databaseUrl: databaseUrl(text('DATABASE_URL')),
    dataDir: path.resolve(text('DATA_DIR') ?? path.join(import.meta.dir, '../..', '.data')),
    walArchive: archive(text('WAL_ARCHIVE')),
    siteDir: folder(text('SITE_DIR')),
    trustedProxies: ranges('TRUSTED_PROXIES', text('TRUSTED_PROXIES')),
    keyPeppers: secrets('KEY_PEPPER', text('KEY_PEPPER')),
    encryptionKeys: secrets('SEAL_KEYS', text('SEAL_KEYS')),
    signingKeys: secrets('SIGNING_KEYS', text('SIGNING_KEYS')),
    webhookAllow: ranges('WEBHOOK_ALLOW', text('WEBHOOK_ALLOW')),
    webhookCa: folder(text('WEBHOOK_CA')),
    bucket: bucketOf(text),
    scanner: scannerOf(text),
    ably: ablyOf(text),
    video: videoOf(text),
    metrics: metricsOf(text),
    tracesEndpoint: serviceUrlOf(text, 'OTEL_EXPORTER_OTLP_ENDPOINT', 'http://localhost:4318'),
    ...loggingOf(text),
    rateLimitRequests: requests('RATE_LIMIT_REQUESTS', 6000),
    siteRateLimitRequests: requests('SITE_RATE_LIMIT_REQUESTS', siteLimits.ratePerWindow),
    breachedPasswordsUrl: serviceUrlOf(
      text,
      'BREACHED_PASSWORDS_URL',
      'https://api.pwnedpasswords.com/range',
    ),
    redisUrl: serverUrl(
      'REDIS_URL',
      text('REDIS_URL'),
      /^rediss?:$/,
      'redis://user:password@host:6379/0',
    ),
    smtpUrl: serverUrl('SMTP_URL', text('SMTP_URL'), /^smtps?:$/, 'smtps://user:password@host:465'),
    mailFrom: mailAddress('MAIL_FROM', text('MAIL_FROM')),
    salesEmail: mailAddress('SALES_EMAIL', text('SALES_EMAIL')),
    draining: drainingOf(text),
    poolSize: wholeNumber('POOL_SIZE', text('POOL_SIZE'), 10, 1, 500),
    workerSockets: wholeNumber('WORKER_SOCKETS', text('WORKER_SOCKETS'), 64, 1, 200),
    workerPoolSize: wholeNumber('WORKER_POOL_SIZE', text('WORKER_POOL_SIZE'), 4, 1, 500),
  })
}

/** The environment for a child process: this process's, with the given variables changed. */
export function environmentFor(changed: Readonly<Record<string, string>>): Record<string, string> {
  const inherited = Object.entries(process.env).filter(
    (pair): pair is [string, string] => pair[1] !== undefined,
  )
  return { ...Object.fromEntries(inherited), ...changed }
}

/** The storage for documents and export bundles. */
export const storageOf = (config: Config): StorageSettings => ({
  folder: path.join(config.dataDir, 'files'),
  bucket: config.bucket,
})

/** Removes proxy variables. A proxy would resolve a receiver's name again, so the proxy might not
 *  connect to the checked address. */
export function forgetProxies(): void {
  for (const name of ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY']) {
    delete process.env[name]
    delete process.env[name.toLowerCase()]
  }
}

/** The public origin, once the port is known. */
export const baseUrlOf = (config: Config, port: number): string =>
  config.baseUrl ?? `http://localhost:${port}`

/** Whether only this machine can reach the gateway, according to HOST and the URLs. */
export function isPrivate({ host, baseUrl, origins }: Config): boolean {
  const urls = [baseUrl, ...Object.values(origins).map(({ url }) => url)]
  return [host, ...urls.flatMap(url => (url ? [new URL(url).hostname] : []))].every(isLoopback)
}

function wholeNumber(
  name: string,
  value: string | undefined,
  fallback: number,
  min: number,
  max: number,
): number {
  if (value === undefined) return fallback
  const number = /^\d+$/.test(value) ? Number(value) : Number.NaN
  if (number >= min && number <= max) return number
  throw wrong(name, `a whole number from ${min} to ${max}`, value)
}

/** Doesn't check that the folder exists, because a deployment may create it later. */
function folder(value: string | undefined): string | undefined {
  return value === undefined ? undefined : path.resolve(value)
}

/** A shell command copies the WAL, so characters with a meaning in a shell or PostgreSQL are
 *  refused. */
function archive(value: string | undefined): string | undefined {
  if (value !== undefined && /["$`\\%\n]/.test(value)) {
    throw new ConfigError('WAL_ARCHIVE must be a folder whose path contains none of " $ ` \\ %')
  }
  return folder(value)
}

function hostToBind(value = '127.0.0.1'): string {
  if (value === 'localhost' || ipaddr.isValid(value)) return value
  throw wrong('HOST', 'an address to listen on, such as 127.0.0.1, 0.0.0.0 or ::', value)
}

/** The value contains a password, so the message shows only its scheme. */
function databaseUrl(value: string | undefined): string | undefined {
  if (value === undefined) return undefined
  const parsed = URL.parse(value)
  const usable = /^postgres(ql)?:$/.test(parsed?.protocol ?? '') && parsed?.hostname !== ''
  if (usable && parsed !== null && parsed.pathname.length > 1) return value
  const scheme = value.split(/[:/]/, 1)[0] ?? ''
  throw new ConfigError(
    `DATABASE_URL must be a URL such as postgres://user:password@host:5432/name, but the value ${
      usable ? 'names no database' : `begins with ${JSON.stringify(scheme)}`
    }`,
  )
}

function hostName(value: string): string {
  const parsed = URL.parse(`http://${value}`)
  if (parsed !== null && isBare(parsed) && parsed.host !== '') return value.toLowerCase()
  throw wrong('ALLOWED_HOSTS', 'hostnames separated by commas, such as api.example.com', value)
}

function ranges(name: string, value: string | undefined): readonly AddressRange[] {
  return Object.freeze(list(value).map(each => addressRange(name, each)))
}

function addressRange(name: string, value: string): AddressRange {
  if (ipaddr.isValidCIDR(value)) return ipaddr.parseCIDR(value)
  if (ipaddr.isValid(value) && !/^\d+$/.test(value)) {
    const address = ipaddr.parse(value)
    return [address, address.kind() === 'ipv4' ? 32 : 128]
  }
  throw wrong(name, 'addresses or ranges separated by commas, such as 10.0.0.0/8', value)
}
