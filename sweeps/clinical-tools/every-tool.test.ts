// Calls every tool with the official client, old and new: each returns the same bytes as REST and
// writes its operation's audit row.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import Ajv2020 from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { newRequestId } from '#http/http-request.ts'
import { isWrite } from '#contract/operation.ts'
import { listedTool, type ClinicalTool, clinicalTools } from '#contract/tools/tools.ts'
import { queryAsOwner } from '#clinical/testing/assertions.ts'
import { type CallOptions, invoke } from '#clinical/testing/call.ts'
import { validCalls } from '#clinical/testing/valid-calls.ts'
import { sql } from '#database/sql.ts'
import {
  argumentsOf,
  type ClinicalTools,
  openClinicalTools,
  type ToolClient,
  type ToolResult,
  ways,
} from '../testing/clinical-tools.ts'

let server: ClinicalTools
beforeAll(async () => {
  server = await openClinicalTools()
})
afterAll(() => server.close())

const ajv = addFormats(new Ajv2020({ strict: true, strictRequired: false, allowUnionTypes: true }))
const checks = new Map(
  clinicalTools.map(tool => {
    const { inputSchema, outputSchema } = listedTool(tool)
    return [tool.name, { input: ajv.compile(inputSchema), output: ajv.compile(outputSchema) }]
  }),
)

let keys = 0
const newCall = async ({ operationId }: ClinicalTool): Promise<CallOptions> => {
  const { fixtures } = server
  return {
    ...(await validCalls[operationId](fixtures, fixtures.ada.test)),
    key: `tools-${++keys}`,
  }
}

async function callTool(client: ToolClient, tool: ClinicalTool, options: CallOptions) {
  const given = argumentsOf(tool, options)
  server.at(options.at)
  const result = (await client.callTool({ name: tool.name, arguments: given })) as ToolResult
  server.at(undefined)
  const { input, output } = checks.get(tool.name) ?? {}
  const faults = [input?.(given), output?.(result.structuredContent)]
  expect([tool.name, result.isError, ...faults]).toEqual([tool.name, undefined, true, true])
  return result
}

/** Removes the link's URL and expiration, because each call creates a new link. */
const withoutLink = (text: string) =>
  text.replace(/"url":"[^"]*"/, '').replace(/"expires_at":"[^"]*"/, '')

describe.each(ways)('tool server: the official client, %s', way => {
  test.each(clinicalTools)('$name returns the same as REST', async tool => {
    const client = await server.connect(way, server.fixtures.ada.test)
    const options = await newCall(tool)
    const result = await callTool(client, tool, options)
    await client.close()
    const { sent } = server
    // With the same key, a write returns the stored response on either surface.
    const rest = await invoke(server.fixtures, tool.operationId, options)
    expect([tool.name, rest.code]).toEqual([tool.name, null])
    const plain = tool.name === 'get_join_link' ? withoutLink : (text: string) => text
    expect(plain(result.content[0]?.text ?? '')).toBe(plain(rest.text))
    expect(plain(sent.text)).toContain(`"structuredContent":${plain(rest.text)}`)
    expect(result.content[0]?._meta).toEqual({ 'svc/untrusted': true })
    if (isWrite(tool.operation)) {
      expect(rest.headers['original-request-id']).toBe(String(result._meta?.['svc/request_id']))
    }
  })
})

type AuditRow = { surface: string; agent: string; outcome: string; target: string | null }

const auditRow = async (request: unknown) => {
  const { fixtures } = server
  await fixtures.context.auditWriter.flush()
  const rows = await queryAsOwner<AuditRow & Record<string, unknown>>(
    fixtures,
    sql`select mode, integration, organization, actor, person, client, surface, action, target,
               outcome, status, code, agent, shape
          from audit.entries where request = ${String(request)}`,
  )
  expect(rows).toHaveLength(1)
  const [row] = rows
  // Each call creates its own rows, so the targets have only their kind in common.
  return { ...row, target: row?.target?.split('_')[0] }
}

describe('tool server: the audit row', () => {
  let narrow: { key: string; id: string }
  beforeAll(async () => {
    const { fixtures } = server
    const key = await server.keyWith([])
    const [row] = await queryAsOwner<{ id: string }>(
      fixtures,
      sql`select id from auth.credentials where last4 = ${key.slice(-4)} and scopes = '{}'`,
    )
    narrow = { key, id: row?.id ?? '' }
  })

  test.each(clinicalTools)('for $name is its operation’s, even when replayed', async tool => {
    const { fixtures } = server
    const client = await server.connect('2026-07-28', fixtures.ada.test)
    const options = await newCall(tool)
    const result = await callTool(client, tool, options)
    const again = isWrite(tool.operation) ? await callTool(client, tool, options) : null
    await client.close()
    const request = newRequestId()
    const rest = await invoke(fixtures, tool.operationId, { ...(await newCall(tool)), request })
    expect([tool.name, rest.code]).toEqual([tool.name, null])
    const own = await auditRow(result._meta?.['svc/request_id'])
    expect(own).toEqual({ ...(await auditRow(request)), surface: 'mcp', agent: 'tests 1' })
    if (again === null) return
    const { 'svc/request_id': repeated, 'svc/original_request_id': original } = again._meta ?? {}
    expect(original).toBe(result._meta?.['svc/request_id'])
    // A replay that created a row doesn't look up the target again.
    const row = { ...(await auditRow(repeated)), target: undefined }
    expect(row).toEqual({ ...own, outcome: 'replayed', target: undefined })
  })

  test.each(clinicalTools)('for $name exists even if the call is refused', async tool => {
    const given = argumentsOf(tool, await newCall(tool))
    const params = { name: tool.name, arguments: given }
    const { status, headers } = await server.ask('tools/call', params, { as: narrow.key })
    expect([tool.name, status]).toEqual([tool.name, 403])
    expect(await auditRow(headers.get('request-id'))).toMatchObject({
      surface: 'mcp',
      action: tool.operationId,
      actor: narrow.id,
      outcome: 'refused',
      status: 403,
      code: 'insufficient_scope',
    })
  })
})
