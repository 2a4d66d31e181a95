// A laptop has no public URL. Without BASE_URL, every link in every file and response leads to the
// server itself, and digests, ranges and signatures match the served bytes.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import path from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { AgentCard, verifyAgentCardSignature } from '@a2a-js/sdk'
import { flattenedVerify, type JWK } from 'jose'
import company from '#content/site.config.ts'
import { linksTo } from '#http/origins/requested-origin.ts'
import { isText, mediaType, readRedirects, readSite } from '#gateway/static/files.ts'
import { layOut } from '#gateway/static/layout.ts'
import {
  cardPaths,
  jwksPath,
  signaturePathOf,
  signedCatalogs,
} from '#gateway/static/signed-paths.ts'
import { type Installation, openInstallation } from './testing/installation.ts'

const dist = path.join(import.meta.dir, '../site/dist')
const published = linksTo(company.site, company.api)
let installation: Installation
let base = ''

beforeAll(async () => {
  installation = await openInstallation({ SITE_RATE_LIMIT_REQUESTS: '10000000' })
  base = `http://localhost:${installation.serving.port}`
}, 120_000)
afterAll(() => installation.close(), 60_000)

const get = (at: string, headers: Record<string, string> = {}) =>
  fetch(new URL(at, base), { headers: { 'accept-encoding': 'identity', ...headers } })
const textAt = async (at: string, headers: Record<string, string> = {}) =>
  (await get(at, headers)).text()

/** Every path in the build with its file's media type, once for each format of a page. */
function builtForms(): [at: string, accept: string][] {
  const { rows } = layOut(readSite(dist), readRedirects(dist))
  return [...rows].flatMap(([at, row]): [string, string][] => {
    if (row.kind === 'moved') return []
    const files = row.kind === 'file' ? [row.only] : [row.html, row.markdown]
    const types = files.map(({ file }) => mediaType(file.path)).filter(isText)
    return types.map(type => [encodeURI(at), type.split(';', 1)[0] ?? ''])
  })
}

const rpc = (method: string, params: object) => ({ jsonrpc: '2.0', id: 1, method, params })
const tool = (name: string, given: object) => rpc('tools/call', { name, arguments: given })
const posted: [at: string, body: object][] = [
  ['/mcp', rpc('tools/list', {})],
  ['/mcp', tool('get_overview', {})],
  ['/mcp', tool('get_pricing', {})],
  ['/mcp', tool('list_articles', {})],
  ['/mcp', tool('get_article', { slug: 'webhooks-you-can-trust' })],
  ['/mcp', tool('list_comparisons', {})],
  ['/docs/mcp', tool('list_articles', {})],
  ['/ask', { query: { text: 'How do webhooks work?' } }],
  ['/api/acp/checkout_sessions', { line_items: [{ id: 'discovery-call' }] }],
]
const asked = [
  '/ask?query=webhooks',
  '/ask?query=webhooks&mode=summarize',
  '/search?q=webhooks',
  '/api/articles',
  '/api/comparisons',
  '/api/health',
  '/api/status',
  '/status',
  '/booking/times',
  '/openapi/v1.json',
  '/openapi/v1.yaml',
  '/openapi/preview.json',
  '/openapi/preview.yaml',
  '/postman/collection.json',
  '/postman/environment.sandbox.json',
  '/.well-known/oauth-protected-resource',
  '/no-such-page',
  '/blog/no-such-article.md',
  '/v1/organization',
]

/** Every text that the server returns, by request. */
async function everyAnswer(): Promise<Map<string, string>> {
  const answers = new Map<string, string>()
  for (const [at, accept] of builtForms()) {
    answers.set(`${at} ${accept}`, await textAt(at, { accept }))
  }
  for (const at of asked) answers.set(at, await textAt(at))
  for (const [at, body] of posted) {
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    }
    const answer = await fetch(base + at, { method: 'POST', headers, body: JSON.stringify(body) })
    answers.set(`${at} ${JSON.stringify(body)}`, await answer.text())
  }
  return answers
}

let answers = new Map<string, string>()
test('local links: no response leads to the public URLs', async () => {
  answers = await everyAnswer()
  expect(answers.size).toBeGreaterThan(500)
  const leading = [...answers].flatMap(([name, text]) => {
    const [found] = text.match(published) ?? []
    return found === undefined ? [] : [name]
  })
  expect(leading).toEqual([])
}, 120_000)

/** URLs that aren't pages to open, each with the status of a GET. */
const notFollowed: Readonly<Record<string, [status: number, reason: string]>> = {
  '/mcp': [405, 'accepts only POST'],
  '/docs/mcp': [405, 'accepts only POST'],
  '/api/a2a': [405, 'accepts only POST'],
  '/api/acp/checkout_sessions': [405, 'accepts only POST'],
  '/api/acp': [404, 'a prefix of the checkout URLs'],
  '/v1': [404, 'a prefix of the clinical API URLs'],
  '/v1/organization': [401, 'requires a credential'],
  '/preview/requests': [401, 'requires a credential'],
  '/documents/Wm9vbSBpbg': [404, 'an example of an expiring link'],
  '/404': [404, 'the page for this status'],
}
const anExport = /^\/v1\/exports\/exp_\w{26}\/download$/

