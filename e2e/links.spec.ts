// Links on a laptop: the server has no public address, so its responses link to the host name and
// port of the request. Files always use localhost, so their bytes don't vary.
import { expect, test } from '@playwright/test'
import { server } from './servers.ts'

test('links: use the host name that the request used', async () => {
  const { url, auth, mcp, portal } = server()
  const without = (text: string, origins: string[]) =>
    origins.reduce((left, each) => left.replaceAll(each, ''), text)
  const origin = url.replace('localhost', '127.0.0.1')
  for (const page of ['/ask?query=webhooks', '/api/articles', '/openapi/v1.json']) {
    // The authorization server is another origin, whose name clients compare byte by byte.
    const text = without(await (await fetch(origin + page)).text(), [auth])
    const found = text.match(/https?:\/\/(example\.com|localhost|127\.0\.0\.1)(:\d+)?/g) ?? []
    expect([page, ...new Set(found)]).toEqual([page, origin])
  }
  for (const file of ['/llms.txt', '/sitemap.xml', '/pricing', '/.well-known/ai-catalog.json']) {
    // The catalog contains the tool server's card, and pages link to sign-in and sign-up.
    const others = [new URL(mcp).origin, auth, portal]
    const text = without(await (await fetch(origin + file)).text(), others)
    const found = text.match(/https?:\/\/(example\.com|localhost|127\.0\.0\.1)(:\d+)?/g) ?? []
    expect([file, ...new Set(found)]).toEqual([file, url])
  }
  const refused = await fetch(`${origin}/v1/organization`)
  expect(refused.headers.get('www-authenticate')).toContain(`"${origin}/.well-known/`)
  const found: { results: { url: string }[] } = await (
    await fetch(`${origin}/ask?query=webhooks`)
  ).json()
  const answers = await Promise.all(found.results.map(result => fetch(result.url)))
  expect(answers.length).toBeGreaterThan(3)
  expect(answers.filter(answer => answer.status !== 200).map(answer => answer.url)).toEqual([])
})
