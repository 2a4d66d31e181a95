// The gateway: opens the rooms and the port. Run by itself it is the gateway of a production, on a
// database that is migrated already.
import path from 'node:path'
import { type HouseOptions, openHouse, type OpenHouse } from '#clinical/house.ts'
import { embeddedRealtime } from '#clinical/realtime/embedded.ts'
import { openRealtime } from '#clinical/realtime/open.ts'
import { openHub } from '#clinical/realtime/hub.ts'
import { resolveBySystem } from '#clinical/worker/addresses.ts'
import { LaunchError } from '#database/launch-error.ts'
import { sql } from '#database/sql.ts'
import { now } from '#database/time-and-chance.ts'
import { openRoles, roleUrls } from '#database/roles.ts'
import { addressReader } from './address.ts'
import { createApp } from './app.ts'
import { baseUrlOf, type Config, ConfigError, readConfig, storageOf } from './config.ts'
import { pepperOf, rolePasswords, sealKeysOf } from './credentials.ts'
import { openCounters } from './counters.ts'
import { loadDocuments } from './documents.ts'
import { describeFailure } from './failure-line.ts'
import { hostList } from './hosts.ts'
import type { House, Serving } from './house.ts'
import { listen } from './listen.ts'
import { openDoor } from './door.ts'
import { openQuota } from './door/quota.ts'
import { countersCheck, databaseCheck, mailCheck } from './health.ts'
import { allSurfaces } from './surfaces.ts'
import { openLiveSite } from './site/live-site.ts'
import { openSubscribers, type SubscriberParts } from './subscribers.ts'
import { createLog, type Log } from './log.ts'
import { type Metrics, openMetrics, serveMetrics } from './metrics.ts'
import { contentRoutes } from './plugin.ts'
import { openReception } from './reception.ts'
import { openSecrets } from './secrets.ts'

const drainSecondsMax = 5
/** Where `npm start` builds the site. */
const builtHere = path.join(path.dirname(import.meta.dir), 'site', 'dist')

export async function serveHouse(house: House): Promise<Serving> {
  const { config, databaseUrl, secrets } = house
  const metrics = openMetrics()
  const log = counting(house.log, metrics)
  const site = await openLiveSite(config.siteDir ?? builtHere, log)
  const door = listen(config.host, config.port)
  const { port } = door
  const base = baseUrlOf(config, port)
  const pepper = pepperOf(config, secrets)
  const urls = roleUrls(databaseUrl, rolePasswords(pepper))
  const counters = openCounters(config.redisUrl, log)
  const clinic = openClinic(house, { urls, pepper, base, counters })
  const reception = openReception({
    url: urls.site,
    pepper,
    base,
    config,
    site: () => site.current().site,
    log,
  })
  const anonymous = openDoor({
    surfaces: allSurfaces({
      site,
      reception,
      counter: counters.open,
      checks: [
        databaseCheck(() => clinic.planes.test.use(lane => lane.run(sql`select 1 as one`))),
        mailCheck(() => reception.mailWaits()),
        ...countersCheck(counters.isShared),
      ],
    }),
    quota: openQuota({ requests: config.siteRateLimitRequests, counter: counters.open }),
    alarm: alarmOf(log),
  })
  const fence = fenceOf(config, base)
  const app = createApp({
    house: clinic,
    ...fence,
    documents: loadDocuments(base),
    content: contentRoutes({ site: () => site.current().site, door: anonymous }),
    log,
  })
  const realtime = openDoorOfSubscribers(
    { ...house, log, metrics },
    { clinic, urls, pepper, base, ...fence },
  )
  // With another provider nobody comes here: its tokens are none of ours.
  door.serve(app, clinic.realtime.name === 'embedded' ? realtime : undefined)
  const watched = serveMetrics(metrics, config.metrics.host, config.metrics.gateway)
  return {
    port,
    async stop() {
      site.stop()
      await Promise.all([watched?.stop(true), realtime.close()])
      await Promise.race([door.stop(), Bun.sleep(drainSecondsMax * 1000)])
      await door.stop(true)
      await Promise.all([clinic.close(), reception.close()])
      counters.close()
    },
  }
}

