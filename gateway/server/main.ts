// The gateway: composes its parts and opens the port. Started by itself it is the gateway of a
// production, on a database that is migrated already.
import path from 'node:path'
import type { Peppers } from '#auth/pepper.ts'
import { type AppContextOptions, createContext, type OpenAppContext } from '#clinical/context.ts'
import { pharmacyEndpoint } from '#clinical/pharmacy/endpoint.ts'
import { openPharmacyPool } from '#clinical/pharmacy/transmit.ts'
import { openRealtime } from '#clinical/realtime/open.ts'
import { areDeliveriesBehind } from '#clinical/deliveries/lag.ts'
import { LaunchError } from '#database/launch-error.ts'
import { sql } from '#database/sql.ts'
import { now } from '#database/clock.ts'
import { freeBytes } from '#database/disk.ts'
import { roleUrls, type RoleUrls } from '#database/roles.ts'
import { pharmacyConnections } from '../processes/connections.ts'
import { register, type RegisteredProcess } from '../processes/register.ts'
import { addressReader, proxyCheck } from '#http/client-address.ts'
import { linkToRequestedOrigin } from '#http/origins/requested-origin.ts'
import type { Router } from '#http/router.ts'
import { type Listeners, openListeners } from '../origins/listeners.ts'
import { createApp } from './app.ts'
import { serveOtherModules } from '../origins/modules.ts'
import { type Config, ConfigError, isPrivate, readConfig, storageOf } from '../settings/config.ts'
import {
  peppersOf,
  rolePasswords,
  encryptionKeysOf,
  signingKeysOf,
} from '../settings/credentials.ts'
import { finishing, published } from './finishing.ts'
import { type Counters, openCounters } from '#http/limits/shared-counters.ts'
import { servedDocs } from '../mcp/docs.ts'
import { createLiveGate, type LiveGate } from '../live/gate.ts'
import { databaseFacts } from '../live/requirements.ts'
import { loadDocuments } from '../static/documents.ts'
import { describeFailure } from '#database/describe-failure.ts'
import { createHostCheck } from '#http/host-check.ts'
import type { GatewayContext } from '../settings/context.ts'
import type { SandboxAccess, Serving } from './context.ts'
import {
  countersCheck,
  databaseCheck,
  diskCheck,
  mailCheck,
  webhooksCheck,
} from '../status/health.ts'
import { allEndpoints, siteChecks } from './endpoints.ts'
import { openProbes } from '../status/probes.ts'
import { checkMilliseconds, type LiveSite, openLiveSite } from './live-site.ts'
import { openSockets } from '../websocket/endpoint.ts'
import { createLog, type Log } from '#http/log.ts'
import { countingRequests, type Metrics, openMetrics, serveMetrics } from '#http/observe/metrics.ts'
import { createSiteGroup, siteContent } from './content.ts'
import { createSiteServices, type RunningSiteServices } from './site-services.ts'
import { sandboxEndpoints } from './sandbox-key.ts'
import { addressesOf } from '../origins/outgoing.ts'
import { isLocal, markingLocal } from '../local/marks.ts'
import { type SchemaWatch, watchSchema } from '../status/schema.ts'
import { openRotation, withProbes } from '../origins/rotation.ts'
import { openTraces } from '#http/observe/traces.ts'
import { openSecrets } from '../settings/secrets.ts'

/** Where `npm start` builds the site. */
const builtHere = path.join(import.meta.dir, '../..', 'site', 'dist')

