// Endpoints in each error format behind the real router on a free port, for tests.
import { afterAll, expect } from 'bun:test'
import { Problem } from '#contract/problems.ts'
import { addressReader } from '../client-address.ts'
import type { Endpoint } from '../endpoint.ts'
import { createEndpointGroup, type EndpointGroup, type GroupSettings } from '../endpoint-group.ts'
import type { AnsweredRequest } from '../log.ts'
import { createRateLimiter } from '../limits/rate-limiter.ts'
import type { HttpRequest } from '../http-request.ts'
import { createRouter } from '../router.ts'
import { rawHttp } from './raw-http.ts'

export const forms = ['problem', 'acp', 'jsonrpc'] as const
export const seen: HttpRequest[] = []
export const failures: unknown[] = []

/** A failure that a retry may resolve. */
class TemporaryFailure extends Error {}

export const endpoints: Endpoint[] = forms.flatMap(form => [
  {
    path: `/${form}`,
    methods: ['GET', 'POST'],
    errorFormat: form,
    async answer(request) {
      seen.push(request)
      if (request.method !== 'POST') return Response.json({ version: request.version })
      return Response.json({ bytes: (await request.body()).length })
    },
  },
  {
    path: `/${form}/things/:id`,
    methods: ['GET'],
    errorFormat: form,
    answer: ({ params }) => Response.json(params),
  },
  {
    path: `/${form}/breaks`,
    methods: ['GET'],
    errorFormat: form,
    answer() {
      throw new TypeError('a secret of ours')
    },
  },
  {
    path: `/${form}/waits`,
    methods: ['GET'],
    errorFormat: form,
    answer() {
      throw new TemporaryFailure('a secret of ours')
    },
  },
  {
    path: `/${form}/refuses`,
    methods: ['GET'],
    errorFormat: form,
    answer() {
      throw new Problem('not_found', { detail: 'Not there.', members: { see: ['/x'] } })
    },
  },
])

export type TestGroup = Partial<Omit<GroupSettings, 'limiter' | 'bodyLimits'>> & {
  /** The quota per address and minute. */
  requests?: number
  bodyMilliseconds?: number
}

export function testGroup({ requests = 1000, bodyMilliseconds, ...settings }: TestGroup = {}) {
  const versions = settings.versions ?? ([{ version: '2026-08-23' }] as const)
  const policy = { policy: 'default', quota: requests, window: 60 }
  return createEndpointGroup({
    endpoints,
    headers: 'site',
    surface: 'site',
    base: '',
    bodyLimits: {
      bytesMax: 65_536,
      depthMax: 32,
      takesJsonSuffix: true,
      milliseconds: bodyMilliseconds ?? 10_000,
    },
    versions,
    version: versions[0].version,
    policy,
    limiter: createRateLimiter('site', policy),
    onError: failure => void failures.push(failure),
    isUnavailable: failure => failure instanceof TemporaryFailure,
    ...settings,
  })
}

/** A router with one group. Tests pass each request's peer address. */
export function testRouter(
  group: EndpointGroup,
  fallback: (request: HttpRequest) => Promise<Response> | Response = () =>
    new Response('the site', { status: 404 }),
) {
  const lines: AnsweredRequest[] = []
  const thrown: unknown[] = []
  const reader = addressReader([])
  const addresses = new WeakMap<Request, string | null>()
  const route = createRouter({
    groups: [group],
    fallback,
    isAllowedHost: () => true,
    addressOf: (peer, forwarded) => (peer === undefined ? null : reader(peer, forwarded)),
    newRequestId: () => 'req_1',
    base: 'https://api.example.com',
    log: { request: line => void lines.push(line) },
    onError: failure => void thrown.push(failure),
  })
  const enter = async (request: Request, { address = '192.0.2.1' as string | null } = {}) => {
    const { url } = request
    // Like a proxy that terminates TLS, passes an http: URL to the router.
    const plain = url.startsWith('https:') ? new Request(`http:${url.slice(6)}`, request) : request
    addresses.set(plain, address)
    const answer = await route(plain, {
      requestIP: peerRequest => {
        const peer = addresses.get(peerRequest) ?? null
        return peer === null ? null : { address: peer }
      },
    })
    if (thrown.length > 0) throw thrown.pop()
    return answer
  }
  return { enter, route, lines }
}

/** A router on a free port, with real connections. */
export function serve(settings: TestGroup = {}) {
  const { enter, route, lines } = testRouter(testGroup(settings))
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: route })
  afterAll(() => server.stop(true))
  const port = server.port ?? 0
  const call = (path: string, init?: RequestInit) => fetch(`http://127.0.0.1:${port}${path}`, init)
  return { enter, call, lines, port, raw: rawHttp(port) }
}

/** Expects one refusal in the given error format. */
export async function expectRefusal(form: (typeof forms)[number], answer: Response, code: string) {
  const body = await answer.json()
  if (form === 'problem') {
    expect(answer.headers.get('content-type')).toBe('application/problem+json')
    expect(body).toMatchObject({ type: `/problems/${code}`, status: answer.status, code })
    for (const member of ['title', 'detail', 'hint']) expect(body[member]).toBeString()
  } else if (form === 'acp') {
    expect(answer.headers.get('content-type')).toBe('application/json')
    expect(body).toMatchObject({ code, type: expect.any(String), message: expect.any(String) })
    expect(body.messages).toEqual([
      expect.objectContaining({ type: 'error', code: expect.any(String), content_type: 'plain' }),
    ])
  } else {
    expect(answer.headers.get('content-type')).toBe('application/json')
    const error = { code: expect.any(Number), message: expect.any(String) }
    expect(body).toMatchObject({ jsonrpc: '2.0', id: null, error: { ...error, data: { code } } })
  }
  return body
}
