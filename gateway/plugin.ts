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
      detail: 'There is no endpoint at this path.',
      members: { see: ['/openapi.json', '/.well-known/api-catalog', '/llms.txt', '/developers'] },
    })
  },
}

const nowhere = { surface: unknown, params: {} }