/** `sandbox`: the one that `npm start` creates. Its key is given to pages on this machine. */
export async function startGateway(
  context: GatewayContext,
  sandbox?: SandboxAccess,
): Promise<Serving> {
  const { config, databaseUrl, secrets } = context
  const metrics = openMetrics()
  const traces = await openTraces(config.tracesEndpoint, 'telehealth-gateway')
  const log = traces.ofRequests(countingRequests(context.log, metrics))
  const peppers = peppersOf(config, secrets)
  const listeners = await openListeners(config)
  const { site: server, base } = listeners
  const finish = finishing(config, signingKeysOf(config, peppers), listeners)
  const site = await openLiveSite(config.siteDir ?? builtHere, log, checkMilliseconds, finish)
  const urls = roleUrls(databaseUrl, rolePasswords(...peppers))
  const counters = await openCounters(config.redisUrl, log)
  const modes = await openModes({ ...context, log }, { urls, peppers, base, counters })
  const { clinic } = modes
  const origins = { base, auth: listeners.urls.auth, site: () => site.current().site }
  const siteServices = createSiteServices({ ...origins, url: urls.site, peppers, config, log })
  const { group, probes } = openSiteGroup({ site, siteServices, ...modes, counters, config, log })
  const { isKnownHost, ...guards } = requestGuards(config, listeners)
  const addresses = { ...listeners.urls, api: base }
  const app = createApp({
    ...modes.served,
    ...guards,
    // Of another origin it is not: `refuse` is asked first.
    isAllowedHost: isKnownHost,
    documents: loadDocuments(addresses),
    site: group,
    local: sandboxEndpoints(config, sandbox),
    content: siteContent(site.current, group),
    log,
  })
  const opened = openSockets(
    { ...context, log, metrics },
    { clinic, urls, peppers, base, ...guards },
  )
  const rotation = rotationOf(config, listeners, modes.schema)
  server.serve(withProbes(routerOf(app, config, listeners), rotation), opened.sockets)
  const { emailed, mailUrl } = siteServices
  const parts = { listeners, urls, peppers, base, counters, clinic, ...guards }
  const work = { log, onError: errorHandlerOf(log), emailed, mailUrl }
  const docs = servedDocs(site.current, addresses, base)
  const modules = serveOtherModules(context, { ...parts, ...work, docs })
  measureDisk(metrics, config)
  const watched = serveMetrics(metrics, config.metrics.host, config.metrics.gateway, config.tls)
  return {
    port: server.port,
    base,
    urls: listeners.urls,
    hasSignIn: modules.isServed,
    async stop() {
      await rotation.leave(opened)
      for (const each of [site, probes, modes.live, modes.schema]) each.stop()
      await watched?.stop(true)
      await Promise.all([modules.close(), modes.close(), siteServices.close()])
      counters.close()
      await traces.close()
    },
  }
}

function routerOf(app: Router, config: Config, listeners: Listeners): Router {
  const router = config.baseUrl === undefined ? linkingRouter(app, config, listeners) : app
  return isLocal(config) ? markingLocal(router) : router
}

const rotationOf = (config: Config, listeners: Listeners, { isAccepted }: SchemaWatch) =>
  openRotation({ listeners, isAccepted, draining: config.draining, isPrivate: isPrivate(config) })

function measureDisk(metrics: Metrics, { dataDir }: Config): void {
  metrics.collect(() => [
    { name: 'telehealth_disk_available_bytes', labels: {}, value: freeBytes(dataDir) },
  ])
}

type SiteGroupParts = Pick<GatewayContext, 'config' | 'log'> & {
  site: LiveSite
  siteServices: RunningSiteServices
  clinic: OpenAppContext
  counters: Counters
  live: LiveGate
  schema: SchemaWatch
}

function openSiteGroup(parts: SiteGroupParts) {
  const { site, siteServices, clinic, schema, counters, live, config, log } = parts
  const askDatabase = () =>
    clinic.pools.test.use(connection => connection.run(sql`select 1 as one`))
  const checks = [
    databaseCheck(askDatabase),
    schema.check,
    diskCheck(() => freeBytes(config.dataDir)),
    mailCheck(() => siteServices.emailWaitSeconds()),
    webhooksCheck(() => areDeliveriesBehind(clinic.pools)),
    ...countersCheck(counters.isShared),
    live.check,
    ...siteChecks(site),
  ]
  const { history } = siteServices
  const probes = openProbes({ checks, history, log, now })
  const endpoints = allEndpoints({
    site,
    siteServices,
    counter: counters.open,
    checks,
    probes,
    history,
  })
  const group = createSiteGroup({
    endpoints,
    requests: config.siteRateLimitRequests,
    counter: counters.open,
    onError: errorHandlerOf(log),
  })
  return { group, probes }
}

