// Checks that configured services respond and that their clocks agree with this machine's.
import { verifySmtp } from '#email/transport.ts'
import { openScanner } from '#clinical/files/malware.ts'
import { openStorage } from '#clinical/storage/open.ts'
import { now } from '#database/clock.ts'
import { type Config, storageOf } from '../settings/config.ts'
import { clockFinding, fault, type Finding, ok, reasonOf, warning } from './finding.ts'

const milliseconds = 5000

export async function serviceFindings(config: Config): Promise<Finding[]> {
  const { redisUrl, smtpUrl, bucket, scanner, ably, baseUrl } = config
  const checks: (Promise<Finding[]> | null)[] = [
    redisUrl ? tried('Redis', () => ping(redisUrl)) : null,
    smtpUrl ? tried('mail server', () => verifySmtp(smtpUrl, milliseconds)) : null,
    bucket ? tried('bucket', () => askBucket(config)) : null,
    bucket ? clockAt('clock of the bucket', bucket.endpoint) : null,
    scanner
      ? tried('ClamAV', () => openScanner(scanner, milliseconds).find(new Blob(['a file'])))
      : null,
    ably ? tried('Ably', () => dateOf(new URL('/time', ably.origin).href)) : null,
    ably ? clockAt('clock of Ably', new URL('/time', ably.origin).href) : null,
    baseUrl ? publicAddress(baseUrl) : null,
  ]
  return (await Promise.all(checks.filter(check => check !== null))).flat()
}

const tried = (name: string, work: () => Promise<unknown>): Promise<Finding[]> =>
  work().then(
    () => [ok(name, 'Responds.')],
    (failure: unknown) => [fault(name, `Unexpected response: ${reasonOf(failure)}`)],
  )

async function ping(url: string): Promise<void> {
  const { Redis } = await import('ioredis')
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: milliseconds,
    commandTimeout: milliseconds,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  })
  // The reason for a failed connection arrives here. The command's own error only reports that the
  // connection was closed.
  const failed = new Promise<never>((_, reject) => redis.on('error', reject))
  try {
    await Promise.race([redis.connect().then(() => redis.ping()), failed])
  } finally {
    redis.disconnect()
  }
}

/** Sends a signed request, like all others, for a key that no document has. */
async function askBucket(config: Config): Promise<void> {
  await openStorage(storageOf(config), now, () => 'doctor').stat('doctor/none')
}

/** Uses the response's Date header, regardless of its status. */
async function clockAt(name: string, url: string): Promise<Finding[]> {
  const off = await dateOf(url).catch(() => null)
  return off === null ? [] : [clockFinding(name, off)]
}

/** During a release, the URL may not be served yet. */
async function publicAddress(url: string): Promise<Finding[]> {
  const name = 'public address'
  return dateOf(new URL('/api/live', url).href).then(
    off => [ok(name, 'BASE_URL responds.'), clockFinding('clock at the public address', off)],
    (failure: unknown) => [warning(name, `No response from BASE_URL: ${reasonOf(failure)}`)],
  )
}

/** The difference between a server's clock and this machine's, in milliseconds. */
async function dateOf(url: string): Promise<number> {
  const before = now()
  const answer = await fetch(url, {
    redirect: 'manual',
    signal: AbortSignal.timeout(milliseconds),
  })
  await answer.body?.cancel()
  const date = Date.parse(answer.headers.get('date') ?? '')
  if (Number.isNaN(date)) throw new Error('its response has no date.')
  // The header's time is in whole seconds.
  return date + 500 - (before + now()) / 2
}
