// Both tool servers on a free port, as the gateway mounts them: the real door, the real desk on a
// real database, the catalog of a small build.
import { testDatabase } from '#database/testing.ts'
import type { ToolDefinition } from '#contract/mcp/tool.ts'
import { sampleDesk } from '../booking/sample-desk.ts'
import { openSampleCatalog } from '../content/sample-catalog.ts'
import { openDoor } from '../door.ts'
import { openQuota } from '../door/quota.ts'
import { siteTools } from './site-tools.ts'

export type Tool = Pick<ToolDefinition, 'name'> & {
  readonly inputSchema: object
  readonly outputSchema: object
  readonly annotations: Record<string, unknown>
}

const clientMeta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
}

export type Servers = Awaited<ReturnType<typeof openServers>>

export async function openServers(articles = 3) {
  const database = await testDatabase()
  const { desk, close: closeDesk } = sampleDesk(database)
  const builds = { catalog: openSampleCatalog(articles) }
  const alarms: unknown[] = []
  const surfaces = siteTools({
    desk,
    catalog: () => builds.catalog,
    base: 'https://house.example',
  })
  const door = openDoor({
    surfaces,
    quota: openQuota({ requests: 1_000_000 }),
    alarm: failure => void alarms.push(failure),
  })
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch(request) {
      const found = door.find(new URL(request.url).pathname)
      if (found === undefined) return new Response(null, { status: 404 })
      return door.answer(found, request, { id: 'req_of_a_test', address: null, note() {} })
    },
  })
  const url = (path = '/mcp') => `http://127.0.0.1:${server.port}${path}`
  const post = (body: BodyInit, headers: Record<string, string> = {}, path = '/mcp') =>
    fetch(url(path), {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
    })
  /** One request of an earlier revision, or of the newest. */
  const ask = async (method: string, params: object = {}, isModern = false, path = '/mcp') => {
    const name = 'name' in params ? { 'mcp-name': String(params.name) } : {}
    const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': method, ...name }
    const sent = isModern ? { ...params, _meta: clientMeta } : params
    const message = { jsonrpc: '2.0', id: 1, method, params: sent }
    const response = await post(JSON.stringify(message), isModern ? headers : {}, path)
    return { response, body: await response.json() }
  }
  const call = async (name: string, given: unknown = {}, isModern = false, path = '/mcp') =>
    (await ask('tools/call', { name, arguments: given }, isModern, path)).body.result
  const close = async () => {
    await server.stop(true)
    await closeDesk()
    await database.close()
  }
  return { url, post, ask, call, builds, alarms, desk, database, surfaces, close }
}
