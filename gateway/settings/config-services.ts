// Settings for external services and metrics. Each service must be configured completely or not at
// all, because a partial configuration would fail only on the first request that uses it.
import type { AblySettings } from '#clinical/realtime/ably.ts'
import type { VideoSettings } from '#clinical/rooms/open-video.ts'
import type { AddressForm } from '#http/log-addresses.ts'
import type { LogFormat } from '#http/log.ts'
import path from 'node:path'
import type { ScannerAddress } from '#clinical/files/malware.ts'
import type { Bucket } from '#clinical/storage/s3.ts'
import type { TlsFiles } from '#http/origins/tls-files.ts'
import { ConfigError, originOf, wrong } from './config-error.ts'

export type Text = (name: string) => string | undefined

/** The values in order, or undefined if none are set. */
function allOrNone(text: Text, names: readonly string[]): string[] | undefined {
  const absent = names.filter(name => text(name) === undefined)
  if (absent.length === names.length) return undefined
  if (absent.length > 0) {
    const set = names.filter(name => !absent.includes(name))
    throw new ConfigError(`${absent.join(', ')} must be set too, as ${set.join(', ')} is`)
  }
  return names.map(name => text(name) ?? '')
}

export function bucketOf(text: Text): Bucket | undefined {
  const names = ['S3_ENDPOINT', 'S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY']
  const values = allOrNone(text, names)
  if (values === undefined) return undefined
  const [endpoint = '', name = '', accessKeyId = '', secretAccessKey = ''] = values
  const origin = originOf('S3_ENDPOINT', endpoint, 'https://s3.example.com')
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(name)) {
    throw wrong('S3_BUCKET', 'a bucket name', name)
  }
  const region = text('S3_REGION') ?? 'us-east-1'
  return { endpoint: origin, bucket: name, region, accessKeyId, secretAccessKey }
}

export function tlsOf(text: Text): TlsFiles | undefined {
  const [certificate, key] = allOrNone(text, ['TLS_CERTIFICATE', 'TLS_KEY']) ?? []
  if (certificate === undefined || key === undefined) return undefined
  return { certificate: path.resolve(certificate), key: path.resolve(key) }
}

export function scannerOf(text: Text): ScannerAddress | undefined {
  const value = text('CLAMAV_ADDRESS')
  if (value === undefined) return undefined
  const [, host = '', port = ''] = /^(\[[\da-f:]+\]|[\w.-]+):(\d{1,5})$/i.exec(value) ?? []
  if (host === '' || Number(port) < 1 || Number(port) > 65_535) {
    throw wrong('CLAMAV_ADDRESS', 'a host and a port, such as 127.0.0.1:3310', value)
  }
  return { host: host.replaceAll(/[[\]]/g, ''), port: Number(port) }
}

const ablyNames = [
  'ABLY_TEST_SUBSCRIBE_KEY',
  'ABLY_TEST_PUBLISH_KEY',
  'ABLY_LIVE_SUBSCRIBE_KEY',
  'ABLY_LIVE_PUBLISH_KEY',
] as const

export function ablyOf(text: Text): AblySettings | undefined {
  const keys = allOrNone(text, ablyNames)
  if (keys === undefined) return undefined
  for (const [at, key] of keys.entries()) {
    // The value is a secret, so the message omits it.
    if (/^[\w-]+\.[\w-]+:[\w-]+$/.test(key)) continue
    throw new ConfigError(`${ablyNames[at]} must be an Ably key, such as app.key:secret`)
  }
  if (new Set(keys).size < keys.length) {
    throw new ConfigError(`${ablyNames.join(', ')} must be four different keys`)
  }
  const [a = '', b = '', c = '', d = ''] = keys
  const origin = originOf(
    'ABLY_URL',
    text('ABLY_URL') ?? 'https://rest.ably.io',
    'https://rest.ably.io',
  )
  return {
    origin,
    keys: { test: { subscribe: a, publish: b }, live: { subscribe: c, publish: d } },
  }
}

/** The path that visits' video takes: between the browsers, unless a service is configured. */
export function videoOf(text: Text): VideoSettings {
  const turn = allOrNone(text, ['TURN_URLS', 'TURN_SECRET'])
  const key = text('DAILY_API_KEY')
  if (key !== undefined) {
    if (turn !== undefined)
      throw new ConfigError('DAILY_API_KEY and TURN_URLS must not both be set')
    const url = text('DAILY_URL') ?? dailyUrl
    const { protocol, hostname } = URL.parse(url) ?? { protocol: '', hostname: '' }
    const isSafe = protocol === 'https:' || (protocol === 'http:' && hostname === '127.0.0.1')
    if (!isSafe) throw wrong('DAILY_URL', `an https address such as ${dailyUrl}`, url)
    return { daily: { origin: url.replace(/\/$/, ''), key } }
  }
  const [list = '', secret = ''] = turn ?? []
  if (turn === undefined) return {}
  const urls = list.split(',').map(one => one.trim())
  const bad = urls.find(one => !/^turns?:[\w.[\]:-]+(\?transport=(tcp|udp))?$/.test(one))
  if (bad !== undefined)
    throw wrong('TURN_URLS', 'addresses such as turn:turn.example.com:3478', bad)
  return { turn: { urls, secret } }
}

