// A gateway's endpoints for the site and its agents, and the checks that determine its health.
import path from 'node:path'
import type { OpenAppContext } from '#clinical/context.ts'
import { areDeliveriesBehind } from '#clinical/deliveries/lag.ts'
import { sql } from '#database/sql.ts'
import { now } from '#database/clock.ts'
import { freeBytes } from '#database/disk.ts'
import type { Counters } from '#http/limits/shared-counters.ts'
import type { LiveGate } from '../live/gate.ts'
import type { GatewayContext } from '../settings/context.ts'
import { databaseCheck, type WriteWatch } from '../status/database.ts'
import { countersCheck, diskCheck, mailCheck, webhooksCheck } from '../status/health.ts'
import { allEndpoints, siteChecks } from './endpoints.ts'
import { openProbes } from '../status/probes.ts'
import type { LiveSite } from './live-site.ts'
import { createSiteGroup } from './content.ts'
import type { RunningSiteServices } from './site-services.ts'
import type { SchemaWatch } from '../status/schema.ts'
import { requestFailure } from './failures.ts'

type SiteGroupParts = Pick<GatewayContext, 'config' | 'log'> & {
  site: LiveSite
  siteServices: RunningSiteServices
  clinic: OpenAppContext
  counters: Counters
  live: LiveGate
  schema: SchemaWatch
  writes: WriteWatch
}

export function openSiteGroup(parts: SiteGroupParts) {
  const { site, siteServices, clinic, schema, writes, counters, live, config, log } = parts
  const askDatabase = () =>
    clinic.pools.test.use(connection => connection.run(sql`select 1 as one`))
  const checks = [
    databaseCheck(askDatabase),
    writes.check,
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
    proof: path.join(config.dataDir, 'proof.zip'),
  })
  const group = createSiteGroup({
    endpoints,
    links: siteServices.links,
    requests: config.siteRateLimitRequests,
    counter: counters.open,
    onError: requestFailure(log),
  })
  return { group, probes }
}
