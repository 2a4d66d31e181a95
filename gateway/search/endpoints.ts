// The site's own endpoints. Each answers from the build that is served when the request arrives.
import type { Answer } from '#http/answer.ts'
import type { Endpoint } from '#http/endpoint.ts'
import type { RequestContext } from '#http/request-context.ts'
import type { Site } from '../static/static.ts'
import type { Ask } from './ask.ts'
import { askRoute } from './ask-routes.ts'
import type { Catalog } from '#mcp/tools/content-tools.ts'
import { listRoute } from './lists.ts'

type ListEndpoint = (call: RequestContext) => Promise<Answer> | Answer

/** One loaded build: its files, and what its endpoints answer from. */
export type Build = {
  readonly site: Site
  readonly catalog: Catalog
  readonly ask: ListEndpoint
  /** The search of `/ask`, for endpoints that show its results in another form. */
  readonly find: Ask
  readonly articles: ListEndpoint
  readonly comparisons: ListEndpoint
}

export const openBuild = (site: Site, ask: Ask, catalog: Catalog): Build => ({
  site,
  catalog,
  ask: askRoute(ask, site.text),
  find: ask,
  articles: listRoute(catalog.articles),
  comparisons: listRoute(catalog.comparisons),
})

export function contentEndpoints(current: () => Build): Endpoint[] {
  const list = (path: string, name: 'articles' | 'comparisons'): Endpoint => ({
    path,
    methods: ['GET'],
    errorFormat: 'problem',
    answer: call => current()[name](call),
  })
  return [
    {
      path: '/ask',
      methods: ['GET', 'POST'],
      errorFormat: 'problem',
      answer: call => current().ask(call),
    },
    list('/api/articles', 'articles'),
    list('/api/comparisons', 'comparisons'),
  ]
}
