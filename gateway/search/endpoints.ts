// The site's own endpoints. Each responds from the build that is current when the request arrives.
import type { Answer } from '#http/answer.ts'
import type { Endpoint } from '#http/endpoint.ts'
import type { HttpRequest } from '#http/http-request.ts'
import type { Site } from '../static/static.ts'
import type { Ranking } from '#content/ranking/rank.ts'
import { askRoute, prefersPage, varies } from './ask-routes.ts'
import type { BuildCatalog } from './catalog.ts'
import { listRoute } from './lists.ts'
import { searchPage } from './search-page.ts'

type ListEndpoint = (request: HttpRequest) => Promise<Answer> | Answer

/** One loaded build: its files, and the data for its endpoints. */
export type Build = {
  readonly site: Site
  readonly catalog: BuildCatalog
  readonly ask: ListEndpoint
  /** The search of all the build's pages. */
  readonly rank: Ranking
  readonly articles: ListEndpoint
  readonly comparisons: ListEndpoint
}

export function openBuild(site: Site, rank: Ranking, catalog: BuildCatalog): Build {
  return {
    site,
    catalog,
    ask: askRoute(rank, site.text),
    rank,
    articles: listRoute(catalog.articles),
    comparisons: listRoute(catalog.comparisons),
  }
}

export function contentEndpoints(current: () => Build): Endpoint[] {
  const list = (path: string, name: 'articles' | 'comparisons'): Endpoint => ({
    path,
    methods: ['GET'],
    errorFormat: 'problem',
    answer: request => current()[name](request),
  })
  const asPage = searchPage(current, varies)
  return [
    {
      path: '/ask',
      methods: ['GET', 'POST'],
      errorFormat: 'problem',
      answer: request =>
        request.method !== 'POST' && prefersPage(request.headers)
          ? asPage(request)
          : current().ask(request),
    },
    list('/api/articles', 'articles'),
    list('/api/comparisons', 'comparisons'),
  ]
}
