// The environment, read once. Everything else receives its settings as arguments.
import path from 'node:path'
import { siteLimits } from '#contract/limits.ts'
import type { Bucket } from '#clinical/storage/s3.ts'
import type { AblySettings } from '#clinical/realtime/ably.ts'
import type { StorageSettings } from '#clinical/storage/open.ts'
import ipaddr, { type IPv4, type IPv6 } from 'ipaddr.js'
import { ConfigError } from './config-error.ts'
import { ablyOf, bucketOf, type MetricsPorts, metricsOf } from './config-services.ts'

export type AddressRange = [IPv4 | IPv6, number]

export type Config = Readonly<{
  /** PORT: 0 takes any free one. */
  port: number
  /** HOST: the address to listen on. Only this machine, unless somebody says otherwise. */
  host: string
  /** DATABASE_URL: of an owner. Without it a PostgreSQL of our own runs in DATA_DIR. */
  databaseUrl: string | undefined
  /** DATA_DIR: the database, the generated secrets and dev.json. */
  dataDir: string
  /**
   * WAL_ARCHIVE: a folder to which a PostgreSQL of our own copies its log, so that a backup becomes
   * the database of any later moment. Without it, none is kept.
   */
  walArchive: string | undefined
  /**
   * SITE_DIR: the built site to serve, such as the link that a deploy switches. Without it, the one
   * that `npm start` builds.
   */
  siteDir: string | undefined
  /** BASE_URL: the origin that the public sees. Without it, localhost and the port we got. */
  baseUrl: string | undefined
  /** ALLOWED_HOSTS: names that a Host header may carry besides that of BASE_URL. */
  allowedHosts: readonly string[]
  /** TRUSTED_PROXIES: who may tell us a client's address in X-Forwarded-For. */
  trustedProxies: readonly AddressRange[]
  /**
   * KEY_PEPPER: the secret that API keys are hashed with. Without it one is made and kept in
   * DATA_DIR.
   */
  keyPepper: string | undefined
  /**
   * SEAL_KEYS: what secrets are sealed with in the database, the newest first. To replace a key,
   * put the new one before it; the worker seals anew what the old one sealed. Without any, one is
   * made and kept in DATA_DIR.
   */
  encryptionKeys: readonly string[]
  /**
   * WEBHOOK_ALLOW: addresses that are not public and yet receive webhooks of test mode, such as
   * 127.0.0.1 on a developer's machine.
   */
  webhookAllow: readonly AddressRange[]
  /** WEBHOOK_CA: a file with certificates that receivers may show besides the system's own. */
  webhookCa: string | undefined
  /**
   * S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY and, where it is not us-east-1,
   * S3_REGION: where documents and bundles are kept. Without them, in DATA_DIR.
   */
  bucket: Bucket | undefined
  /**
   * ABLY_TEST_SUBSCRIBE_KEY, ABLY_TEST_PUBLISH_KEY and the same of LIVE, of two apps of Ably's, and
   * ABLY_URL where it is another: who carries realtime messages. Without them, the gateways do.
   */
  ably: AblySettings | undefined
  /**
   * METRICS_PORT and WORKER_METRICS_PORT, at METRICS_HOST: where the gateway and a worker say how
   * they are, in the form of Prometheus. For the operator's network alone, and off unless set.
   */
  metrics: MetricsPorts
  /** LOG_FORMAT */
  logFormat: 'auto' | 'json' | 'text'
  /** RATE_LIMIT_REQUESTS: per integration and organization, each 60 seconds, under /v1. */
  rateLimitRequests: number
  /** SITE_RATE_LIMIT_REQUESTS: per client address, each 60 seconds, on the site's own endpoints. */
  siteRateLimitRequests: number
  /** REDIS_URL: where several gateways count together. Without it each counts alone. */
  redisUrl: string | undefined
  /**
   * SMTP_URL: the mail server, with its name and password. Without it mail is written into files
   * under DATA_DIR/mail.
   */
  smtpUrl: string | undefined
  /** MAIL_FROM: the address that mail comes from. Without it, the company's for sales. */
  mailFrom: string | undefined
  /** SALES_EMAIL: who is told of a booked call. Without it, the company's address for sales. */
  salesEmail: string | undefined
  /** POOL_SIZE: connections to the database, for each plane. */
  poolSize: number
  /** WORKER_SOCKETS: webhooks that a worker sends at once. */
  workerSockets: number
  /** WORKER_POOL_SIZE: connections of a worker to the database, for each plane. */
  workerPoolSize: number
}>

