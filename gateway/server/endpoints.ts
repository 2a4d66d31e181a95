// Everything that answers by itself behind the door, one line for each room: what is mounted by a
// gateway is mounted by a preview as well.
import type { OpenCounter } from '#http/counter.ts'
import { agentCard } from '#contract/site/a2a.ts'
import { siteAgent } from '#content/agent.ts'
import { now } from '#database/clock.ts'
import { a2aSurfaces } from '../a2a/routes.ts'
import { acpSurfaces } from '../acp/routes.ts'
import { searchSurface } from '../search/search-page.ts'
import { contentSurfaces } from '../search/endpoints.ts'
import type { Surface } from '#http/endpoint-router.ts'
import { type Check, healthSurface, siteCheck } from './health.ts'
import { siteTools } from '../mcp/site-tools.ts'
import type { Reception } from './site-services.ts'
import type { LiveSite } from '../static/live-site.ts'

export type SurfaceParts = {
  readonly site: LiveSite
  readonly reception: Reception
  /** What health depends on besides the site. */
  readonly checks: readonly Check[]
  /** What counts the bookings of a place; absent, this process alone. */
  readonly counter?: OpenCounter
}

export function allSurfaces({ site, reception, checks, counter }: SurfaceParts): Surface[] {
  const { isRefusing } = site
  const articles = () => site.current().catalog.articles.slugs.length
  return [
    ...contentSurfaces(site.current),
    searchSurface(site.current),
    ...reception.pages,
    ...acpSurfaces(reception),
    ...a2aSurfaces({ ...reception, card: agentCard(siteAgent) }),
    ...siteTools({
      ...reception,
      catalog: () => site.current().catalog,
      ...(counter && { counter }),
    }),
    healthSurface({ checks: [...checks, siteCheck({ articles, isRefusing })], clock: now }),
  ]
}
