// Which callers the clinical tool server admits, for which organizations, and with which tools.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { revokeKey } from '#auth/testing/administration.ts'
import { issueToken } from '#auth/testing/tokens.ts'
import { allScopes } from '#contract/scopes.ts'
import { clinicalTools } from '#contract/tools/tools.ts'
import { invokeOk } from '#clinical/testing/call.ts'
import { grant, openOrganization } from '#auth/integrations.ts'
import { sql } from '#database/sql.ts'
import { type ClinicalTools, openClinicalTools, problemIn } from '../testing/clinical-tools.ts'

let server: ClinicalTools
beforeAll(async () => {
  server = await openClinicalTools()
})
afterAll(() => server.close())

const someId = `case_${'0'.repeat(26)}`

describe('tool server: 401', () => {
  const scope = 'organization:read patients:read patients:write cases:read cases:write'
  const others = 'events:read webhooks:manage test:manage visits:read visits:write'

  test('any request without a credential, with everything a client needs to get one', async () => {
    for (const method of [
      'initialize',
      'tools/list',
      'tools/call',
      'ping',
      'other',
      'resources/read',
    ]) {
      const { status, headers, body } = await server.ask(method, {}, { as: null })
      expect([method, status]).toEqual([method, 401])
      const metadata = server.url.replace('/mcp', '/.well-known/oauth-protected-resource/mcp')
      const challenge = `Bearer resource_metadata="${metadata}", scope="${scope} ${others}"`
      expect(headers.get('www-authenticate')).toBe(challenge)
      expect(body.error.data).toMatchObject({ code: 'unauthorized', status: 401 })
      const document = await (await fetch(metadata)).json()
      expect(document.resource).toBe(server.url)
      // Some clients ask the user for every scope the document lists.
      expect(document.scopes_supported.join(' ')).toBe(`${scope} ${others}`)
    }
  })

  test('any request with an unknown key', async () => {
    const as = server.fixtures.ada.test.replace(/.$/, last => (last === '0' ? '1' : '0'))
    const asked: [string, object?][] = [
      [
        'initialize',
        { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x' } },
      ],
      ['ping'],
      ['tools/list'],
      ['tools/call', { name: 'docs_search', arguments: { query: 'webhooks' } }],
      ['tools/call', { name: 'get_case', arguments: {} }],
      ['tools/call', { name: 'made_up', arguments: {} }],
      ['resources/list'],
      ['resources/templates/list'],
      ['resources/read', { uri: 'svc://openapi/v1.yaml' }],
      ['resources/read', { uri: 'svc://docs/made-up' }],
      ['made/up'],
    ]
    for (const [method, params] of asked) {
      const { status, headers, body } = await server.ask(method, params, { as })
      expect([method, status, body.error?.data.code]).toEqual([method, 401, 'unauthorized'])
      expect(headers.get('www-authenticate')).toContain('error="invalid_token"')
    }
    const note = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })
    expect((await server.post(note, { as })).status).toBe(401)
    expect((await server.post(note)).status).toBe(202)
  })

  test('a credential in the URL is neither read nor logged', async () => {
    const { ada } = server.fixtures
    for (const name of ['access_token', 'api_key']) {
      const query = `?${name}=${ada.test}`
      for (const as of [null, ada.test]) {
        const { status } = await server.ask('tools/list', {}, { as, query })
        expect([name, status]).toEqual([name, 401])
      }
    }
    expect(JSON.stringify(server.lines.map(({ fields, route }) => [fields, route]))).not.toContain(
      ada.test,
    )
  })

  test('a revoked key, a made-up one, and a token for the API', async () => {
    const { fixtures } = server
    const { token } = await fixtures.owner.use(connection =>
      issueToken(connection, fixtures.context.pepper, {
        integration: fixtures.ada.integration,
        kind: 'agent',
        audience: ['api'],
      }),
    )
    const revoked = await server.keyWith(allScopes)
    expect((await server.ask('tools/list', {}, { as: revoked })).status).toBe(200)
    await fixtures.owner.use(async connection => {
      const listed = await connection.run<{ id: string }>(
        sql`select id from auth.credentials where kind = 'key' order by id desc limit 1`,
      )
      await revokeKey(connection, listed[0]?.id ?? '')
    })
    const made = fixtures.ada.test.replace(/.$/, last => (last === '0' ? '1' : '0'))
    for (const as of [token, revoked, made, 'not-a-key']) {
      const { status, headers } = await server.ask('tools/call', { name: 'list_cases' }, { as })
      expect(status).toBe(401)
      expect(headers.get('www-authenticate')).toStartWith('Bearer error="invalid_token"')
    }
  })

  test.each(['client', 'agent', 'device'] as const)('200: %s token', async kind => {
    const { fixtures } = server
    for (const audience of [undefined, ['mcp'] as const]) {
      const { token } = await fixtures.owner.use(connection =>
        issueToken(connection, fixtures.context.pepper, {
          integration: fixtures.ada.integration,
          kind,
          ...(audience && { audience }),
        }),
      )
      const result = await server.call('get_organization', {}, { as: token })
      const rest = await invokeOk(fixtures, 'getOrganization', { as: fixtures.ada.test })
      expect(result.structuredContent).toMatchObject({ id: rest.id })
    }
  })
})

