// Both tool servers on a free port, mounted as in the gateway: with the real middleware, the real
// booking service on a real database, and a small build's catalog.
import path from 'node:path'
import { createContext } from '#clinical/context.ts'
import { testDatabase } from '#database/testing/database.ts'
import type { ToolDefinition } from '#contract/mcp/tool.ts'
import { addressReader } from '#http/client-address.ts'
import { createApp } from '../server/app.ts'
import { openBookingFixture } from '#booking/testing/booking-service.ts'
import { openSampleCatalog } from './catalog.ts'
import type { Endpoint } from '#http/endpoint.ts'
import type { EndpointGroup } from '#http/endpoint-group.ts'
import { createHostCheck } from '#http/host-check.ts'
import { listen } from '../origins/listen.ts'
import { createSiteGroup, siteContent } from '../server/content.ts'
import { writeSampleSite } from './site.ts'
import { loadSite } from '../static/static.ts'
import { siteTools } from '../mcp/site-tools.ts'

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

/** A URL for the clinical API, which has no database here and isn't called. */
const nowhere = 'postgres://none@127.0.0.1:9/none'

function openGuards(group: EndpointGroup) {
  const folder = writeSampleSite()
  const site = loadSite(folder)
  const context = createContext({
    isLiveOpen: () => true,
    urls: { test: nowhere, live: nowhere },
    poolSize: 1,
    pepper: 'of no key',
    base: 'https://health.example',
    rateLimit: 1_000_000,
    storage: { folder: path.join(folder, 'files') },
    onError() {},
  })
  const port = listen('127.0.0.1', 0)
  const app = createApp({
    context,
    isAllowedHost: createHostCheck(`http://127.0.0.1:${port.port}`, []),
    addressOf: addressReader([]),
    documents: new Map(),
    site: group,
    content: siteContent(() => ({ site, rank: () => [] }), group),
    log: { request() {}, event() {}, flush() {} },
  })
  port.serve(app)
  return { port: port.port, close: () => Promise.all([port.stop(true), context.close()]) }
}

export async function openServers(
  articles = 3,
  more: readonly Endpoint[] = [],
  peoplePerHour = 1_000_000,
) {
  const database = await testDatabase()
  const { bookingService, close: closeBookingService } = openBookingFixture(database, {
    peoplePerHour,
  })
  const builds = { catalog: openSampleCatalog(articles) }
  const errors: unknown[] = []
  const base = 'https://health.example'
  const guards = openGuards(
    createSiteGroup({
      endpoints: [...siteTools({ bookingService, catalog: () => builds.catalog, base }), ...more],
      requests: 1_000_000,
      onError: failure => void errors.push(failure),
    }),
  )
  const url = (path = '/mcp') => `http://127.0.0.1:${guards.port}${path}`
  const post = (body: BodyInit, headers: Record<string, string> = {}, path = '/mcp') =>
    fetch(url(path), {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
    })
  /** Sends one request in an earlier protocol version, or in the newest. */
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
    await guards.close()
    await closeBookingService()
    await database.close()
  }
  return { url, post, ask, call, builds, errors, bookingService, database, close }
}
