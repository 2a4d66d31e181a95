import { beforeAll, describe, expect, test } from 'bun:test'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import Ajv from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { siteTable } from '#contract/site/table.ts'
import vectors from '#contract/vectors/webhook-signatures.json'
import { say } from '#content/consent.ts'
import config from '#content/site.config.ts'
import { oauthPaths, resourceMetadataPath } from '#contract/oauth.ts'
import { buildSite } from './build/build.ts'
import { knownBlocks } from './src/blocks/expand.ts'
import { machineFiles } from './src/render/machine-files.ts'
import { servers } from './src/machine/tool-servers.ts'
import { listed } from '#contract/mcp/tool.ts'
import { blockNames } from '#content/paths.ts'

/** The discovery files, each checked against its standard. */
const dist = join(import.meta.dir, 'dist')
const read = (path: string) => Bun.file(join(dist, path)).text()
const json = async (path: string) => JSON.parse(await read(path))
let files = new Set<string>()

beforeAll(async () => {
  await buildSite(() => {})
  files = new Set(await readdir(dist, { recursive: true }))
}, 120_000)

/** The official schema, changed only so that validators can load it. */
const openapiSchema = '../node_modules/@seriousme/openapi-schema-validator/schemas/v3.1/schema.json'

async function faultsOf(schema: string, file: string): Promise<unknown> {
  const ajv = new Ajv({ strict: false, allErrors: true })
  addFormats(ajv)
  const check = ajv.compile(await Bun.file(join(import.meta.dir, schema)).json())
  return check(await json(file)) ? [] : check.errors
}

const served = new Set(Object.values(siteTable).map(row => row.path as string))
for (const page of ['/booking/times', '/search']) served.add(page)

