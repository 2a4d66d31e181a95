import { nearPaths } from '#clinical/near-paths.ts'
import type { Visit } from '#clinical/plugin.ts'
import { type Door, refuse, type Surface } from './door.ts'
import { siteHeaders } from './site-headers.ts'
import { pathOf, type Site } from './site/static.ts'

export type Content = (request: Request, visit: Visit) => Promise<Response> | Response

/** Every anonymous path: the surfaces behind the door, and the built files for all the rest. */
export function contentRoutes({ site, door }: { site(): Site; door: Door }): Content {
  // Files are loaded with the policy that is promised; whoever runs the house may grant another.
  const isUsual = new Map(siteHeaders).get('ratelimit-policy') === door.policy
  return (request, visit) => {
    const { path } = pathOf(request.url)
    const found = door.find(path)
    if (found !== undefined) return door.answer(found, request, visit)
    const files = site()
    // `/api/llms.txt` is a file of the site, so the site is asked before the path is called
    // unknown.
    if ((path === '/api' || path.startsWith('/api/')) && !files.has(path)) {
      return door.answer(nowhere, request, visit)
    }
    const file = files.serve(request)
    if (file.status === 404 && isCall(request)) {
      const near = nearPaths(request.method, path)
      if (near.length > 0) return door.answer(strayed(near), request, visit)
    }
    if (!isUsual) file.headers.set('ratelimit-policy', door.policy)
    return file
  }
}

const unknown: Surface = {
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
  surface: {
    ...unknown,
    answer() {
      throw refuse('not_found', {
        detail: 'This path does not exist. The paths of the clinical API begin with /v1.',
        hint: `Did you mean ${near.join(' or ')}? The contract is at /openapi/v1.json.`,
      })
    },
  } satisfies Surface,
  params: {},
})

const nowhere = { surface: unknown, params: {} }