export { ConfigError }

type Environment = Record<string, string | undefined>

export function readConfig(environment: Environment = process.env): Config {
  // An empty variable is how a compose file or a unit file says "not set".
  const text = (name: string) => environment[name]?.trim() || undefined
  return Object.freeze({
    port: wholeNumber('PORT', text('PORT'), 3000, 0, 65_535),
    host: hostToBind(text('HOST')),
    databaseUrl: databaseUrl(text('DATABASE_URL')),
    dataDir: path.resolve(text('DATA_DIR') ?? path.join(import.meta.dir, '../..', '.data')),
    walArchive: archive(text('WAL_ARCHIVE')),
    siteDir: folder(text('SITE_DIR')),
    baseUrl: origin(text('BASE_URL')),
    allowedHosts: Object.freeze(list(text('ALLOWED_HOSTS')).map(hostName)),
    trustedProxies: ranges('TRUSTED_PROXIES', text('TRUSTED_PROXIES')),
    keyPepper: secret('KEY_PEPPER', text('KEY_PEPPER')),
    encryptionKeys: Object.freeze(
      list(text('SEAL_KEYS')).map(key => secret('SEAL_KEYS', key) ?? key),
    ),
    webhookAllow: ranges('WEBHOOK_ALLOW', text('WEBHOOK_ALLOW')),
    webhookCa: folder(text('WEBHOOK_CA')),
    bucket: bucketOf(text),
    ably: ablyOf(text),
    metrics: metricsOf(text),
    logFormat: logFormat(text('LOG_FORMAT')),
    rateLimitRequests: wholeNumber(
      'RATE_LIMIT_REQUESTS',
      text('RATE_LIMIT_REQUESTS'),
      6000,
      1,
      10_000_000,
    ),
    siteRateLimitRequests: wholeNumber(
      'SITE_RATE_LIMIT_REQUESTS',
      text('SITE_RATE_LIMIT_REQUESTS'),
      siteLimits.ratePerWindow,
      1,
      10_000_000,
    ),
    redisUrl: redisUrl(text('REDIS_URL')),
    smtpUrl: smtpUrl(text('SMTP_URL')),
    mailFrom: mailAddress('MAIL_FROM', text('MAIL_FROM')),
    salesEmail: mailAddress('SALES_EMAIL', text('SALES_EMAIL')),
    poolSize: wholeNumber('POOL_SIZE', text('POOL_SIZE'), 10, 1, 500),
    workerSockets: wholeNumber('WORKER_SOCKETS', text('WORKER_SOCKETS'), 64, 1, 200),
    workerPoolSize: wholeNumber('WORKER_POOL_SIZE', text('WORKER_POOL_SIZE'), 4, 1, 500),
  })
}

/** The environment of a process of ours on the same settings, with what has become known since. */
export function environmentFor(known: Readonly<Record<string, string>>): Record<string, string> {
  const inherited = Object.entries(process.env).filter(
    (pair): pair is [string, string] => pair[1] !== undefined,
  )
  return { ...Object.fromEntries(inherited), ...known }
}

/** Where the bytes of documents and bundles lie. */
export const storageOf = (config: Config): StorageSettings => ({
  folder: path.join(config.dataDir, 'files'),
  bucket: config.bucket,
})

/** A proxy that the environment names would be asked for every receiver, and would look its name up
 *  again: the address that was judged would not be the one that is called. */
export function forgetProxies(): void {
  for (const name of ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY']) {
    delete process.env[name]
    delete process.env[name.toLowerCase()]
  }
}

/** What the public address is once the port is known. */
export function baseUrlOf(config: Config, port: number): string {
  return config.baseUrl ?? `http://localhost:${port}`
}

/** Whether only this machine can reach us, and no proxy in front of us says otherwise. */
export function isPrivate({ host, baseUrl }: Config): boolean {
  const isLocal = (name: string) => /^(localhost|127(\.\d+){3}|\[?::1\]?)$/.test(name)
  return isLocal(host) && (baseUrl === undefined || isLocal(new URL(baseUrl).hostname))
}

