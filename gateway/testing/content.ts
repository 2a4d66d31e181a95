// The public site for tests: a small build and its endpoints behind the endpoint router.
import { loadAsk } from '../search/ask.ts'
import { openSampleCatalog } from './catalog.ts'
import { sampleIndex } from './search-index.ts'
import { type Build, contentEndpoints, openBuild } from '../search/endpoints.ts'
import {
  type EndpointRouterOptions,
  createEndpointRouter,
  type Endpoint,
} from '#http/endpoint-router.ts'
import { openQuota } from '#http/quota.ts'
import { contentRoutes } from '../server/content.ts'
import { loadSite } from '../static/static.ts'

export const sampleBuild = (folder: string, articles = 3): Build =>
  openBuild(loadSite(folder), loadAsk(sampleIndex()), openSampleCatalog(articles))

type Parts = Partial<EndpointRouterOptions> & { build: () => Build; more?: readonly Endpoint[] }

/** Answers as the gateway does; an internal failure is thrown. */
export function sampleContent({ build, more = [], ...parts }: Parts) {
  const endpointRouter = createEndpointRouter({
    endpoints: [...contentEndpoints(build), ...more],
    quota: openQuota({ requests: 1_000_000 }),
    onError: failure => {
      throw failure
    },
    ...parts,
  })
  const routes = contentRoutes({ site: () => build().site, endpointRouter })
  return async (request: Request, address: string | null = '203.0.113.7') =>
    routes(request, { id: 'req_of_a_test', address, note() {} })
}
