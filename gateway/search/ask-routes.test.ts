import { describe, expect, test } from 'bun:test'
import { sampleBuild, sampleContent } from '../testing/content.ts'
import { writeSampleSite } from '../testing/site.ts'

const build = sampleBuild(writeSampleSite())
const route = sampleContent({ build: () => build })

async function get(query: string, method = 'GET'): Promise<Response> {
  return route(new Request(`http://localhost/ask${query}`, { method }))
}

async function post(body: BodyInit, type: string | null = 'application/json'): Promise<Response> {
  const request = new Request('http://localhost/ask', { method: 'POST', body })
  if (type === null) request.headers.delete('content-type')
  else request.headers.set('content-type', type)
  return route(request)
}

async function problem(answer: Response, status: number, code: string): Promise<unknown> {
  expect(answer.status).toBe(status)
  expect(answer.headers.get('content-type')).toBe('application/problem+json')
  expect(answer.headers.get('api-version')).toBe('2026-08-23')
  const body: unknown = await answer.json()
  expect(body).toEqual(
    expect.objectContaining({
      type: `/problems/${code}`,
      title: expect.any(String),
      status,
      detail: expect.any(String),
      code,
      hint: expect.any(String),
    }),
  )
  return body
}

describe('/ask: 200', () => {
  test('returns ranked links in NLWeb’s format', async () => {
    const answer = await get('?query=how+do+webhooks+work')
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('application/json')
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.headers.get('api-version')).toBe('2026-08-23')
    const url = 'https://example.com/blog/webhooks'
    expect(await answer.json()).toMatchObject({
      _meta: { response_type: 'answer', version: '0.55' },
      query_id: expect.stringMatching(/^q_[0-9a-f]{12}$/),
      results: [
        {
          '@type': 'Article',
          '@id': url,
          url,
          name: 'Webhooks you can trust',
          description: 'About Webhooks you can trust.',
          site: 'example.com',
          score: expect.any(Number),
          grounding: { source_urls: [url] },
        },
        { url: 'https://example.com/blog/polling' },
      ],
    })
  })

  test('equal questions get identical bytes, by GET or POST', async () => {
    const first = await (await get('?query=how%20do%20webhooks%20work')).text()
    for (let time = 0; time < 10; time++) {
      expect(await (await get('?query=how+do+webhooks+work')).text()).toBe(first)
    }
    const query = 'how do webhooks work'
    expect(await (await post(JSON.stringify({ query }))).text()).toBe(first)
    expect(await (await post(JSON.stringify({ query: { text: query } }))).text()).toBe(first)
    const more = { query, prefer: { mode: 'list' }, unknown: 1, prev: [], site: 'example.com' }
    expect(await (await post(JSON.stringify(more))).text()).toBe(first)
  })

  test('scores are below 100 and descending', async () => {
    const { results } = await (await get('?query=webhooks+events+cost')).json()
    const scores: number[] = results.map((result: { score: number }) => result.score)
    expect(scores.length).toBeGreaterThan(1)
    expect(scores).toEqual(scores.toSorted((one, other) => other - one))
    expect(scores.every(score => score > 0 && score < 100)).toBe(true)
  })

  test('accepts limit in the query, the body and num_results', async () => {
    const answers = [
      await get('?query=duplicate&limit=1'),
      await post('{"query":"duplicate","limit":1}'),
      await post('{"query":{"text":"duplicate","num_results":1}}'),
    ]
    for (const answer of answers) expect((await answer.json()).results).toHaveLength(1)
  })

  test('without a question, explains how to use the endpoint', async () => {
    for (const query of ['', '?', '?query=', '?query=+', '?q=x', '?streaming=false']) {
      const answer = await get(query)
      expect(answer.status).toBe(200)
      expect(await answer.json()).toMatchObject({
        results: [],
        usage: { get: expect.any(String), post: { path: '/ask' } },
      })
    }
  })

  test('a question without a match gets no results', async () => {
    expect((await (await get('?query=zzzzqqqq')).json()).results).toEqual([])
    expect((await get('?query=%ff%00%zz')).status).toBe(200)
  })

  test('accepts every JSON media type', async () => {
    for (const type of [
      'application/json; charset=utf-8',
      'APPLICATION/JSON',
      'application/ld+json',
    ]) {
      expect((await post('{"query":"duplicate"}', type)).status).toBe(200)
    }
  })
})

type Event = { event: string; data: Record<string, unknown> }

/** Parses server-sent events as a client does: blocks, fields, and JSON data. */
async function eventsOf(answer: Response): Promise<Event[]> {
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
  expect(answer.headers.get('ratelimit')).toMatch(/^"default";r=\d+;t=\d+$/)
  const blocks = (await answer.text()).split('\n\n')
  expect(blocks.pop()).toBe('')
  return blocks.map(block => {
    const [name = '', data = '', ...rest] = block.split('\n')
    expect([name.slice(0, 7), data.slice(0, 6), rest]).toEqual(['event: ', 'data: ', []])
    return { event: name.slice(7), data: JSON.parse(data.slice(6)) }
  })
}

