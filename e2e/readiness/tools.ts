// Compares the tool servers' cards with their results.
import { mustFit } from './catalogs.ts'
import { at, type Check, list, must, parsed, type Scan, word } from './scan.ts'

const versions = { first: '2026-07-28', before: '2025-11-25' }
const meta = {
  'io.modelcontextprotocol/protocolVersion': versions.first,
  'io.modelcontextprotocol/clientCapabilities': {},
}

const message = (method: string, params: object = {}) => ({ jsonrpc: '2.0', id: 1, method, params })

async function call(scan: Scan, where: string, method: string, params: object = {}) {
  const headers =
    '_meta' in params ? { 'mcp-protocol-version': versions.first, 'mcp-method': method } : {}
  const body = message(method, params)
  const answer = await scan.ask(where, { method: 'POST', headers, body })
  must(answer.type === 'application/json', `${where} returned ${answer.type} for ${method}`)
  must(!answer.headers.has('mcp-session-id'), `${where} opens a session`)
  return at(parsed(answer, `${method} at ${where}`), 'result')
}

function server(path: string, count: number, cards: string[]): Check {
  return {
    name: `tool server at ${path} (MCP), and its cards`,
    async run(scan) {
      const clientInfo = { name: 'ready', version: '1' }
      const [hello, discovered] = [
        await call(scan, path, 'initialize', {
          protocolVersion: versions.before,
          capabilities: {},
          clientInfo,
        }),
        await call(scan, path, 'server/discover', { _meta: meta }),
      ]
      must(at(hello, 'protocolVersion') === versions.before, `${path} speaks no ${versions.before}`)
      const spoken = list(at(discovered, 'supportedVersions'))
      must(spoken.includes(versions.first), `${path} speaks no ${versions.first}`)
      const tools = list(at(await call(scan, path, 'tools/list'), 'tools'))
      must(tools.length === count, `${path} lists ${tools.length} tools`)
      for (const where of cards) {
        const card = parsed(await scan.ask(where), where)
        mustFit('site/standards/mcp-server-card.json', card, where)
        const listed = JSON.stringify(at(card, 'tools'))
        must(listed === JSON.stringify(tools), `${where} lists other tools than ${path}`)
        const info = JSON.stringify(at(card, 'serverInfo'))
        must(info === JSON.stringify(at(hello, 'serverInfo')), `${where} names another server`)
        must(word(at(card, 'endpoint')) === scan.site + path, `${where} leads elsewhere`)
      }
      const result = await call(scan, path, 'tools/call', { name: 'get_overview', arguments: {} })
      must(word(at(result, 'structuredContent', 'name')) !== '', `${path} returned no name`)
      const { status, headers } = await scan.ask(path)
      must(status === 405 && headers.has('allow'), `GET ${path} returned ${status}`)
      return `${count} tools, the same in ${cards.length} cards`
    },
  }
}

/** Every slug in a list, page by page. */
async function slugsOf(scan: Scan, name: string): Promise<string[]> {
  const slugs: string[] = []
  let cursor: unknown = undefined
  do {
    const given = { limit: 3, ...(cursor === undefined ? {} : { cursor }) }
    const page = await call(scan, '/docs/mcp', 'tools/call', { name, arguments: given })
    const items = list(at(page, 'structuredContent', 'items'))
    must(items.length > 0, `a page of ${name} is empty`)
    slugs.push(...items.map(item => word(at(item, 'slug'))))
    cursor = at(page, 'structuredContent', 'next_cursor')
  } while (cursor !== null)
  return slugs
}

const texts: Check = {
  name: 'tools return the Markdown of the page',
  async run(scan) {
    const pages = await scan.pages()
    let count = 0
    for (const [tool, from, base] of [
      ['get_article', 'list_articles', '/blog/'],
      ['get_comparison', 'list_comparisons', '/compare/'],
    ] as const) {
      const slugs = await slugsOf(scan, from)
      const listed = pages.map(({ path }) => path).filter(path => path.startsWith(base))
      must(slugs.length === listed.length, `${from} has ${slugs.length} of ${listed.length}`)
      for (const slug of slugs) {
        const given = { name: tool, arguments: { slug } }
        const result = await call(scan, '/docs/mcp', 'tools/call', given)
        const body = word(at(result, 'structuredContent', 'body_markdown'))
        const markdown = pages.find(({ path }) => path === base + slug)?.markdown.text ?? ''
        const expected = markdown.replace(/^---\n[\s\S]*?\n---\n\n/, '')
        must(body !== '' && body === expected, `${tool} ${slug} is not the Markdown of its page`)
        count++
      }
    }
    return `${count} texts`
  },
}

export const toolChecks = [
  server('/mcp', 9, [
    '/.well-known/mcp/server-card.json',
    '/.well-known/mcp.json',
    '/mcp/server-card',
  ]),
  server('/docs/mcp', 6, ['/.well-known/mcp-docs.json', '/docs/mcp/server-card']),
  texts,
]
