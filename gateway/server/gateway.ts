// The gateway: composes its parts and opens the port.
import path from 'node:path'
import type { Peppers } from '#auth/pepper.ts'
import { now } from '#database/clock.ts'
import { freeBytes } from '#database/disk.ts'
import { roleUrls } from '#database/roles.ts'
import { type Listeners, openListeners } from '../origins/listeners.ts'
import { createApp } from './app.ts'
import { serveOtherModules } from '../origins/modules.ts'
import { type Config, isPrivate } from '../settings/config.ts'
import { peppersOf, rolePasswords, signingKeysOf } from '../settings/credentials.ts'
import { finishing } from './finishing.ts'
import type { Log } from '#http/log.ts'
import { openCounters } from '#http/limits/shared-counters.ts'
import { servedDocs } from '../mcp/docs.ts'
import { loadDocuments } from '../static/documents.ts'
import type { GatewayContext } from '../settings/context.ts'
import type { SandboxAccess, Serving } from './context.ts'
import { checkMilliseconds, openLiveSite } from './live-site.ts'
import { openSockets } from '../websocket/endpoint.ts'
import { countingRequests, type Metrics, openMetrics, serveMetrics } from '#http/observe/metrics.ts'
import { certificateGauges, readCertificates } from '../status/certificates.ts'
import { siteContent } from './content.ts'
import { createSiteServices } from './site-services.ts'
import { sandboxEndpoints } from './sandbox-key.ts'
import type { SchemaWatch } from '../status/schema.ts'
import { openRotation, probesOf } from '../origins/rotation.ts'
import { openTraces } from '#http/observe/traces.ts'
import { requestFailure } from './failures.ts'
import { finishOf, requestGuards } from './guards.ts'
import { openModes } from './modes.ts'
import { openSiteGroup } from './site-group.ts'

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
  const site = await openSite(config, listeners, peppers, log)
  const urls = roleUrls(databaseUrl, rolePasswords(...peppers))
  const counters = await openCounters(config.redisUrl, log)
  const modes = await openModes({ ...context, log }, { urls, peppers, base, counters })
  const { clinic } = modes
  const origins = { base, auth: listeners.urls.auth, site: () => site.current().site }
  const database = { url: urls.site, onDatabaseFailure: modes.writes.note }
  const siteServices = createSiteServices({ ...origins, ...database, peppers, config, log })
  const { group, probes } = openSiteGroup({ site, siteServices, ...modes, counters, config, log })
  const { isKnownHost, ...guards } = requestGuards(config, listeners)
  const addresses = { ...listeners.urls, api: base }
  const parts = { listeners, urls, peppers, base, counters, clinic, ...guards }
  const opened = openSockets({ ...context, log, metrics }, parts)
  const rotation = rotationOf(config, listeners, modes.schema)
  const app = createApp({
    ...modes.served,
    ...guards,
    // Of another origin it is not: `refuse` is asked first.
    isAllowedHost: isKnownHost,
    documents: loadDocuments(addresses),
    site: group,
    local: sandboxEndpoints(config, sandbox),
    sockets: opened.sockets,
    probes: probesOf(rotation),
    finish: finishOf(config, listeners),
    content: siteContent(site.current, group),
    log,
  })
  server.serve(app, opened.sockets)
  const { emailed, mailUrl } = siteServices
  const work = { log, onError: requestFailure(log), emailed, mailUrl }
  const docs = servedDocs(site.current, addresses, base)
  const modules = serveOtherModules(context, { ...parts, ...work, docs })
  measureMachine(metrics, context)
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

function openSite(config: Config, listeners: Listeners, peppers: Peppers, log: Log) {
  const finish = finishing(config, signingKeysOf(config, peppers), listeners)
  return openLiveSite(config.siteDir ?? builtHere, log, checkMilliseconds, finish)
}

const rotationOf = (config: Config, listeners: Listeners, { isAccepted }: SchemaWatch) =>
  openRotation({ listeners, isAccepted, draining: config.draining, isPrivate: isPrivate(config) })

/** Its disk, and the certificates that it serves and trusts. */
function measureMachine(metrics: Metrics, { config, databaseUrl }: GatewayContext): void {
  metrics.collect(() => [
    { name: 'telehealth_disk_available_bytes', labels: {}, value: freeBytes(config.dataDir) },
  ])
  metrics.collect(certificateGauges(() => readCertificates(config, databaseUrl), now))
}