/** Which hosts are served, and how a client's address is read. */
function requestGuards(config: Config, { base, hosts }: Listeners) {
  const isKnownHost = createHostCheck(base, config.allowedHosts)
  const refusalFor = (header: (name: string) => string | null) => hosts.refusalAt('site', header)
  return {
    isKnownHost,
    isAllowedHost: (host: string | null) =>
      isKnownHost(host) && refusalFor(name => (name === 'host' ? host : null)) === undefined,
    refuse: ({ headers }: Request) => refusalFor(name => headers.get(name)),
    addressOf: addressReader(config.trustedProxies),
    isTls: config.tls !== undefined,
  }
}

function linkingRouter(app: Router, config: Config, listeners: Listeners): Router {
  const { base } = listeners
  return linkToRequestedOrigin(app, {
    base,
    published,
    // Files, and nothing else, answer to ranges.
    isFile: headers => headers.has('accept-ranges'),
    // An answer of the clinical API may hold an address that a developer sent.
    isOfSite: path => !path.startsWith('/v1/') && !path.startsWith('/preview/'),
    isAllowedHost: requestGuards(config, listeners).isAllowedHost,
    isTrustedProxy: proxyCheck(config.trustedProxies),
  })
}

const errorHandlerOf = (log: Log) => (failure: unknown, id: string) =>
  log.event('request.failed', { request_id: id, ...describeFailure(failure) })

/** Test mode, and live mode where the installation has what it needs. */
async function openModes(
  context: GatewayContext,
  parts: Omit<ClinicParts, 'isLiveOpen'> & { urls: RoleUrls },
) {
  const live = createLiveGate(context)
  const clinic = openClinic(context, { ...parts, isLiveOpen: live.isOpen })
  await live.watch(() => clinic.pools.live.use(databaseFacts))
  const pharmacies = openPharmacyPool(parts.urls.pharmacy, pharmacyConnections)
  return {
    clinic,
    live,
    schema: watchSchema(clinic.pools.test, context.checked && { begins: context.checked }),
    /** What the app takes of it. */
    served: { context: clinic, pharmacies: [pharmacyEndpoint(clinic, pharmacies)] },
    close: () => Promise.all([clinic.close(), pharmacies.close()]),
  }
}

type ClinicParts = Pick<AppContextOptions, 'urls' | 'base' | 'isLiveOpen'> & {
  peppers: Peppers
  counters: Counters
}

function openClinic(
  { config, secrets, log }: GatewayContext,
  { counters, peppers: [pepper, ...olderPeppers], ...given }: ClinicParts,
) {
  return createContext({
    ...given,
    pepper,
    olderPeppers,
    poolSize: config.poolSize,
    storage: storageOf(config),
    rateLimit: config.rateLimitRequests,
    counter: counters.open,
    encryptionKeys: encryptionKeysOf(config, secrets),
    realtime: openRealtime([pepper, ...olderPeppers], config.ably),
    addresses: addressesOf(config),
    onError: (failure, asked) =>
      log.event('call.failed', {
        ...(asked ? { request_id: asked.request, operation: asked.action } : {}),
        ...describeFailure(failure),
      }),
  })
}

async function main(): Promise<void> {
  const config = readConfig()
  const { databaseUrl } = config
  if (databaseUrl === undefined) {
    throw new ConfigError(
      'DATABASE_URL is not set. The gateway alone needs it; `npm start` brings a database of its own.',
    )
  }
  const log = createLog(config.logFormat)
  const secrets = openSecrets(config.dataDir)
  // In parallel: most starts find the roles correct, and need not wait for the check.
  const checked = register('gateway', { config, databaseUrl, secrets })
  let registered: RegisteredProcess | undefined
  const started = startGateway({ config, databaseUrl, secrets, log, checked }).then(serving => {
    let stopping = false
    const stop = async () => {
      if (stopping) return
      stopping = true
      await serving.stop()
      await registered?.close()
      log.event('gateway.closed')
      log.flush()
      process.exit(0)
    }
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void stop())
    return serving
  })
  const [serving] = await Promise.all([started, checked.then(done => (registered = done))])
  log.event('gateway.open', { url: serving.base, port: serving.port, auth_url: serving.urls.auth })
}

if (import.meta.main) {
  main().catch((error: unknown) => {
    const isExpected = error instanceof LaunchError || error instanceof ConfigError
    console.error(isExpected ? error.message : error)
    process.exit(error instanceof ConfigError ? 2 : 1)
  })
}
