// A gateway like the one in gateway/server/gateway.ts, but with the benchmark's own site: a page of
// exactly 20 KB, or an index of exactly 100 articles. Benchmarks that need neither that page nor
// that index use the real gateway. Settings are read from standard input, because they contain
// passwords.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import ipaddr from 'ipaddr.js'
import { createContext } from '#clinical/context.ts'
import { resolveBySystem } from '#http/outgoing/addresses.ts'
import { siteAgent } from '#content/agent.ts'
import { agentCard } from '#contract/site/a2a.ts'
import { a2aEndpoints } from '#gateway/a2a/routes.ts'
import { acpEndpoints } from '#gateway/acp/routes.ts'
import { addressReader } from '#http/client-address.ts'
import { createApp } from '#gateway/server/app.ts'
import { loadRanking } from '#content/ranking/rank.ts'
import { createHostCheck } from '#http/host-check.ts'
import { createLog } from '#http/log.ts'
import { loadCatalog } from '#gateway/search/catalog.ts'
import { contentEndpoints, openBuild } from '#gateway/search/endpoints.ts'
import { siteTools } from '#gateway/mcp/site-tools.ts'
import { createSiteGroup, siteContent } from '#gateway/server/content.ts'
import { createDryRunServices, type SiteServices } from '#gateway/server/site-services.ts'
import { loadSite, type Site } from '#gateway/static/static.ts'
import { bookingOn } from './booking-service.ts'

export type SiteGatewaySettings = {
  port: number
  /** A built site, with its index in catalog/search.json. */
  site: string
  /** Used only by clinical paths. */
  urls: { test: string; live: string }
  pepper: string
  poolSize: number
  rateLimit: number
  /** The document storage folder. Defaults to a folder inside the site. */
  files?: string
  /** How many requests an address may send per window. Defaults to more than a benchmark sends. */
  siteRequests?: number
  /** The app_site role's database URL, for real bookings. Without it, bookings are dry runs. */
  bookingService?: string
}

function open(settings: SiteGatewaySettings): void {
  const base = `http://localhost:${settings.port}`
  const search = readFileSync(path.join(settings.site, 'catalog', 'search.json'), 'utf8')
  const log = createLog('json')
  const site = loadSite(settings.site)
  const build = openBuild(site, loadRanking(search), loadCatalog(site.text))
  const siteServices = siteServicesOf(settings, base, site)
  const group = createSiteGroup({
    endpoints: [
      ...contentEndpoints(() => build),
      ...acpEndpoints(siteServices),
      ...a2aEndpoints({ ...siteServices, card: agentCard(siteAgent) }),
      ...siteTools({ ...siteServices, catalog: () => build.catalog }),
    ],
    requests: settings.siteRequests ?? 100_000_000,
    onError: failure => log.event('request.failed', { message: String(failure) }),
  })
  const app = createApp({
    context: createContext({
      isLiveOpen: () => true,
      ...settings,
      base,
      addresses: { resolve: resolveBySystem, allowed: [[ipaddr.parse('127.0.0.1'), 32]] },
      storage: { folder: settings.files ?? path.join(settings.site, 'files') },
      onError: failure => log.event('call.failed', { message: String(failure) }),
    }),
    isAllowedHost: createHostCheck(base, []),
    addressOf: addressReader([]),
    documents: new Map(),
    site: group,
    content: siteContent(() => build, group),
    log,
  })
  Bun.serve({ port: settings.port, hostname: '127.0.0.1', fetch: app })
}

/** The secret that signs session IDs, so a load can create its own. */
export const sessionSecret = 'a secret of benchmarks'

function siteServicesOf(
  { bookingService: url, poolSize }: SiteGatewaySettings,
  base: string,
  site: Site,
): SiteServices {
  const dryRun = { ...createDryRunServices({ base, site: () => site }), secret: sessionSecret }
  if (url === undefined) return dryRun
  return { ...dryRun, ...bookingOn(url, poolSize, dryRun.links) }
}

if (import.meta.main) open(await Bun.stdin.json())
