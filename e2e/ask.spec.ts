// /ask answers questions with ranked links, in a stable order.
import { expect, test } from '@playwright/test'
import { article, pathOf } from './servers.ts'

const question = 'how do webhooks work'

type Link = { url: string; name: string; score: number }

const linksIn = (body: { results: Link[] }) => body.results

test('/ask: relevant pages come first, and every link leads to a page', async ({ request }) => {
  const answer = await request.get('/ask', { params: { query: question } })
  expect([answer.status(), answer.headers()['content-type']]).toEqual([200, 'application/json'])
  const links = linksIn(await answer.json())
  const paths = links.map(({ url }) => pathOf(url))
  expect(paths[0]).toContain('webhooks')
  expect(paths.slice(0, 3)).toContain(article)
  const scores = links.map(({ score }) => score)
  expect(scores).toEqual(scores.toSorted((one, other) => other - one))
  for (const { url } of links) expect((await request.get(pathOf(url))).status(), url).toBe(200)
})

test('/ask: the same question returns the same bytes, ten times, by GET and by POST', async ({
  request,
}) => {
  const ask = () => request.get('/ask', { params: { query: question } })
  const post = () => request.post('/ask', { data: { query: question } })
  const all = await Promise.all([...Array.from({ length: 10 }, ask), post()])
  const bodies = await Promise.all(all.map(answer => answer.text()))
  expect(new Set(bodies).size).toBe(1)
})

test('/ask: without a question it explains how to ask', async ({ request }) => {
  const answer = await request.get('/ask')
  expect(answer.status()).toBe(200)
  expect(await answer.json()).toMatchObject({ results: [], usage: { get: /^\/ask\?query=/ } })
})

test('/ask: an unreadable question is refused with instructions', async ({ request }) => {
  const refused = await Promise.all([
    request.get('/ask', { params: { query: question, limit: 0 } }),
    request.get('/ask', { params: { query: question, limit: 51 } }),
    request.get('/ask', { params: { query: question, limit: 'x' } }),
    request.get('/ask', { params: { query: 'w'.repeat(501) } }),
    request.post('/ask', { data: { query: 7 } }),
  ])
  for (const answer of refused) {
    expect(answer.status()).toBe(400)
    expect(answer.headers()['content-type']).toMatch(/^application\/problem\+json/)
    expect(await answer.json()).toMatchObject({
      code: 'invalid_request',
      hint: expect.any(String),
    })
  }
  const deleted = await request.delete('/ask')
  expect([deleted.status(), deleted.headers()['allow']]).toEqual([405, 'GET, HEAD, OPTIONS, POST'])
})

test('WebMCP: a browser that supports it gets the search and the forms as tools', async ({
  page,
}) => {
  type Tool = { name: string; execute(input: object): Promise<{ content: { text: string }[] }> }
  type WithTools = { tools: Tool[] }
  await page.addInitScript(() => {
    const tools: unknown[] = []
    const modelContext = { registerTool: (tool: unknown) => void tools.push(tool) }
    Object.assign(document, { modelContext, tools })
  })
  await page.goto('/pricing')
  await page.waitForFunction(() => (document as unknown as WithTools).tools.length === 1)
  const [name, text] = await page.evaluate(async query => {
    const [tool] = (document as unknown as WithTools).tools
    return [tool?.name, (await tool?.execute({ query }))?.content[0]?.text]
  }, question)
  expect(name).toBe('search_pages')
  expect(text).toContain(article)
  await page.goto('/search')
  await expect(page.locator('form[toolname=search_site] input[toolparamdescription]')).toHaveCount(
    1,
  )
})
