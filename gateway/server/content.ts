// All anonymous content: the endpoints of the site and its agents as one group, and the built files
// for every other path.
import type { Links } from '#booking/links.ts'
import { nearPaths } from '#clinical/rest/near-paths.ts'
import { isUnavailable } from '#clinical/pipeline/refuse.ts'
import { limits, siteLimits } from '#contract/limits.ts'
import { Problem } from '#contract/problems.ts'
import { siteVersion, siteVersions } from '#contract/versions.ts'
import type { OpenCounter } from '#http/limits/counter.ts'
import { type Endpoint, pathsOf } from '#http/endpoint.ts'
import {
  createEndpointGroup,
  type EndpointGroup,
  type GroupSettings,
} from '#http/endpoint-group.ts'
import { policyText } from '#http/headers.ts'
import { createRateLimiter } from '#http/limits/rate-limiter.ts'
import type { HttpRequest } from '#http/http-request.ts'
import type { RouterOptions } from '#http/router.ts'
import { siteHeaders } from '../static/site-headers.ts'
import { nearestPages, withNearest } from '../search/nearest.ts'
import { withoutCoding } from '../static/static.ts'
import type { Build } from '../search/endpoints.ts'

export type SiteGroupOptions = Pick<GroupSettings, 'endpoints' | 'onError'> & {
  /** Reads the links that let people manage a call. */
  readonly links?: Pick<Links, 'read'>
  /** The number of requests that one address may send per window. */
  readonly requests?: number
  /** Counts requests. By default, each process counts its own. */
  readonly counter?: OpenCounter
}

export function createSiteGroup({
  endpoints,
  links,
  onError,
  requests = siteLimits.ratePerWindow,
  counter,
}: SiteGroupOptions): EndpointGroup {
  const policy = { policy: 'default', quota: requests, window: siteLimits.rateWindowSeconds }
  return createEndpointGroup({
    endpoints,
    headers: 'site',
    surface: 'site',
    base: '',
    bodyLimits: {
      bytesMax: siteLimits.bodyBytesMax,
      depthMax: limits.bodyDepthMax,
      takesJsonSuffix: true,
      milliseconds: siteLimits.bodySecondsMax * 1000,
    },
    versions: siteVersions,
    version: siteVersion,
    policy,
    limiter: createRateLimiter('site', policy, counter),
    linkOf(request) {
      if (!request.search.includes('key=')) return null
      const link = links?.read(request.url.searchParams.get('key') ?? '')
      return link ? `link ${link.id}` : null
    },
    onError,
    isUnavailable,
  })
}

export type Content = Pick<RouterOptions, 'fallback' | 'prebuilt'>

export function siteContent(
  build: () => Pick<Build, 'site' | 'rank'>,
  group: EndpointGroup,
): Content {
  // Files are loaded with the default policy, but an operator may have configured another.
  const policy = policyText(group.settings.policy)
  const isUsual = new Map(siteHeaders).get('ratelimit-policy') === policy
  const withPolicy = (file: Response) => {
    if (!isUsual) file.headers.set('ratelimit-policy', policy)
    return file
  }
  const fallback = (request: HttpRequest): Promise<Response> | Response => {
    const { path, raw } = request
    const current = build()
    const files = current.site
    // `/api/llms.txt` is a site file, so files are looked up before the path is refused.
    if ((path === '/api' || path.startsWith('/api/')) && !files.has(path)) {
      request.route = unknownEndpoint.path
      return group.answer(unknownEndpoint, request)
    }
    const serve = (one: Request) => withPolicy(files.serve(one))
    const file = serve(raw)
    request.route = file.status === 404 ? folderOf(path, files) : path
    if (file.status !== 404) return file
    if (isCall(raw)) {
      const near = nearPaths(request.method, path)
      if (near.length > 0) return group.answer(withoutPrefix(near), request)
    }
    const near = nearestPages(path, current)
    return near.length === 0 ? file : withNearest(serve(withoutCoding(raw)), near)
  }
  return {
    fallback,
    prebuilt(raw, path) {
      const file = build().site.file(raw, path)
      return file && withPolicy(file)
    },
  }
}

/** No page is deeper. The rest of a longer path is ignored. */
const depthMax = 4

/** The nearest page above a missing path, which is enough to find the broken link. */
function folderOf(path: string, files: Build['site']): string {
  const names = path.split('/', depthMax + 1)
  while (names.length > 2) {
    names.pop()
    const folder = names.join('/')
    if (files.has(folder)) return `${folder}/*`
  }
  return '/*'
}

/** An endpoint that responds to every request with a problem. */
function refusing(problem: () => Problem) {
  const endpoint: Endpoint = {
    path: '/api/*',
    methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    errorFormat: 'problem',
    answer() {
      throw problem()
    },
  }
  const [at] = pathsOf([endpoint], true)
  if (at === undefined) throw new Error('an endpoint must have a path')
  return at
}

const unknownEndpoint = refusing(
  () =>
    new Problem('not_found', {
      detail: 'This path does not exist.',
      members: { see: ['/openapi.json', '/.well-known/api-catalog', '/llms.txt', '/developers'] },
    }),
)

/** Whether the request has a credential, or a method that pages don't use. */
const isCall = ({ method, headers }: Request) =>
  headers.has('authorization') || !['GET', 'HEAD', 'OPTIONS'].includes(method)

/** The hint for a clinical API request whose path lacks `/v1`. */
const withoutPrefix = (near: readonly string[]) =>
  refusing(
    () =>
      new Problem('not_found', {
        detail: 'This path does not exist. Clinical API paths start with /v1.',
        hint: `Did you mean ${near.join(' or ')}? The contract is at /openapi/v1.json.`,
      }),
  )