/** Who may ask, and from where it comes. */
const fenceOf = (config: Config, base: string) => ({
  isOurs: hostList(base, config.allowedHosts),
  addressOf: addressReader(config.trustedProxies),
})

const alarmOf = (log: Log) => (failure: unknown, id: string) =>
  log.event('request.failed', { request_id: id, ...describeFailure(failure) })

type ClinicParts = Pick<HouseOptions, 'urls' | 'pepper' | 'base'> & {
  counters: ReturnType<typeof openCounters>
}

function openClinic({ config, secrets, log }: House, { counters, ...given }: ClinicParts) {
  return openHouse({
    ...given,
    poolSize: config.poolSize,
    storage: storageOf(config),
    rateLimit: config.rateLimitRequests,
    counter: counters.open,
    sealKeys: sealKeysOf(config, secrets),
    realtime: openRealtime(given.pepper, config.ably),
    addresses: { resolve: resolveBySystem, allowed: config.webhookAllow },
    alarm: (failure, asked) =>
      log.event('call.failed', {
        ...(asked ? { request_id: asked.request, operation: asked.action } : {}),
        ...describeFailure(failure),
      }),
  })
}

type RealtimeParts = Pick<SubscriberParts, 'base' | 'isOurs' | 'addressOf'> &
  Pick<HouseOptions, 'urls' | 'pepper'> & { clinic: OpenHouse }

function openDoorOfSubscribers(
  { log, metrics }: House & { metrics: Metrics },
  { clinic, urls, pepper, ...given }: RealtimeParts,
) {
  const alarm = (failure: unknown) => log.event('realtime.failed', describeFailure(failure))
  const sent = (mode: string, frames: number, age: number) => {
    metrics.count('telehealth_realtime_messages_total', { mode }, frames)
    metrics.observe('telehealth_realtime_lag_seconds', { mode }, Math.max(0, age) / 1000)
  }
  const hub = openHub({ planes: clinic.planes, urls, now, alarm, sent })
  metrics.collect(() => [
    { name: 'telehealth_realtime_subscribers', labels: {}, value: hub.subscribers() },
  ])
  return openSubscribers({
    ...given,
    hub,
    tokens: embeddedRealtime(pepper),
    limiter: clinic.limiter,
    log,
  })
}

/** Counts requests by status class as they are logged. */
function counting(log: Log, metrics: Metrics): Log {
  return {
    ...log,
    request(line) {
      const status = `${Math.floor(line.status / 100)}xx`
      metrics.count('telehealth_requests_total', { status })
      log.request(line)
    },
  }
}

async function main(): Promise<void> {
  const config = readConfig()
  const { databaseUrl } = config
  if (databaseUrl === undefined) {
    throw new ConfigError(
      'DATABASE_URL must be set to run a gateway by itself; `npm start` runs one with its database.',
    )
  }
  const log = createLog(config.logFormat)
  const secrets = openSecrets(config.dataDir)
  // Side by side: most starts find the roles as they should be, and need not wait to know it.
  const [serving] = await Promise.all([
    serveHouse({ config, databaseUrl, secrets, log }),
    openRoles(databaseUrl, rolePasswords(pepperOf(config, secrets))),
  ])
  log.event('gateway.ready', { url: baseUrlOf(config, serving.port), port: serving.port })
  let stopping = false
  const stop = async () => {
    if (stopping) return
    stopping = true
    await serving.stop()
    log.event('gateway.stopped')
    log.flush()
    process.exit(0)
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void stop())
}

if (import.meta.main) {
  main().catch((error: unknown) => {
    const isExpected = error instanceof LaunchError || error instanceof ConfigError
    console.error(isExpected ? error.message : error)
    process.exit(error instanceof ConfigError ? 2 : 1)
  })
}
