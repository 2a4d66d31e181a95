// Skills over the protocol (SEP-2640) at all three tool servers, through the official clients, old
// and new: each listed entry matches the file that a read returns. Also the clinical server's card
// (SEP-2127).
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import Ajv2020 from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { openServers, type Servers } from '#gateway/testing/tool-servers.ts'
import { type ClinicalTools, openClinicalTools } from './testing/clinical-tools.ts'

type Entry = {
  uri: string
  frontmatter: { name: string; description: string }
  resources: { uri: string; digest: string; size: number }[]
}

type Answer = { skills: Entry[]; skill: Entry }

let clinical: ClinicalTools
let site: Servers
beforeAll(async () => {
  clinical = await openClinicalTools()
  site = await openServers()
}, 60_000)
afterAll(async () => {
  await Promise.all([clinical?.close(), site?.close()])
})

const any = {
  '~standard': { version: 1, vendor: 'test', validate: (value: unknown) => ({ value }) },
} as const

async function connect(url: string, mode: 'legacy' | { pin: string }) {
  const authorization = `Bearer ${clinical.fixtures.ada.test}`
  const client = new Client({ name: 'tests', version: '1' }, { versionNegotiation: { mode } })
  const init = { requestInit: { headers: { authorization } } }
  await client.connect(new StreamableHTTPClientTransport(new URL(url), init))
  const ask = async (method: string, params = {}) =>
    (await client.request({ method, params }, any as never)) as Answer
  return { client, ask }
}

const servers: [string, () => string, string[]][] = [
  ['clinical', () => clinical.url, ['ask-the-site']],
  ['/mcp', () => site.url(), ['ask-the-site', 'book-a-discovery-call']],
  ['/docs/mcp', () => site.url('/docs/mcp'), ['ask-the-site']],
]
const modes = ['legacy', { pin: '2026-07-28' }] as const

describe.each(servers)('skills at %s', (_name, url, names) => {
  test.each(modes)('are listed, found by URI and read: %j', async mode => {
    const { client, ask } = await connect(url(), mode)
    const { extensions, resources } = client.getServerCapabilities() ?? {}
    expect([extensions, resources]).toEqual([{ 'io.modelcontextprotocol/skills': {} }, {}])
    const listed = await ask('skills/list')
    expect(listed).toMatchObject({ ttlMs: 3_600_000, cacheScope: 'public' })
    const skills: Entry[] = listed.skills
    expect(skills.map(({ frontmatter }) => frontmatter.name)).toEqual(names)
    const named = (await client.listResources()).resources
    for (const skill of skills) {
      const { name, description } = skill.frontmatter
      expect(skill.uri).toBe(`skill://${name}/SKILL.md`)
      expect(named.find(({ uri }) => uri === skill.uri)).toMatchObject({
        name,
        description,
        mimeType: 'text/markdown',
      })
      expect((await ask('skills/get', { uri: skill.uri })).skill).toEqual(skill)
      for (const { uri, digest, size } of skill.resources) {
        const [read] = (await client.readResource({ uri })).contents
        const text = String((read as { text?: string }).text)
        const sha256 = new Bun.CryptoHasher('sha256').update(text).digest('hex')
        expect([digest, size]).toEqual([`sha256:${sha256}`, Buffer.byteLength(text)])
        expect(Bun.YAML.parse(/^---\n(.*?)\n---\n/s.exec(text)?.[1] ?? '')).toEqual(
          skill.frontmatter,
        )
      }
    }
    for (const params of [
      {},
      { uri: 7 },
      { uri: 'skill://nope/SKILL.md' },
      { uri: 'skill://ask-the-site' },
    ]) {
      await expect(ask('skills/get', params)).rejects.toMatchObject({ code: -32_602 })
    }
    await expect(ask('resources/directory/read', { uri: 'skill://ask-the-site' })).rejects.toThrow(
      'Method not found',
    )
    await client.close()
  })
})

test('skills: every revision’s result is complete', async () => {
  for (const isNewest of [false, true]) {
    const { body } = await site.ask('skills/list', {}, isNewest)
    expect(body.result).toMatchObject({ resultType: 'complete', skills: expect.any(Array) })
  }
})

test('tool server: its card matches the official schema and the server’s own responses', async () => {
  const answer = await fetch(`${clinical.url}/server-card`)
  const type = answer.headers.get('content-type')
  expect([answer.status, type]).toEqual([200, 'application/mcp-server-card+json'])
  const card = await answer.json()
  const ajv = addFormats(new Ajv2020({ strict: false, allErrors: true }))
  const check = ajv.compile(await Bun.file('site/standards/mcp-server-card.json').json())
  expect([check(card), check.errors]).toEqual([true, null])
  const { client } = await connect(clinical.url, 'legacy')
  const { name, title, version, remotes } = card
  expect(client.getServerVersion()).toEqual({ name, title, version })
  expect(remotes).toMatchObject([{ url: clinical.url, headers: [{ name: 'Authorization' }] }])
  await client.close()
})