/** Whether one of our URLs is a file in the build or is served by the gateway. */
function answers(address: string): boolean {
  const path = decodeURI(address.replace(config.site, '').replace(/[?#].*$/, '')).slice(1)
  const isContract = /^(openapi\/v1\.(json|yaml)|postman\/[a-z.]+\.json)$/.test(path)
  if (isContract || served.has(`/${path}`)) return true
  return path === '' || files.has(path) || files.has(`${path}.html`)
}

describe('official schemas', () => {
  test('openapi.json is OpenAPI 3.1 of the served version', async () => {
    expect(await faultsOf(openapiSchema, 'openapi.json')).toEqual([])
    expect((await json('openapi.json')).info.version).toBe('2026-08-23')
  })

  test('the ARD catalog is valid, and the AI Catalog has its version', async () => {
    expect(await faultsOf('standards/ai-catalog.json', '.well-known/ard.json')).toEqual([])
    const [ard, ai] = [
      await json('.well-known/ard.json'),
      await json('.well-known/ai-catalog.json'),
    ]
    expect(ai).toEqual({ ...ard, specVersion: '0.9' })
  })
})

describe('tool server cards', () => {
  for (const { path, name, cards, tools } of Object.values(servers)) {
    test(`${path}: valid, identical at each URL, and with the server’s tools`, async () => {
      for (const card of cards) {
        const file = card.slice(1)
        expect([file, await faultsOf('standards/mcp-server-card.json', file)]).toEqual([file, []])
        const found = await json(file)
        expect(found).toMatchObject({ name, serverInfo: { name }, endpoint: config.site + path })
        expect(found.description.length).toBeLessThanOrEqual(100)
        expect(found.tools).toEqual(tools.map(listed))
      }
    })
  }
})

test('API catalog: a linkset with absolute targets that respond', async () => {
  const { linkset } = await json('.well-known/api-catalog')
  expect(linkset.length).toBeGreaterThan(1)
  for (const { anchor, ...relations } of linkset) {
    expect(anchor).toMatch(/^https:\/\//)
    for (const targets of Object.values(relations)) {
      expect(Array.isArray(targets)).toBe(true)
      for (const { href } of targets as { href: string }[]) {
        const isOurs = href.startsWith(`${config.site}/`)
        expect([href, isOurs ? answers(href) : href.startsWith(config.api)]).toEqual([href, true])
      }
    }
  }
})

test('agent skills: each one exists and matches its digest', async () => {
  const { $schema, skills } = await json('.well-known/agent-skills/index.json')
  expect($schema).toBe('https://schemas.agentskills.io/discovery/0.2.0/schema.json')
  expect(skills.length).toBeGreaterThan(1)
  for (const { name, type, description, url, digest } of skills) {
    const bytes = await Bun.file(join(dist, url)).bytes()
    const hash = new Bun.CryptoHasher('sha256').update(bytes).digest('hex')
    expect(digest).toBe(`sha256:${hash}`)
    expect([type, url]).toEqual(['skill-md', `/.well-known/agent-skills/${name}/SKILL.md`])
    expect(description.length).toBeLessThanOrEqual(1024)
    const text = new TextDecoder().decode(bytes)
    expect(text).toStartWith(`---\nname: ${name}\ndescription: `)
    expect(text).not.toMatch(/\{(ask|site|sales|brand)\}/)
  }
})

test('agent skills: the former index and the combined skill have the same texts', async () => {
  const { skills } = await json('.well-known/skills/index.json')
  const whole = await read('skill.md')
  expect(whole).toMatch(/^---\nname: [a-z\d-]+\ndescription: "/)
  for (const { name, files: names } of skills) {
    expect(names).toEqual(['SKILL.md'])
    const text = await read(`.well-known/skills/${name}/SKILL.md`)
    expect(text).toBe(await read(`.well-known/agent-skills/${name}/SKILL.md`))
    expect(whole).toContain(text.split(/^# .+$/m)[1]?.trim() ?? '')
  }
})

test('security.txt: has its required fields', async () => {
  const text = await read('.well-known/security.txt')
  expect(text).toMatch(/^Contact: mailto:.+@.+$/m)
  expect(text).toMatch(/^Expires: \d{4}-\d{2}-\d{2}T[\d:.]+Z$/m)
  expect(text).toContain(`Canonical: ${config.site}/.well-known/security.txt`)
})

test('agent card: identical at both addresses, with endpoints that are served', async () => {
  const card = await json('.well-known/agent-card.json')
  expect(await read('.well-known/agent.json')).toBe(await read('.well-known/agent-card.json'))
  for (const { url } of card.supportedInterfaces) expect(answers(url)).toBe(true)
  expect(card.url).toBe(card.supportedInterfaces[0].url)
  expect(card.skills[0].description).toContain(say('ask'))
  expect(JSON.stringify(card)).not.toMatch(/\{(brand|ask|minutes|privacy_url|retention_days)\}/)
})

test('checkout: listed where it is served', async () => {
  const { api_base_url, protocol } = await json('.well-known/acp.json')
  expect(answers(`${api_base_url}/checkout_sessions`)).toBe(true)
  expect(protocol.supported_versions.at(-1)).toBe(protocol.version)
})

test('auth.md: the site has no credentials, and the clinical API names its own authorization server', async () => {
  const text = await read('auth.md')
  expect(text).toContain("This site's API is anonymous")
  expect(text).toContain(`${config.api}${resourceMetadataPath} (RFC 9728)`)
  expect(text).toContain('/docs/oauth.md')
  for (const path of Object.values(oauthPaths)) expect(text).not.toContain(path)
})

test('discovery: the site has no OAuth metadata, because its API is anonymous', () => {
  const absent = ['oauth-authorization-server', 'oauth-protected-resource', 'openid-configuration']
  for (const name of absent) {
    expect([name, files.has(`.well-known/${name}`)]).toEqual([name, false])
  }
})

test('build: no page has an endpoint’s URL', () => {
  for (const { path } of Object.values(siteTable)) {
    expect([path, files.has(`${path.slice(1)}.html`)]).toEqual([path, false])
  }
})

test('discovery: every listed file exists', () => {
  for (const { path } of machineFiles) expect([path, answers(path)]).toEqual([path, true])
})

/** Removes code, because examples may contain URLs that only the reader will have. */
const withoutCode = (text: string) =>
  text
    .replace(/^(`{3,})[\s\S]*?^\1/gm, '')
    .replace(/`[^`\n]*`/g, '')
    .replace(/<(pre|code)[\s\S]*?<\/\1>/g, '')

test('build: every URL of ours in any file responds', async () => {
  const texts = [...files].filter(name => /\.(txt|md|json|xml)$|api-catalog$/.test(name))
  const ours = new RegExp(`${RegExp.escape(config.site)}(/[^\\s"'<>)\\]},\`;\\\\]*)?`, 'g')
  for (const name of texts) {
    for (const [found] of withoutCode(await read(name)).matchAll(ours)) {
      const address = found.replace(/[.:…]+$/, '')
      const isNone = /\.example|\?query=|\/problems\/|\/api\/acp$/.test(address)
      // A removed page's notice contains its own URL.
      const isItself = name === `gone${address.slice(config.site.length)}.md`
      if (isNone || isItself || answers(address)) continue
      throw new Error(`${name} mentions ${address}, which does not exist`)
    }
  }
})

describe('llms files', () => {
  test('six scoped files, each a part of llms.txt', async () => {
    const whole = await read('llms.txt')
    for (const scope of ['developers', 'blog', 'compare', 'pricing', 'api', 'docs']) {
      const lines = (await read(`${scope}/llms.txt`))
        .split('\n')
        .filter(line => line.startsWith('- ['))
      expect([scope, lines.length > 0]).toEqual([scope, true])
      // The scoped files list every reference page, and llms.txt lists only the first.
      const others = lines.filter(line => !/\/(docs\/api|problems)\//.test(line))
      for (const line of others) expect(whole).toContain(line)
    }
  })

  test('llms-full.txt has each article and comparison once with its address', async () => {
    const text = await read('llms-full.txt')
    const sources = [...text.matchAll(/^Source: (.+)$/gm)].map(hit => hit[1] ?? '')
    const expected = [...files].filter(name => /^(blog|compare)\/.+\.html$/.test(name))
    expect(sources.toSorted()).toEqual(
      expected.map(name => `${config.site}/${name.replace('.html', '')}`).sort(),
    )
  })

  test('llms-full.txt lists each text’s first and last byte', async () => {
    const bytes = await Bun.file(join(dist, 'llms-full.txt')).bytes()
    const head = new TextDecoder().decode(bytes)
    const listed = [...head.matchAll(/^- (.+): (https:\S+) \(bytes (\d+)-(\d+)\)$/gm)]
    expect(listed.length).toBeGreaterThan(20)
    let end = Number(listed[0]?.[3]) - 3
    for (const [, title = '', url = '', first, last] of listed) {
      const part = new TextDecoder().decode(bytes.slice(Number(first), Number(last) + 1))
      expect(part).toStartWith(`# ${title}\n\nSource: ${url}\n`)
      expect([part, part.trim()]).toEqual([part.trim(), part])
      expect(Number(first)).toBe(end + 3)
      end = Number(last)
    }
    expect(end).toBe(bytes.length - 2)
  })

  test('state machines and webhook vectors match those in the code', async () => {
    expect(await json('webhooks/vectors.json')).toEqual(vectors)
    expect(Object.keys((await json('state-machines.json')).machines)).toEqual([
      'case',
      'order',
      'visit',
    ])
  })
})

test('build: each page has its own picture in its metadata', async () => {
  for (const page of [...files].filter(
    name => name.endsWith('.html') && !/^(404|gone\/)/.test(name),
  )) {
    const html = await read(page)
    const picture = /<meta property="og:image" content="([^"]+)"/.exec(html)?.[1] ?? ''
    const bytes = await Bun.file(join(dist, picture.replace(config.site, ''))).bytes()
    expect(new TextDecoder('latin1').decode(bytes.subarray(1, 4))).toBe('PNG')
    expect(bytes.length).toBeLessThan(120_000)
    expect(html).toContain('<script type="application/ld+json">')
  }
})

test('blocks: every block available to content exists', () => {
  expect(knownBlocks.toSorted()).toEqual(blockNames.toSorted())
})
