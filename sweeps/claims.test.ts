// Compares names and numbers in pages to the contract, the code and the benchmarks.
import { expect, test } from 'bun:test'
import { SQL } from 'bun'
import { modeSentences } from '#content/fill.ts'
import config from '#content/site.config.ts'
import { eventTypes } from '#contract/events.ts'
import { protocolVersions } from '#contract/mcp/servers.ts'
import { grantTypes, oauthPaths } from '#contract/oauth.ts'
import { testDatabase } from '#database/testing/database.ts'
import { codeOf, contentFiles, read } from './testing/pages.ts'

const words = (text: string) => text.replace(/\s+/g, ' ')
const texts = await Promise.all(contentFiles.map(read))

test('billing: guides state a visit’s default price', async () => {
  const database = await testDatabase()
  const owner = new SQL(database.url, { max: 1 })
  const [price] = await owner`
    select amount::int as amount, currency from billing.prices
     where kind = 'video_visit' and integration is null and organization is null`
  await owner.close()
  await database.close()
  const guide = await read('content/docs/billing.md')
  for (const named of [price.amount, price.currency]) expect(guide).toContain(`\`${named}\``)
  expect(await read('content/docs/visits.md')).toContain(`"amount": ${price.amount}`)
  const dollars = `${(price.amount / 100).toFixed(2)} ${price.currency}`
  expect(await read('content/pricing.json')).toContain(dollars)
})

test('oauth: the guide names the server’s grants and endpoints', async () => {
  const guide = words(await read('content/docs/oauth.md'))
  const asked = [...guide.matchAll(/\$AUTH(\/[\w./-]+)/g)].map(([, found]) => found)
  expect(asked.length).toBeGreaterThan(5)
  expect(Object.values(oauthPaths)).toEqual(expect.arrayContaining(asked))
  for (const grant of grantTypes) expect(guide).toContain(grant)
})

test('events: every page names events that exist', () => {
  const known = new Set(eventTypes.map(type => type.replace(/\.v1$/, '')))
  const parts = new Set([...known].flatMap(event => event.split('.')))
  const files = new Set(['ts', 'py'])
  const named = texts.flatMap((text, at) =>
    [...text.matchAll(/`(\w+)\.(\w+)(?:\.v\d+)?`/g)]
      .filter(([, resource = '', verb = '']) => parts.has(resource) || parts.has(verb))
      .filter(([, , verb = '']) => !files.has(verb))
      .map(([, resource, verb]) => [contentFiles[at], `${resource}.${verb}`] as const),
  )
  expect(named.length).toBeGreaterThan(80)
  expect(named.filter(([, event]) => !known.has(event))).toEqual([])
})

test('protocols: pages link to the newest revision that the tool servers support', () => {
  const pattern = /modelcontextprotocol\.io\/specification\/([^/)\s]+)/g
  const linked = texts.flatMap(text => [...text.matchAll(pattern)].map(([, day]) => day))
  expect(linked.length).toBeGreaterThan(3)
  expect([...new Set(linked)]).toEqual([protocolVersions[0]])
})

test('measurements: the article has the benchmarks’ numbers', async () => {
  const readme = words(await read('bench/README.md'))
  const row = (name: string) =>
    new RegExp(`\\| ${name} \\| ([\\d,]+) \\| ([\\d,]+) \\| ([\\d,]+) \\|`)
      .exec(readme)
      ?.slice(1) ?? []
  const [written = '', lost = '', shared = ''] = row("PostgreSQL's clock")
  expect(row("the tenant's clock")).toEqual([written, '0', '0'])
  const number = (text: string) => Number(text.replaceAll(',', ''))
  const received = (number(written) - number(lost)).toLocaleString('en-US')
  const article = words(await read('content/articles/poll-without-losing-events.md'))
  expect(article).toContain(`| ${written} | ${received} | ${lost} | ${shared} |`)
  expect(article).toContain(`| ${written} | ${written} | 0 | 0 |`)
})

test('live mode: the sentence about whether it’s open matches the configuration', () => {
  expect(modeSentences(null).modes).toBe('in test mode')
  expect(Object.values(modeSentences('2027-01-02')).join(' ')).not.toMatch(/not open|in test mode/)
  expect(config.liveSince === null || /^\d{4}-\d\d-\d\d$/.test(config.liveSince)).toBe(true)
})

test('video visits: no code records sound or picture', async () => {
  const code = await codeOf('{clinical,console,gateway,site}/**/*.{ts,tsx,js}')
  expect(code).toContain('getUserMedia')
  expect(code).not.toMatch(/MediaRecorder|enable_recording|startRecording|transcription/)
})