const dailyUrl = 'https://api.daily.co/v1'

/** Where the gateway and workers serve metrics. Off unless configured. */
export type MetricsPorts = {
  host: string
  gateway: number | undefined
  worker: number | undefined
}

export function metricsOf(text: Text): MetricsPorts {
  const portOf = (name: string) => {
    const value = text(name)
    if (value === undefined) return undefined
    if (/^\d{1,5}$/.test(value) && Number(value) <= 65_535) return Number(value)
    throw wrong(name, 'a port from 0 to 65535', value)
  }
  return {
    host: text('METRICS_HOST') ?? '127.0.0.1',
    gateway: portOf('METRICS_PORT'),
    worker: portOf('WORKER_METRICS_PORT'),
  }
}

/** A service's base URL, without a trailing slash. Paths are added to this URL. */
export function serviceUrlOf(text: Text, name: string, example: string): string | undefined {
  const value = text(name)
  if (value === undefined) return undefined
  const url = URL.canParse(value) ? new URL(value) : undefined
  if (url && /^https?:$/.test(url.protocol) && url.search === '' && url.hash === '')
    return url.href.replace(/\/+$/, '')
  throw wrong(name, `a URL such as ${example}`, value)
}

function logFormatOf(text: Text): LogFormat {
  const value = text('LOG_FORMAT') ?? 'auto'
  if (value === 'auto' || value === 'json' || value === 'text' || value === 'failures') return value
  throw wrong('LOG_FORMAT', 'auto, json, text or failures', value)
}

export const loggingOf = (text: Text) => ({
  logFormat: logFormatOf(text),
  logAddresses: logAddressesOf(text),
})

function logAddressesOf(text: Text): AddressForm {
  const value = text('LOG_ADDRESSES') ?? 'none'
  if (value === 'none' || value === 'hashed' || value === 'plain') return value
  throw wrong('LOG_ADDRESSES', 'none, hashed or plain', value)
}

/** The value may contain a password, so the message shows only its scheme. */
export function serverUrl(
  name: string,
  value: string | undefined,
  protocol: RegExp,
  example: string,
): string | undefined {
  if (value === undefined) return undefined
  const parsed = URL.parse(value)
  if (protocol.test(parsed?.protocol ?? '') && parsed?.hostname !== '') return value
  const scheme = JSON.stringify(value.split(/[:/]/, 1)[0] ?? '')
  throw new ConfigError(
    `${name} must be a URL such as ${example}, but the value begins with ${scheme}`,
  )
}

export function mailAddress(name: string, value: string | undefined): string | undefined {
  if (value === undefined || /^[^\s@<>,"]+@[^\s@<>,"]+$/.test(value)) return value
  throw wrong(name, 'a plain email address, such as calls@example.com', value)
}

export type Draining = {
  /** DRAIN_DELAY_SECONDS: how long a stopping gateway still accepts connections, so load balancers
   *  first detect that it isn't ready. Defaults to 5, or to 0 if only this machine can reach it. */
  readonly delaySeconds: number | undefined
  /** DRAIN_SECONDS: the time limit for running requests after that delay. */
  readonly seconds: number
}

const defaultSeconds = 25

export function drainingOf(text: Text): Draining {
  return {
    delaySeconds: secondsOf(text, 'DRAIN_DELAY_SECONDS'),
    seconds: secondsOf(text, 'DRAIN_SECONDS') ?? defaultSeconds,
  }
}

function secondsOf(text: Text, name: string): number | undefined {
  const value = text(name)
  if (value === undefined) return undefined
  if (/^\d{1,3}$/.test(value)) return Number(value)
  throw wrong(name, 'a whole number of seconds from 0 to 999', value)
}

export function list(value: string | undefined): string[] {
  return (value ?? '')
    .split(',')
    .map(each => each.trim())
    .filter(each => each !== '')
}

function secret(name: string, value: string): string {
  if (value.length >= 32) return value
  throw new ConfigError(`${name} must have at least 32 characters, but has ${value.length}`)
}

export const secrets = (name: string, value: string | undefined): readonly string[] =>
  Object.freeze(list(value).map(one => secret(name, one)))
