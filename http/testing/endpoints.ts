// Surfaces of each form behind the real door, on a free port, for its tests.
import { afterAll, expect } from 'bun:test'
import type { Visit } from '#clinical/pipeline/http.ts'
import { PoolTimeout } from '#database/pool.ts'
import { addressReader } from '../client-address.ts'
import {
  type EndpointCall,
  type EndpointRouterOptions,
  createEndpointRouter,
  refuse,
  type Endpoint,
} from '../endpoint-router.ts'
import { openQuota } from '../quota.ts'
import { rawHttp } from './raw-http.ts'

export const forms = ['problem', 'acp', 'jsonrpc'] as const
export const seen: EndpointCall[] = []
export const failures: unknown[] = []

export const endpoints: Endpoint[] = forms.flatMap(form => [
  {
    path: `/${form}`,
    methods: ['GET', 'POST'],
    form,
    async answer(call) {
      seen.push(call)
      if (call.request.method !== 'POST') return Response.json({ version: call.version })
      return Response.json({ bytes: (await call.body()).length })
    },
  },
  {
    path: `/${form}/things/:id`,
    methods: ['GET'],
    form,
    answer: ({ params }) => Response.json(params),
  },
  {
    path: `/${form}/breaks`,
    methods: ['GET'],
    form,
    answer() {
      throw new TypeError('a secret of ours')
    },
  },
  {
    path: `/${form}/waits`,
    methods: ['GET'],
    form,
    answer() {
      throw new PoolTimeout('a secret of ours')
    },
  },
  {
    path: `/${form}/refuses`,
    methods: ['GET'],
    form,
    answer() {
      throw refuse('not_found', { detail: 'Not there.', members: { see: ['/x'] } })
    },
  },
])

const trusting = addressReader([])

/** A door on a free port, with the addresses of real connections. */
export function serve(parts: Partial<EndpointRouterOptions> = {}) {
  const endpointRouter = createEndpointRouter({
    endpoints,
    quota: openQuota({ requests: 1000 }),
    onError: failure => void failures.push(failure),
    ...parts,
  })
  const notes: Record<string, string>[] = []
  const enter = async (request: Request, visit: Partial<Visit> = {}) => {
    const found = endpointRouter.find(new URL(request.url).pathname)
    if (found === undefined) return new Response('the site', { status: 404 })
    const note = (fields: Readonly<Record<string, string>>) => void notes.push(fields)
    return endpointRouter.answer(found, request, {
      id: 'req_1',
      address: '192.0.2.1',
      note,
      ...visit,
    })
  }
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: (request, peers) =>
      enter(request, {
        address: trusting(
          peers.requestIP(request)?.address,
          request.headers.get('x-forwarded-for'),
        ),
      }),
  })
  afterAll(() => server.stop(true))
  const port = server.port ?? 0
  const call = (path: string, init?: RequestInit) => fetch(`http://127.0.0.1:${port}${path}`, init)
  return { enter, call, notes, port, raw: rawHttp(port) }
}

/** What each form must hold of one refusal. */
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
