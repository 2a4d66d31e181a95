// The gateway: connects its parts and opens the port.
import path from 'node:path'
import type { Peppers } from '#auth/pepper.ts'
import { type RoleUrls, roleUrls } from '#database/roles.ts'
import { type Listeners, openListeners } from '../origins/listeners.ts'
import { createApp } from './app.ts'
import { serveOtherModules } from '../origins/modules.ts'
import { type Config, isPrivate } from '../settings/config.ts'
import { peppersOf, rolePasswords, signingKeysOf } from '../settings/credentials.ts'
import { finishing } from './finishing.ts'
import type { Log } from '#http/log.ts'
import { withAddresses } from '#http/log-addresses.ts'
import { openCounters } from '#http/limits/shared-counters.ts'
import { servedDocs } from '../mcp/docs.ts'
import { loadDocuments } from '../static/documents.ts'
import type { GatewayContext } from '../settings/context.ts'
import type { SandboxAccess, Serving } from './context.ts'
import { checkMilliseconds, type LiveSite, openLiveSite } from './live-site.ts'
import { openSockets } from '../websocket/endpoint.ts'
import { countingRequests, openMetrics, serveMetrics } from '#http/observe/metrics.ts'
import { measureGateway, timesWaits } from './gateway-metrics.ts'
import { siteContent } from './content.ts'
import { createSiteServices } from './site-services.ts'
import { sandboxEndpoints } from './sandbox-key.ts'
import type { WriteWatch } from '../status/database.ts'
import type { SchemaWatch } from '../status/schema.ts'
import { openRotation, probesOf } from '../origins/rotation.ts'
import { openTraces } from '#http/observe/traces.ts'
import { requestFailure } from './failures.ts'
import { finishOf, requestGuards } from './guards.ts'
import { openModes } from './modes.ts'
import { openSiteGroup } from './site-group.ts'

/** The folder that `npm start` builds the site in. */
const builtHere = path.join(import.meta.dir, '../..', 'site', 'dist')

/** `sandbox` is the sandbox that `npm start` created. Pages on this machine get the sandbox's
 *  key. */
export async function startGateway(
  context: GatewayContext,
  sandbox?: SandboxAccess,
): Promise<Serving> {
  const { config, databaseUrl, secrets } = context
  const metrics = openMetrics()
  const traces = await openTraces(config.tracesEndpoint, 'telehealth-gateway')
  const peppers = peppersOf(config, secrets)
  const addressed = withAddresses(context.log, config.logAddresses, peppers[0])
  const log = traces.ofRequests(countingRequests(addressed, metrics))
  const listeners = await openListeners(config)
  const { base } = listeners
  const site = await openSite(config, listeners, peppers, log)
  const urls = roleUrls(databaseUrl, rolePasswords(...peppers))
  const counters = await openCounters(config.redisUrl, log)
  const shared = { urls, peppers, base, counters, onDatabaseWait: timesWaits(metrics) }
  const modes = await openModes({ ...context, log }, shared)
  const siteServices = openSiteServices({ listeners, site, urls, peppers, config, log }, modes)
  const { group, probes } = openSiteGroup({ site, siteServices, ...modes, counters, config, log })
  const { isKnownHost, ...guards } = requestGuards(config, listeners)
  const parts = { listeners, urls, peppers, base, counters, clinic: modes.clinic, ...guards }
  const opened = openSockets({ ...context, log, metrics }, parts)
  const rotation = rotationOf(config, listeners, modes.schema)
  const app = createApp({
    ...otherOrigins(listeners),
    ...modes.served,
    ...guards,
    // The site's own hosts. `refuse` runs first, and refuses other origins' hosts.
    isAllowedHost: isKnownHost,
    documents: loadDocuments({ ...listeners.urls, api: base }),
    site: group,
    local: sandboxEndpoints(config, sandbox),
    sockets: opened.sockets,
    probes: probesOf(rotation),
    finish: finishOf(config, listeners),
    content: siteContent(site.current, group),
    log,
  })
  listeners.site.serve(app, opened.sockets)
  const { emailed, mailUrl } = siteServices
  const work = { log, onError: requestFailure(log), emailed, mailUrl }
  const docs = servedDocs(site.current, { ...listeners.urls, api: base }, base)
  const modules = serveOtherModules(context, { ...parts, ...work, docs })
  measureGateway(metrics, context, siteServices)
  const watched = serveMetrics(metrics, config.metrics.host, config.metrics.gateway, config.tls)
  return {
    port: listeners.site.port,
    base,
    urls: listeners.urls,
    hasSignIn: modules.isServed,
    mailUrl,
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

const otherOrigins = ({ own, urls }: Listeners) => ({
  consoleOrigin: own.console.origin,
  issuer: urls.auth,
})

function openSite(config: Config, listeners: Listeners, peppers: Peppers, log: Log) {
  const finish = finishing(config, signingKeysOf(config, peppers), listeners)
  return openLiveSite(config.siteDir ?? builtHere, log, checkMilliseconds, finish)
}

type SiteParts = { listeners: Listeners; site: LiveSite; urls: RoleUrls; peppers: Peppers }

const openSiteServices = (
  {
    listeners: { base, urls: origins },
    site,
    urls,
    ...parts
  }: SiteParts & { config: Config; log: Log },
  { writes }: { writes: WriteWatch },
) =>
  createSiteServices({
    ...parts,
    base,
    urls: origins,
    site: () => site.current().site,
    url: urls.site,
    onDatabaseFailure: writes.note,
  })

const rotationOf = (config: Config, listeners: Listeners, { isAccepted }: SchemaWatch) =>
  openRotation({ listeners, isAccepted, draining: config.draining, isPrivate: isPrivate(config) })
