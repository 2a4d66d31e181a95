import type { Ask } from './content/ask.ts'
import { askRoute } from './content/ask-routes.ts'
import { siteProblem } from './site-problems.ts'
import { pathOf, type Site } from './site/static.ts'

/**
 * Every anonymous path of the site: `/ask`, the content API, and the built files for all the rest.
 */
export function contentRoutes({
  site,
  ask,
}: {
  readonly site: Site
  readonly ask: Ask
}): (request: Request) => Promise<Response> | Response {
  const answerAsk = askRoute(ask)
  return request => {
    const { path, query } = pathOf(request.url)
    if (path === '/ask') return answerAsk(request, query)
    // `/api/llms.txt` is a file of the site, so the site is asked before the path is called
    // unknown.
    if ((path === '/api' || path.startsWith('/api/')) && !site.has(path)) return noEndpoint()
    return site.serve(request)
  }
}

function noEndpoint(): Response {
  return siteProblem('not_found', {
    detail: 'There is no endpoint at this path.',
    hint: 'Look the endpoint up in /openapi.json, or start at /.well-known/api-catalog.',
    members: { see: ['/openapi.json', '/.well-known/api-catalog', '/llms.txt', '/developers'] },
  })
}
