// Every endpoint of the site and its agents. A gateway and a preview mount the same list.
import type { OpenCounter } from '#http/counter.ts'
import { agentCard } from '#contract/site/a2a.ts'
import { siteAgent } from '#content/agent.ts'
import { now } from '#database/clock.ts'
import { a2aEndpoints } from '../a2a/routes.ts'
import { acpEndpoints } from '../acp/routes.ts'
import { feedbackEndpoint } from '../feedback/endpoint.ts'
import { searchEndpoint } from '../search/search-page.ts'
import { contentEndpoints } from '../search/endpoints.ts'
import type { Endpoint } from '#http/endpoint.ts'
import { type Check, healthEndpoint, siteCheck } from './health.ts'
import { siteTools } from '../mcp/site-tools.ts'
import type { SiteServices } from './site-services.ts'
import type { LiveSite } from '../static/live-site.ts'

type EndpointOptions = {
  readonly site: LiveSite
  readonly siteServices: SiteServices
  /** What health depends on besides the site. */
  readonly checks: readonly Check[]
  /** Counts the feedback of a network; absent, in this process. */
  readonly counter?: OpenCounter
}

export function allEndpoints({ site, siteServices, checks, counter }: EndpointOptions): Endpoint[] {
  const { isRefusing } = site
  const articles = () => site.current().catalog.articles.slugs.length
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
    healthEndpoint({ checks: [...checks, siteCheck({ articles, isRefusing })], clock: now }),
  ]
}
