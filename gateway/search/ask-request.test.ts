// NLWeb fields in a request to /ask: where they may appear, and which aren't supported.
import { describe, expect, test } from 'bun:test'
import { sampleBuild, sampleContent } from '../testing/content.ts'
import { writeSampleSite } from '../testing/site.ts'

const build = sampleBuild(writeSampleSite())
const route = sampleContent({ build: () => build })
const get = (query: string) => route(new Request(`http://localhost/ask${query}`))
const headers = { 'content-type': 'application/json' }
const post = (body: string, query = '') =>
  route(new Request(`http://localhost/ask${query}`, { method: 'POST', headers, body }))

describe('/ask: NLWeb', () => {
  test('POST accepts the question in the query string, with or without a body', async () => {
    const first = await (await get('?query=how+do+webhooks+work&limit=1')).text()
    for (const body of [undefined, '', '{}', '{"limit":1}']) {
      const question = '?query=how+do+webhooks+work&limit=1'
      const answer = await (body === undefined
        ? route(new Request(`http://localhost/ask${question}`, { method: 'POST' }))
        : post(body, question))
      expect([body, answer.status, await answer.text()]).toEqual([body, 200, first])
    }
    const other = await post('{"query":"how do webhooks work","limit":1}', '?query=duplicate')
    expect(await other.text(), 'the body counts first').toBe(first)
  })

  test('a decontextualized query replaces the question, and is reported', async () => {
    const whole = await (await get('?query=duplicate')).json()
    const bodies = [
      { query: 'and those?', decontextualized_query: 'duplicate' },
      { query: { text: 'and those?', decontextualized_query: 'duplicate' } },
    ]
    const answers = [
      await get('?query=and+those%3F&decontextualized_query=duplicate'),
      ...(await Promise.all(bodies.map(body => post(JSON.stringify(body))))),
    ]
    for (const answer of answers) {
      const { results, _meta } = await answer.json()
      expect(results).toEqual(whole.results)
      expect(_meta.decontextualized_query).toBe('duplicate')
    }
    const ignored = { query: 'duplicate', decontextualized_query: null }
    expect(await (await post(JSON.stringify(ignored))).json()).toEqual(whole)
  })

  test('mode summarize adds a summary before the first results', async () => {
    const { results } = await (await get('?query=webhooks')).json()
    for (const answer of [
      await get('?query=webhooks&mode=summarize'),
      await post('{"query":{"text":"webhooks"},"prefer":{"mode":"list, summarize"}}'),
    ]) {
      const [summary, ...pages] = (await answer.json()).results
      expect(pages).toEqual(results)
      expect(summary).toMatchObject({ '@type': 'SearchSummary', '@id': expect.any(String) })
      expect(summary.text).toStartWith(`${results[0].name}: ${results[0].description}`)
      expect(summary.grounding.source_urls[0]).toBe(results[0].url)
    }
    const [none] = (await (await get('?query=zzzzqqqq&mode=summarize')).json()).results
    expect(none.text).toBe('No page answers this question.')
  })

  test('reports unsupported features, in JSON and in events', async () => {
    const unserved: [string, object, RegExp][] = [
      ['prev=a,b', { prev: ['a'] }, /ignores prev/],
      ['prev=a', { context: { prev: ['a'] } }, /ignores prev/],
      ['site=other.example', { site: 'other.example' }, /^site must be example\.com/],
      ['site=a', { query: { text: 'webhooks', site: ['a'] } }, /^site must be example\.com/],
      ['mode=generate', { prefer: { mode: 'generate' } }, /^mode must be list or summarize/],
    ]
    const whole = await (await get('?query=webhooks')).json()
    expect(whole._meta).not.toHaveProperty('notes')
    for (const [parameter, body, note] of unserved) {
      const answers = [
        await get(`?query=webhooks&${parameter}`),
        await post(JSON.stringify({ query: 'webhooks', ...body })),
      ]
      for (const answer of answers) {
        const { _meta, results } = await answer.json()
        expect(_meta.notes).toEqual([expect.stringMatching(note)])
        expect(results).toEqual(whole.results)
      }
      const text = await (await get(`?query=webhooks&streaming=true&${parameter}`)).text()
      expect(text.split('"notes":')).toHaveLength(3)
    }
    for (const site of ['all', 'example.com', 'https://example.com']) {
      expect(await (await get(`?query=webhooks&site=${site}`)).json()).toEqual(whole)
    }
  })
})
