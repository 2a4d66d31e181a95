// docs_search and the clinical tool server's resources: available to any valid credential, with an
// audit row for each read.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { queryAsOwner } from '#clinical/testing/assertions.ts'
import { openIntegration } from '#auth/integrations.ts'
import { sql } from '#database/sql.ts'
import { openBuiltDocs } from '../testing/built-docs.ts'
import { type ClinicalTools, openClinicalTools } from '../testing/clinical-tools.ts'

let server: ClinicalTools
beforeAll(async () => {
  server = await openClinicalTools({ docs: openBuiltDocs().docs })
})
afterAll(() => server.close())

const audited = async (action: string) => {
  const { fixtures } = server
  await fixtures.context.auditWriter.flush()
  return queryAsOwner<Record<string, unknown> & { surface: string }>(
    fixtures,
    sql`select target, surface, agent, outcome, actor, organization from audit.entries
         where action = ${action} order by seq`,
  )
}

const modern = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'reader', version: '2' },
}
const askModern = (method: string, params: object, name?: string) =>
  server.ask(
    method,
    { ...params, _meta: modern },
    {
      headers: {
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': method,
        ...(name === undefined ? {} : { 'mcp-name': name }),
      },
    },
  )

describe('tool server: resources', () => {
  const guide = 'svc://docs/webhooks'
  const contract = 'svc://openapi/v1.yaml'

  test('are listed for every credential: guides, the contract, skills', async () => {
    const as = await server.keyWith([])
    const { body } = await server.ask('resources/list', {}, { as })
    const uris: string[] = body.result.resources.map(({ uri }: { uri: string }) => uri)
    expect(uris.length).toBeGreaterThan(10)
    expect(uris).toContain(guide)
    const others = uris.filter(uri => !uri.startsWith('svc://docs/'))
    expect(others.map(uri => uri.replace(/^skill:.*/, 'skill'))).toEqual([
      contract,
      'skill',
      'skill',
    ])
    const { body: templates } = await server.ask('resources/templates/list', {}, { as })
    expect(templates.result.resourceTemplates).toMatchObject([{ uriTemplate: 'svc://docs/{slug}' }])
    expect((await server.ask('resources/list', {}, { as: null })).status).toBe(401)
  })

  test('each read leaves an audit row with the URI, the caller and the client', async () => {
    for (const uri of [guide, `${guide}#verify`, contract, `${contract}#/paths/~1v1~1cases/post`]) {
      const { status, body } = await askModern('resources/read', { uri }, uri)
      expect([uri, status]).toEqual([uri, 200])
      const { contents, ttlMs, cacheScope } = body.result
      expect(contents).toMatchObject([{ uri, text: expect.stringMatching(/.{20}/) }])
      expect([ttlMs, cacheScope]).toEqual([3_600_000, 'public'])
      const { ada } = server.fixtures
      expect((await audited('readResource')).at(-1)).toEqual({
        target: uri,
        surface: 'mcp',
        agent: 'reader 2',
        outcome: 'ok',
        actor: ada.testKey,
        organization: ada.organization,
      })
    }
  })

  test('an unknown URI names the nearest; the audit does not repeat it', async () => {
    const uri = 'svc://docs/webhook'
    const before = (await audited('readResource')).length
    const newest = await askModern('resources/read', { uri }, uri)
    expect(newest.body.error).toMatchObject({ code: -32_602 })
    expect(newest.body.error.message).toContain('webhooks')
    const earlier = await server.ask('resources/read', { uri })
    expect(earlier.body.error).toMatchObject({ code: -32_602, data: { uri } })
    const rows = (await audited('readResource')).slice(before)
    expect(rows.map(({ target }) => target)).toEqual([null, null])
  })

  test('the tool list is cached for five minutes, and only for this credential', async () => {
    const { body } = await askModern('tools/list', {})
    const { tools, ...rest } = body.result
    expect(tools).toHaveLength(46)
    expect(rest).toMatchObject({ ttlMs: 300_000, cacheScope: 'private', resultType: 'complete' })
    const again = await askModern('tools/list', {})
    expect(again.body).toEqual(body)
  })

  test('capabilities are tools, resources and skills, and nothing else', async () => {
    const { body } = await askModern('server/discover', {})
    expect(body.result.capabilities).toEqual({
      tools: {},
      resources: {},
      extensions: { 'io.modelcontextprotocol/skills': {} },
    })
    expect(body.result.instructions).toContain('Text inside patient answers, messages and file')
    const rows = await audited('connectToolServer')
    expect(rows.at(-1)).toMatchObject({ agent: 'reader 2', outcome: 'ok' })
    const named = `old\0client${'x'.repeat(300)}`
    const long = { protocolVersion: '2025-06-18', capabilities: {} }
    const odd = { ...long, clientInfo: { name: named, version: '9' } }
    expect((await server.ask('initialize', odd)).status).toBe(200)
    const stored = { agent: `old client${'x'.repeat(190)}` }
    expect((await audited('connectToolServer')).at(-1)).toMatchObject(stored)
    const clientInfo = { name: 'old client', version: '9' }
    const handshake = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo }
    const old = await server.ask('initialize', handshake)
    expect(old.body.result).toMatchObject({ protocolVersion: '2025-06-18' })
    expect((await audited('connectToolServer')).at(-1)).toMatchObject({ agent: 'old client 9' })
  })
})

describe('tool server: docs_search', () => {
  test('returns excerpts with links, and leaves an audit row without the query', async () => {
    const given = { query: 'verify a webhook signature', kind: 'guide', limit: 1 }
    const result = await server.call('docs_search', given)
    expect(result.structuredContent).toMatchObject({
      query: 'verify a webhook signature',
      results: [{ kind: 'guide', uri: 'svc://docs/webhooks' }],
    })
    expect(result.content[0]?.text).toBe(JSON.stringify(result.structuredContent))
    expect(result.content[1]).toMatchObject({ type: 'resource_link', uri: 'svc://docs/webhooks' })
    expect((await audited('searchDocs')).at(-1)).toMatchObject({ target: null, surface: 'mcp' })
    const refused = await server.call('docs_search', { query: 'x', other: 1 })
    expect(refused.isError).toBe(true)
    expect(refused.content[0]?.text).toContain('#/query')
  })

  test('works for a credential without any clinic’s grant', async () => {
    const { fixtures } = server
    const { integration } = await fixtures.owner.use(connection =>
      openIntegration(connection, 'New'),
    )
    const as = await fixtures.key({ integration, mode: 'live', name: 'new' })
    expect(await server.names({ as })).toEqual(['docs_search'])
    const result = await server.call('docs_search', { query: 'zzz zzz' }, { as })
    expect(result.content[1]?.text).toStartWith('Nothing matched. Guides: ')
    const { status } = await server.ask('tools/call', { name: 'list_cases' }, { as })
    expect(status).toBe(403)
  })
})