function wrong(name: string, must: string, value: string): ConfigError {
  return new ConfigError(`${name} must be ${must}, but is ${JSON.stringify(value)}`)
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

/** Whether it is there is known when it is read; a deploy may be about to make it. */
function folder(value: string | undefined): string | undefined {
  return value === undefined ? undefined : path.resolve(value)
}

/** A shell copies the log, so the name holds nothing that a shell or PostgreSQL would read. */
function archive(value: string | undefined): string | undefined {
  if (value !== undefined && /["$`\\%\n]/.test(value)) {
    throw new ConfigError('WAL_ARCHIVE is a folder whose name holds none of " $ ` \\ %.')
  }
  return folder(value)
}

function list(value: string | undefined): string[] {
  return (value ?? '')
    .split(',')
    .map(each => each.trim())
    .filter(each => each !== '')
}

function hostToBind(value = '127.0.0.1'): string {
  if (value === 'localhost' || ipaddr.isValid(value)) return value
  throw wrong('HOST', 'an address to listen on, such as 127.0.0.1, 0.0.0.0 or ::', value)
}

/** The value holds a password, so the message shows only how it begins. */
function databaseUrl(value: string | undefined): string | undefined {
  if (value === undefined) return undefined
  const parsed = URL.parse(value)
  const usable = /^postgres(ql)?:$/.test(parsed?.protocol ?? '') && parsed?.hostname !== ''
  if (usable && parsed !== null && parsed.pathname.length > 1) return value
  const beginning = value.split(/[:/]/, 1)[0] ?? ''
  throw new ConfigError(
    `DATABASE_URL must be like postgres://user:password@host:5432/name, but the one given ${
      usable ? 'names no database' : `begins with ${JSON.stringify(beginning)}`
    }`,
  )
}

/** This one may hold a password as well. */
function redisUrl(value: string | undefined): string | undefined {
  if (value === undefined) return undefined
  const parsed = URL.parse(value)
  if (/^rediss?:$/.test(parsed?.protocol ?? '') && parsed?.hostname !== '') return value
  const beginning = value.split(/[:/]/, 1)[0] ?? ''
  throw new ConfigError(
    `REDIS_URL must be like redis://user:password@host:6379/0, but the one given begins with ${JSON.stringify(beginning)}`,
  )
}

/** And this one does as a rule. */
function smtpUrl(value: string | undefined): string | undefined {
  if (value === undefined) return undefined
  const parsed = URL.parse(value)
  if (/^smtps?:$/.test(parsed?.protocol ?? '') && parsed?.hostname !== '') return value
  const beginning = value.split(/[:/]/, 1)[0] ?? ''
  throw new ConfigError(
    `SMTP_URL must be like smtps://user:password@host:465, but the one given begins with ${JSON.stringify(beginning)}`,
  )
}

function mailAddress(name: string, value: string | undefined): string | undefined {
  if (value === undefined || /^[^\s@<>,"]+@[^\s@<>,"]+$/.test(value)) return value
  throw wrong(name, 'a bare address, such as calls@example.com', value)
}

function origin(value: string | undefined): string | undefined {
  if (value === undefined) return undefined
  const parsed = URL.parse(value)
  if (parsed !== null && /^https?:$/.test(parsed.protocol) && isBare(parsed)) return parsed.origin
  throw wrong('BASE_URL', 'an address without a path, such as https://api.example.com', value)
}

function isBare({ pathname, search, hash, username, password }: URL): boolean {
  return pathname === '/' && `${search}${hash}${username}${password}` === ''
}

function hostName(value: string): string {
  const parsed = URL.parse(`http://${value}`)
  if (parsed !== null && isBare(parsed) && parsed.host !== '') return value.toLowerCase()
  throw wrong('ALLOWED_HOSTS', 'host names separated by commas, such as api.example.com', value)
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

function secret(name: string, value: string | undefined): string | undefined {
  if (value === undefined || value.length >= 32) return value
  throw new ConfigError(`${name} must have at least 32 characters, but has ${value.length}`)
}

function logFormat(value = 'auto'): Config['logFormat'] {
  if (value === 'auto' || value === 'json' || value === 'text') return value
  throw wrong('LOG_FORMAT', 'auto, json or text', value)
}
