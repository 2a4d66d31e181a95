// The public site for tests: a small build, and its endpoints behind the endpoint router.
import { loadRanking } from '#content/ranking/rank.ts'
import { openSampleCatalog } from './catalog.ts'
import { sampleIndex } from './search-index.ts'
import { type Build, contentEndpoints, openBuild } from '../search/endpoints.ts'
import type { Endpoint } from '#http/endpoint.ts'
import { testRouter } from '#http/testing/endpoints.ts'
import { createSiteGroup, siteContent, type SiteGroupOptions } from '../server/content.ts'
import { loadSite } from '../static/static.ts'

export const sampleBuild = (folder: string, articles = 3): Build =>
  openBuild(loadSite(folder), loadRanking(sampleIndex()), openSampleCatalog(articles))

type Parts = Partial<SiteGroupOptions> & { build: () => Build; more?: readonly Endpoint[] }

/** Responds like the gateway, but throws on an internal failure. */
export function sampleContent({ build, more = [], ...parts }: Parts) {
  const failures: unknown[] = []
  const group = createSiteGroup({
    endpoints: [...contentEndpoints(build), ...more],
    requests: 1_000_000,
    onError: failure => void failures.push(failure),
    ...parts,
  })
  const { enter } = testRouter(group, siteContent(build, group).fallback)
  return async (request: Request, address: string | null = '203.0.113.7') => {
    const answer = await enter(request, { address })
    if (failures.length > 0) throw failures.pop()
    return answer
  }
}
