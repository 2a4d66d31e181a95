// Every endpoint of the site and its agents. A gateway and a preview mount the same list.
import { termsOf } from '#content/ranking/question.ts'
import type { OpenCounter } from '#http/limits/counter.ts'
import { agentCard } from '#contract/site/a2a.ts'
import { siteAgent } from '#content/agent.ts'
import { now } from '#database/clock.ts'
import { a2aEndpoints } from '../a2a/routes.ts'
import { acpEndpoints } from '../acp/routes.ts'
import { feedbackEndpoint } from '../feedback/endpoint.ts'
import { searchEndpoint } from '../search/search-page.ts'
import { contentEndpoints } from '../search/endpoints.ts'
import type { Endpoint } from '#http/endpoint.ts'
import type { Log } from '#http/log.ts'
import { statusEndpoints } from '../status/endpoints.ts'
import type { History } from '../status/history.ts'
import { openProbes, type Probes } from '../status/probes.ts'
import { statusReporter } from '../status/report.ts'
import { askCheck, type Check, healthEndpoint, siteCheck } from '../status/health.ts'
import { siteTools } from '../mcp/site-tools.ts'
import type { SiteServices } from './site-services.ts'
import type { LiveSite } from './live-site.ts'

type EndpointOptions = {
  readonly site: LiveSite
  readonly siteServices: SiteServices
  /** The checks that determine health. */
  readonly checks: readonly Check[]
  /** The checks that run once a minute, and the store for their results; null without a
   *  database. */
  readonly probes: Probes
  readonly history: History | null
  /** The URL of the last release's proof, or null if none exists. */
  readonly proof: string | null
  /** Counts feedback per network. By default, each process counts its own. */
  readonly counter?: OpenCounter
}

/** Checks that the build is served, and that a search question gets results. */
export const siteChecks = (site: LiveSite): Check[] => [
  siteCheck({
    articles: () => site.current().catalog.articles.slugs.length,
    isRefusing: site.isRefusing,
  }),
  askCheck(() => site.current().rank(termsOf('how does a consult work'), 1).length),
]

/** The checks and history for a gateway without a database: only the site's checks, and no
 *  history. */
export function withoutDatabase(site: LiveSite, log: Pick<Log, 'event'>) {
  const checks = siteChecks(site)
  return {
    checks,
    probes: openProbes({ checks, history: null, log, now }),
    history: null,
    proof: null,
  }
}

export function allEndpoints(options: EndpointOptions): Endpoint[] {
  const { site, siteServices, checks, counter, proof } = options
  return [
    ...contentEndpoints(site.current),
    searchEndpoint(site.current),
    feedbackEndpoint({
      ...siteServices,
      site: () => site.current().site,
      ...(counter && { counter }),
    }),
    ...siteServices.pages,
    ...acpEndpoints(siteServices),
    ...a2aEndpoints({ ...siteServices, card: agentCard(siteAgent) }),
    ...siteTools({ ...siteServices, catalog: () => site.current().catalog }),
    healthEndpoint({ checks, clock: now }),
    ...statusEndpoints({
      site: () => site.current().site,
      report: statusReporter({ ...options, now }),
      proof,
    }),
  ]
}
