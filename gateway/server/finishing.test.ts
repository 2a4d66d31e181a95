// A build's files as a gateway serves them: they contain the tool server's URL, and the signed
// catalog has the tool server's entry.
import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { flattenedVerify } from 'jose'
import company from '#content/site.config.ts'
import type { SiteFile } from '../static/files.ts'
import { signaturePathOf } from '../static/signed-paths.ts'
import { finishing } from './finishing.ts'
import { signingKey } from '../signing/keys.ts'

const path = '/.well-known/api-catalog'
const docs = join(import.meta.dir, '../../content/docs')
const key = signingKey('k'.repeat(32))
const base = 'http://localhost:4000'
const urls = {
  auth: `${base}1`,
  mcp: 'http://localhost:4002/mcp',
  portal: `${base}3`,
  console: `${base}4`,
}
const other = { url: undefined, port: 0 }
const origins = { auth: other, mcp: other, portal: other, console: other }
const item = [{ href: `${company.site}/ask`, title: 'Ask' }]
const built = { linkset: [{ anchor: `${company.site}${path}`, item }] }

function served(baseUrl: string | undefined, mcp: string | undefined) {
  const settings = { baseUrl, origins: { ...origins, mcp: { url: mcp, port: 0 } } }
  const bytes = new TextEncoder().encode(JSON.stringify(built))
  const smaller = new Map([['br', new Uint8Array([1])]]) as SiteFile['smaller']
  const files = finishing(settings, [key], { base, urls })([{ path, bytes, smaller }])
  const found = (at: string) => files.find(each => each.path === at)
  const text = (at: string) => new TextDecoder().decode(found(at)?.bytes)
  return { file: found(path), catalog: JSON.parse(text(path)), signature: text(`${path}.jws`) }
}

test('API catalog: lists the tool server at MCP_URL, with its guide and its metadata', () => {
  const { catalog } = served('https://api.example.com', 'https://mcp.example.com/mcp')
  const [all, entry] = catalog.linkset
  const href = 'https://mcp.example.com/mcp'
  expect(all.item).toEqual([...item, { href, title: 'Clinical tool server (MCP)' }])
  expect(entry).toEqual({
    anchor: href,
    'service-doc': [
      { href: `${company.site}/docs/tool-server`, type: 'text/html' },
      { href: `${company.site}/docs/tool-server.md`, type: 'text/markdown' },
    ],
    'service-meta': [
      {
        href: 'https://mcp.example.com/.well-known/oauth-protected-resource/mcp',
        type: 'application/json',
      },
    ],
  })
})

test('API catalog: the entry is in all of the file’s encodings, and in the signed bytes', async () => {
  const { file, signature } = served('https://api.example.com', 'https://mcp.example.com/mcp')
  const bytes = Buffer.from(file?.bytes ?? [])
  expect(brotliDecompressSync(file?.smaller.get('br') ?? '')).toEqual(bytes)
  const [head = '', , end = ''] = signature.trim().split('.')
  const jws = { protected: head, payload: bytes.toString('base64url'), signature: end }
  await flattenedVerify(jws, key.publicKey)
  expect(signaturePathOf(path)).toBe(`${path}.jws`)
})

test('API catalog: without BASE_URL, lists the tool server at this machine’s port', () => {
  const { catalog } = served(undefined, undefined)
  expect(catalog.linkset.map(({ anchor }: { anchor: string }) => anchor)).toEqual([
    `${base}${path}`,
    urls.mcp,
  ])
  expect(catalog.linkset[1]['service-doc'][0].href).toBe(`${base}/docs/tool-server`)
})

test.each([
  ['without BASE_URL', undefined, base, urls.auth],
  ['with BASE_URL', 'https://api.example.com', 'https://api.example.com', 'https://id.example.com'],
])('docs: examples have the installation’s URLs, %s', async (_, baseUrl, api, auth) => {
  const auths = { ...origins, auth: { url: 'https://id.example.com', port: 0 } }
  const finish = finishing({ baseUrl, origins: auths }, [key], { base, urls })
  const folder = new Bun.Glob('*.md').scanSync({ cwd: docs, absolute: true })
  const bytesOf = (file: string) => new Uint8Array(readFileSync(file))
  const files = [...folder].map(file => ({ path: file, bytes: bytesOf(file), smaller: new Map() }))
  const texts = finish(files as unknown as SiteFile[]).map(({ bytes }) =>
    Buffer.from(bytes).toString(),
  )
  expect(texts.filter(text => /localhost:300\d/.test(text))).toEqual([])
  expect(texts.join()).toContain(`svc config set base_url ${api}\n`)
  expect(texts.join()).toContain(`${auth}/device\n`)
})

test('API catalog: with BASE_URL but without MCP_URL, lists no tool server', () => {
  expect(served('https://api.example.com', undefined).catalog).toEqual(built)
})

test("AI catalog: lists the tool server by its card, with the site's servers", () => {
  const site = {
    identifier: 'urn:air:example.com:mcp:docs',
    displayName: 'Docs (tools)',
    type: 'application/mcp-server-card+json',
    url: `${company.site}/.well-known/mcp-docs.json`,
    version: '1.0.0',
  }
  const agent = { identifier: 'urn:air:example.com:agent:site', type: 'application/a2a' }
  const bytes = new TextEncoder().encode(
    JSON.stringify({ specVersion: '1.0', entries: [site, agent] }),
  )
  const settings = { baseUrl: undefined, origins }
  for (const at of ['/.well-known/ai-catalog.json', '/.well-known/ard.json']) {
    const file = { path: at, bytes, smaller: new Map() } as SiteFile
    const [catalog] = finishing(settings, [key], { base, urls })([file])
    const { entries } = JSON.parse(new TextDecoder().decode(catalog?.bytes))
    expect(entries.map(({ identifier }: { identifier: string }) => identifier)).toEqual([
      site.identifier,
      'urn:air:example.com:mcp:clinical',
      agent.identifier,
    ])
    expect(entries[1]).toMatchObject({
      type: site.type,
      version: '1.0.0',
      url: 'http://localhost:4002/mcp/server-card',
    })
  }
})
