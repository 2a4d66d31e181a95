import { nearPaths } from '#clinical/pipeline/near-paths.ts'
import type { Visit } from '#clinical/pipeline/http.ts'
import { type EndpointRouter, refuse, type Endpoint } from '#http/endpoint-router.ts'
import { siteHeaders } from '../static/site-headers.ts'
import { pathOf, type Site } from '../static/static.ts'

export type Content = (request: Request, visit: Visit) => Promise<Response> | Response

/** Every anonymous path: the surfaces behind the door, and the built files for all the rest. */
export function contentRoutes({
  site,
  endpointRouter,
}: {
  site(): Site
  endpointRouter: EndpointRouter
}): Content {
  // Files are loaded with the policy that is promised; whoever runs the house may grant another.
  const isUsual = new Map(siteHeaders).get('ratelimit-policy') === endpointRouter.policy
  return (request, visit) => {
    const { path } = pathOf(request.url)
    const found = endpointRouter.find(path)
    if (found !== undefined) return endpointRouter.answer(found, request, visit)
    const files = site()
    // `/api/llms.txt` is a file of the site, so the site is asked before the path is called
    // unknown.
    if ((path === '/api' || path.startsWith('/api/')) && !files.has(path)) {
      return endpointRouter.answer(nowhere, request, visit)
    }
    const file = files.serve(request)
    if (file.status === 404 && isCall(request)) {
      const near = nearPaths(request.method, path)
      if (near.length > 0) return endpointRouter.answer(strayed(near), request, visit)
    }
    if (!isUsual) file.headers.set('ratelimit-policy', endpointRouter.policy)
    return file
  }
}

const unknown: Endpoint = {
  path: '/api/*',
  methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
  form: 'problem',
  answer() {
    throw refuse('not_found', {
      detail: 'This path does not exist.',
      members: { see: ['/openapi.json', '/.well-known/api-catalog', '/llms.txt', '/developers'] },
    })
  },
}

/** Nobody reads pages with a credential, or by another method. */
const isCall = ({ method, headers }: Request) =>
  headers.has('authorization') || !['GET', 'HEAD', 'OPTIONS'].includes(method)

/** A call of the clinical API that lost the beginning of its path. */
const strayed = (near: readonly string[]) => ({
  endpoint: {
    ...unknown,
    answer() {
      throw refuse('not_found', {
        detail: 'This path does not exist. The paths of the clinical API begin with /v1.',
        hint: `Did you mean ${near.join(' or ')}? The contract is at /openapi/v1.json.`,
      })
    },
  } satisfies Endpoint,
  params: {},
})

const nowhere = { endpoint: unknown, params: {} }