test('local links: each URL responds', async () => {
  const addresses = new Set<string>()
  for (const text of answers.values()) {
    const plain = text.replaceAll('<wbr>', '')
    for (const [found] of plain.matchAll(/http:\/\/localhost:\d+(?!\d)[\w\-./~%@+:]*/g)) {
      if (found.startsWith(base)) addresses.add(found.replace(/[.:]+$/, ''))
    }
  }
  expect(addresses.size).toBeGreaterThan(400)
  const wrong: [string, number][] = []
  for (const address of addresses) {
    const at = address.slice(base.length)
    const { status } = await get(address)
    const [expected] = anExport.test(at) ? [401] : (notFollowed[at] ?? [200])
    if (status !== expected) wrong.push([at, status])
  }
  expect(wrong).toEqual([])
}, 120_000)

const bytesAt = async (at: string, headers: Record<string, string> = {}) =>
  (await get(at, headers)).bytes()
const digestOf = (bytes: Uint8Array) =>
  `sha256:${new Bun.CryptoHasher('sha256').update(bytes).digest('hex')}`

test('local links: a digest matches the served file', async () => {
  const { skills } = await (await get('/.well-known/agent-skills/index.json')).json()
  const { changes } = await (await get('/changes.json')).json()
  const { index } = await (await get('/catalog/quality.json')).json()
  const stated: [at: string, digest: string][] = [
    ['/catalog/search.json', index],
    ...skills.map(({ url, digest }: Record<string, string>) => [url, digest]),
    ...changes.map(({ page, new_hash }: Record<string, string>) => [page, new_hash]),
  ]
  expect(stated.length).toBeGreaterThan(200)
  for (const [at, digest] of stated) {
    const bytes = await bytesAt(at, { accept: 'text/markdown, */*;q=0.1' })
    expect([at, digestOf(bytes)]).toEqual([at, digest])
  }
})

test('local links: llms-full.txt lists each text’s bytes', async () => {
  const whole = await bytesAt('/llms-full.txt')
  const listed = [
    ...new TextDecoder().decode(whole).matchAll(/^- (.+): (http:\S+) \(bytes (\d+)-(\d+)\)$/gm),
  ]
  expect(listed.length).toBeGreaterThan(20)
  let end = Number(listed[0]?.[3]) - 3
  for (const [, title = '', url = '', first = '', last = ''] of listed) {
    const answer = await get('/llms-full.txt', { range: `bytes=${first}-${last}` })
    const text = await answer.text()
    expect([answer.status, text]).toEqual([206, text.trim()])
    expect(text).toStartWith(`# ${title}\n\nSource: ${url}\n`)
    expect(Number(first)).toBe(end + 3)
    end = Number(last)
  }
  expect(end).toBe(whole.length - 2)
})

test('local links: a file has the same bytes in each encoding and at each name', async () => {
  const decode = { br: brotliDecompressSync, gzip: gunzipSync }
  const elsewhere = base.replace('localhost', '127.0.0.1')
  for (const at of ['/llms.txt', '/pricing', '/catalog/articles.json', '/changes.json']) {
    const plain = await get(at)
    const { etag, 'content-length': length } = (await get(at)).headers.toJSON()
    const bytes = await plain.bytes()
    expect(length).toBe(String(bytes.length))
    const other = await fetch(elsewhere + at, { headers: { 'accept-encoding': 'identity' } })
    expect(other.headers.get('etag')).toBe(etag ?? '')
    expect(digestOf(await other.bytes())).toBe(digestOf(bytes))
    for (const [coding, decoded] of Object.entries(decode)) {
      const coded = await fetch(base + at, {
        headers: { 'accept-encoding': coding },
        decompress: false,
      })
      expect([at, coded.headers.get('content-encoding')]).toEqual([at, coding])
      expect(digestOf(decoded(await coded.bytes()))).toBe(digestOf(bytes))
    }
  }
})

test('local links: the signatures match the served files and the served keys', async () => {
  const jwks = `${base}${jwksPath}`
  const { keys }: { keys: JWK[] } = await (await fetch(jwks)).json()
  const keyOf = (kid: string | undefined) => {
    const key = keys.find(each => each.kid === kid)
    if (key === undefined) throw new Error(`${kid} is not published`)
    return key
  }
  const verify = verifyAgentCardSignature(async (kid, jku) => {
    expect(jku).toBe(jwks)
    return keyOf(kid)
  })
  for (const at of cardPaths) await verify(AgentCard.fromJSON(await (await get(at)).json()))
  for (const at of signedCatalogs) {
    const [head = '', , signature = ''] = (await textAt(signaturePathOf(at))).trim().split('.')
    const payload = Buffer.from(await bytesAt(at)).toString('base64url')
    const read = JSON.parse(Buffer.from(head, 'base64url').toString())
    expect(read.jku).toBe(jwks)
    await flattenedVerify({ protected: head, payload, signature }, keyOf(read.kid))
  }
})