describe('tool server: 403', () => {
  test.each(allScopes)(
    'a key without %s does not see the scope’s tools, and cannot call them',
    async scope => {
      const as = await server.keyWith(allScopes.filter(each => each !== scope))
      const names = await server.names({ as })
      const missing = clinicalTools.filter(({ operation }) => operation.scope === scope)
      expect(names).toHaveLength(46 - missing.length)
      for (const { name, operation } of missing.slice(0, 2)) {
        expect(names).not.toContain(name)
        const given = operation.path.includes('{id}') ? { id: someId } : {}
        const params = { name, arguments: given }
        const { status, headers, body } = await server.ask('tools/call', params, { as })
        expect([name, status]).toEqual([name, 403])
        expect(headers.get('www-authenticate')).toStartWith(
          `Bearer error="insufficient_scope", scope="${allScopes.join(' ')}", resource_metadata="http`,
        )
        const { data, code } = body.error
        expect(data).toMatchObject({
          code: 'insufficient_scope',
          required_scope: scope,
          status: 403,
        })
        expect([body.id, code]).toEqual([1, -32_600])
      }
    },
  )

  test('a challenge lists the credential’s scopes plus the missing one, and no others', async () => {
    const as = await server.keyWith(['visits:read', 'organization:read'])
    const params = { name: 'get_case', arguments: { id: someId } }
    const { status, headers } = await server.ask('tools/call', params, { as })
    const named = /scope="([^"]*)"/.exec(headers.get('www-authenticate') ?? '')?.[1]
    expect([status, named]).toEqual([403, 'organization:read cases:read visits:read'])
  })

  test('a live key has 34 tools, and can neither list nor call sandbox tools', async () => {
    const { live: as } = server.fixtures.ada
    const names = await server.names({ as })
    expect(names).toHaveLength(34)
    expect(names.filter(name => name.startsWith('test_'))).toEqual([])
    const params = { name: 'test_reset_sandbox', arguments: { idempotency_key: 'live' } }
    const { status, body } = await server.ask('tools/call', params, { as })
    expect([status, body.error.data.code]).toEqual([403, 'forbidden'])
  })

  test('pages on an unencrypted origin are refused, and others are allowed', async () => {
    const from = async (origin: string) =>
      (await server.ask('ping', {}, { headers: { origin } })).status
    expect(await from('http://attacker.example')).toBe(403)
    expect(await from('https://assistant.example')).toBe(200)
    expect(await from('http://localhost:6274')).toBe(200)
  })
})

describe('tool server: organizations', () => {
  test('come from the credential or the header, and never from an argument', async () => {
    const { fixtures } = server
    const { integration, live: as, organization } = fixtures.ben
    const first = fixtures.clinic
    const second = await fixtures.owner.use(async connection => {
      const other = await openOrganization(
        connection,
        'Other Clinic',
        `other-${organization.slice(-6)}`,
      )
      await grant(connection, {
        integration,
        organization: other,
        mode: 'live',
        scopes: ['cases:read'],
      })
      return other
    })
    const unsaid = problemIn(await server.call('list_cases', {}, { as }))
    expect(unsaid.code).toBe('organization_required')
    const sent = await server.call('list_cases', { organization: second }, { as })
    expect(problemIn(sent).code).toBe('organization_required')
    // If no organization is chosen, the list has the tools that any organization granted.
    expect(await server.names({ as })).toHaveLength(34)
    const headers = { 'service-organization': second }
    expect(await server.names({ as, headers })).toEqual([
      ...clinicalTools
        .filter(({ operation }) => operation.scope === 'cases:read')
        .map(({ name }) => name),
      'docs_search',
    ])
    expect(await server.call('list_cases', {}, { as, headers })).toMatchObject({
      structuredContent: { data: [], has_more: false },
    })
    const { status, body } = await server.ask(
      'tools/list',
      {},
      {
        as,
        headers: { 'service-organization': fixtures.ada.organization },
      },
    )
    expect([status, body.error.data.code]).toEqual([403, 'organization_not_granted'])
    expect(first).not.toBe(second)
  })
})
