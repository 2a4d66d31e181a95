import { describe, expect, test } from 'bun:test'
import { Problem } from '#contract/problems.ts'
import type { Endpoint } from './endpoint.ts'
import type { Versions } from './versions.ts'
import { expectRefusal, serve, endpoints } from './testing/endpoints.ts'

describe('versions', () => {
  /** A fictional history: the first version had a field `old_name` and a parameter `q`. */
  const versions: Versions = [
    { version: '2026-08-23' },
    {
      version: '2026-05-01',
      ends: { deprecated: '2026-08-23T00:00:00Z', sunset: '2026-12-01T00:00:00Z' },
    },
    {
      version: '2026-01-15',
      ends: { deprecated: '2026-05-01T00:00:00Z', sunset: '2026-11-30T00:00:00Z' },
    },
  ]
  const thing: Endpoint = {
    path: '/thing',
    methods: ['GET', 'POST'],
    errorFormat: 'problem',
    async answer(request) {
      const { url, version } = request
      if (url.searchParams.get('query') === 'none')
        throw new Problem('not_found', { detail: 'None.' })
      const sent =
        request.method === 'POST' ? JSON.parse(Buffer.from(await request.body()).toString()) : {}
      return Response.json({ new_name: url.searchParams.get('query'), sent, version })
    },
  }
  const renamed = (from: string, to: string) => (value: unknown) =>
    JSON.parse(JSON.stringify(value).replaceAll(`"${from}":`, `"${to}":`))
  const { call } = serve({
    endpoints: [thing, ...endpoints],
    versions,
    changes: [
      {
        version: '2026-08-23',
        path: '/thing',
        query: before => new URLSearchParams(before.toString().replace(/^q=/, 'query=')),
        body: renamed('middle', 'new'),
        answer: renamed('new_name', 'middle_name'),
      },
      {
        version: '2026-05-01',
        path: '/thing',
        body: renamed('old', 'middle'),
        answer: renamed('middle_name', 'old_name'),
      },
    ],
  })
  const pin = (version: string, init: RequestInit = {}) => ({
    ...init,
    headers: { 'api-version': version },
  })

  test('the newest version serves unpinned requests and requests that pin it', async () => {
    for (const init of [{}, pin('2026-08-23'), pin(' 2026-08-23 ')]) {
      const answer = await call('/thing?query=a', init)
      expect(answer.headers.get('api-version')).toBe('2026-08-23')
      expect(answer.headers.has('deprecation')).toBe(false)
      expect(await answer.json()).toMatchObject({ new_name: 'a' })
    }
  })

  test('requests and responses in earlier versions are converted change by change', async () => {
    const middle = await call(
      '/thing?q=a',
      pin('2026-05-01', { method: 'POST', body: '{"middle":1}' }),
    )
    expect(await middle.json()).toMatchObject({ middle_name: 'a', sent: { new: 1 } })
    const first = await call('/thing?q=a', pin('2026-01-15', { method: 'POST', body: '{"old":1}' }))
    expect(await first.json()).toMatchObject({ old_name: 'a', sent: { new: 1 } })
    expect(first.headers.get('content-length')).not.toBeNull()
    const none = await call('/thing?q=none', pin('2026-01-15'))
    expect([none.status, (await none.json()).code]).toEqual([404, 'not_found'])
  })

  test('a deprecated version has Deprecation, Sunset and Link headers', async () => {
    const { headers } = await call('/thing?q=a', pin('2026-05-01'))
    expect(headers.get('api-version')).toBe('2026-05-01')
    expect(headers.get('deprecation')).toBe(`@${Date.UTC(2026, 7, 23) / 1000}`)
    expect(headers.get('sunset')).toBe('Tue, 01 Dec 2026 00:00:00 GMT')
    expect(headers.get('link')).toMatch(/rel="deprecation".*rel="sunset".*rel="successor-version"/)
  })

  test.each(['2026-08-24', '2025-01-01', 'latest', '', '2026-08-23, 2026-08-23'])(
    'refuses the unknown version %p',
    async version => {
      for (const form of ['problem', 'jsonrpc'] as const) {
        const answer = await call(`/${form}`, pin(version))
        expect([answer.status, answer.headers.get('api-version')]).toEqual([400, '2026-08-23'])
        const body = await expectRefusal(form, answer, 'unsupported_api_version')
        expect(JSON.stringify(body)).toContain(
          '"supported_versions":["2026-08-23","2026-05-01","2026-01-15"]',
        )
      }
    },
  )

  test('ACP endpoints check their own versions, and can also pin a version of this API', async () => {
    const own = await call('/acp', pin('2026-04-17'))
    expect([own.status, own.headers.get('api-version')]).toEqual([200, '2026-08-23'])
    expect(await own.json()).toEqual({ version: '2026-08-23' })
    expect(await (await call('/acp', pin('2026-05-01'))).json()).toEqual({ version: '2026-05-01' })
  })

  test('ACP responses echo the client’s Request-Id; other responses have a new one', async () => {
    const headers = { 'request-id': 'mine-1' }
    expect((await call('/acp', { headers })).headers.get('request-id')).toBe('mine-1')
    for (const path of ['/problem', '/jsonrpc']) {
      expect((await call(path, { headers })).headers.get('request-id')).toBe('req_1')
    }
    const [longest, tooLong] = ['x'.repeat(257), 'x'.repeat(258)]
    for (const [sent, echoed] of [
      [longest, longest],
      [tooLong, 'req_1'],
      ['a\tb', 'req_1'],
    ] as const) {
      const answer = await call('/acp', { headers: { 'request-id': sent } })
      expect(answer.headers.get('request-id')).toBe(echoed)
    }
  })
})