describe('/ask: 200 as events', () => {
  const query = 'how do webhooks work'
  const queryString = `?query=${query.replaceAll(' ', '+')}`

  test('sends the JSON response’s items in the same order', async () => {
    const { results, query_id, _meta } = await (await get(queryString)).json()
    const events = await eventsOf(await get(`${queryString}&streaming=true`))
    expect(events.map(({ event }) => event)).toEqual(['start', 'result', 'result', 'complete'])
    expect(events[0]?.data).toEqual({ _meta: { ..._meta, streaming: true }, query_id })
    const items = events.filter(({ event }) => event === 'result')
    expect(items.map(({ data }) => data['item'])).toEqual(results)
    expect(items.flatMap(({ data }) => data['results'])).toEqual(results)
    expect(items.map(({ data }) => data['index'])).toEqual([0, 1])
    expect(events.at(-1)?.data).toEqual({ _meta, query_id })
  })

  test('equal questions get identical bytes, however a stream is requested', async () => {
    const first = await (await get(`${queryString}&streaming=true`)).text()
    const bodies = [
      { query, prefer: { streaming: true } },
      { query: { text: query }, prefer: { streaming: true, mode: 'list' } },
      { query, streaming: true },
    ]
    for (const body of bodies) {
      expect(await (await post(JSON.stringify(body))).text()).toBe(first)
    }
    const accept = { headers: { accept: 'text/event-stream' } }
    const streamed = await route(new Request(`http://localhost/ask${queryString}`, accept))
    expect(await streamed.text()).toBe(first)
  })

  test('sends JSON if streaming is declined or JSON is accepted', async () => {
    const whole = await (await get(queryString)).text()
    const declined = { query, streaming: true, prefer: { streaming: false } }
    expect(await (await post(JSON.stringify(declined))).text()).toBe(whole)
    for (const accept of ['application/json, text/event-stream', 'text/event-stream;q=0, */*']) {
      const request = new Request(`http://localhost/ask${queryString}`, { headers: { accept } })
      expect(await (await route(request)).text()).toBe(whole)
    }
  })

  test('without a question, sends a usage event', async () => {
    const events = await eventsOf(await get('?streaming=true'))
    expect(events.map(({ event }) => event)).toEqual(['start', 'usage', 'complete'])
    expect(events[1]?.data).toMatchObject({ results: [], usage: { get: expect.any(String) } })
  })

  test('an error is a problem document', async () => {
    await problem(await get('?query=duplicate&limit=0&streaming=true'), 400, 'invalid_request')
  })
})

describe('/ask: 400', () => {
  test('a body without a question', async () => {
    const bodies = ['', '{', '[]', 'null', '"query"', '1', '{}', '{"query":""}', '{"query":"  "}']
    const wrong = ['{"query":1}', '{"query":null}', '{"query":["a"]}', '{"query":{}}']
    for (const body of [...bodies, ...wrong, '{"query":{"text":7}}']) {
      await problem(await post(body), 400, 'invalid_request')
    }
    await problem(await post(new Uint8Array([0x7b, 0xff, 0x7d])), 400, 'invalid_request')
    const deep = `{"query":${'['.repeat(32)}${']'.repeat(32)}}`
    for (const body of [deep, '['.repeat(60_000), '{"query":"a","query":"b"}']) {
      await problem(await post(body), 400, 'invalid_request')
    }
    expect(await problem(await post(''), 400, 'invalid_request')).toMatchObject({
      errors: [{ code: 'invalid_json', message: 'The body must not be empty.' }],
    })
  })

  test('a question of 501 characters', async () => {
    expect((await get(`?query=${'a'.repeat(500)}`)).status).toBe(200)
    await problem(await get(`?query=${'a'.repeat(501)}`), 400, 'invalid_request')
    await problem(await post(JSON.stringify({ query: 'a'.repeat(501) })), 400, 'invalid_request')
  })

  test('a limit outside 1 to 50', async () => {
    for (const limit of ['0', '51', 'x', '-1', '1.5', '', '1e1', '0x5']) {
      await problem(await get(`?query=duplicate&limit=${limit}`), 400, 'invalid_request')
    }
    for (const limit of ['0', '51', '1.5', 'null', 'true', '[5]', '{}', '1e99']) {
      await problem(await post(`{"query":"duplicate","limit":${limit}}`), 400, 'invalid_request')
    }
  })
})

describe('/ask: 405', () => {
  test('lists the allowed methods', async () => {
    for (const method of ['PUT', 'DELETE', 'PATCH']) {
      const answer = await get('?query=duplicate', method)
      expect(answer.headers.get('allow')).toBe('GET, HEAD, OPTIONS, POST')
      await problem(answer, 405, 'method_not_allowed')
    }
  })
})

describe('/ask: 413', () => {
  test('a body over 64 KiB, declared or streamed', async () => {
    const query = JSON.stringify({ query: 'duplicate', pad: '' })
    const fitting = query.replace('""', JSON.stringify('x'.repeat(65_536 - query.length)))
    expect(fitting).toHaveLength(65_536)
    expect((await post(fitting)).status).toBe(200)
    expect(await problem(await post(`${fitting} `), 413, 'payload_too_large')).toMatchObject({
      limit_bytes: 65_536,
    })
  })

  test('stops reading an endless stream', async () => {
    let sent = 0
    let cancelled = false
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent++
        controller.enqueue(new Uint8Array(1024))
      },
      cancel() {
        cancelled = true
      },
    })
    await problem(await post(endless), 413, 'payload_too_large')
    expect(sent).toBeLessThan(100)
    expect(cancelled).toBe(true)
  })
})

describe('/ask: 415', () => {
  test('a body that is not sent as JSON', async () => {
    for (const type of [
      null,
      'text/plain',
      'application/x-www-form-urlencoded',
      'application/jsonx',
    ]) {
      const answer = await post('{"query":"duplicate"}', type)
      expect(answer.headers.get('accept-post')).toBe('application/json')
      await problem(answer, 415, 'unsupported_media_type')
    }
  })
})
