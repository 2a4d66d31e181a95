import { expect, test } from 'bun:test'
import { readConfig } from '../settings/config.ts'
import { caddyfile } from './caddy.ts'
import { worker } from './cdn-worker.ts'
import type { SiteTable } from './header-table.ts'
import { nginxConfig } from './nginx.ts'
import { otherHosts } from './other-hosts.ts'

const answer = { file: '/x.html', status: 200, headers: {} }
const table: SiteTable = { rows: [], missing: { html: answer, markdown: answer, problem: answer } }

test('edge: every CDN worker response over TLS sets Strict-Transport-Security', async () => {
  const handler = worker(table, ['auth.example.com'])
  for (const [url, kept] of [
    ['https://www.example.com/none', 'max-age=63072000'],
    ['https://auth.example.com/', 'max-age=63072000'],
    ['http://localhost/none', null],
  ] as const) {
    const { headers } = await handler(new Request(url), async () => new Response('x'))
    expect([url, headers.get('strict-transport-security')]).toEqual([url, kept])
  }
})

test('edge: every module’s public host is routed to its port', () => {
  const config = readConfig({
    AUTH_URL: 'https://auth.example.com',
    MCP_URL: 'https://mcp.example.com/mcp',
    MCP_PORT: '5000',
  })
  const others = otherHosts(config)
  expect(others).toEqual([
    { host: 'auth.example.com', module: 'auth', gateways: ['127.0.0.1:3001'] },
    { host: 'mcp.example.com', module: 'mcp', gateways: ['127.0.0.1:5000'] },
  ])
  const options = { root: '/srv/site', gateways: ['127.0.0.1:3000'], brotli: false, others }
  const nginx = nginxConfig(table, { ...options, listen: '8080' })
  expect(nginx.match(/listen 8080 default_server;/g)).toHaveLength(1)
  expect(nginx).toMatch(
    /listen 8080;\n\s+server_name auth\.example\.com;\n\s+location \/ \{\n\s+proxy_pass http:\/\/auth;/,
  )
  const caddy = caddyfile(table, { ...options, listen: ':8080' })
  expect(caddy).toContain('\nhttp://auth.example.com:8080 {\n  reverse_proxy 127.0.0.1:3001 {\n')
  expect(caddy).toContain('\nhttp://mcp.example.com:8080 {\n  reverse_proxy 127.0.0.1:5000 {\n')
  // A gateway closes connections after 30 idle seconds, and no request may hit a closed one.
  expect(caddy.match(/reverse_proxy/g)).toHaveLength(4)
  expect(caddy.match(/keepalive 20s/g)).toHaveLength(4)
})

test('edge: each module is routed to its port in every gateway', () => {
  const config = readConfig({ PORT: '3000', AUTH_URL: 'https://auth.example.com' })
  const [auth] = otherHosts(config, [3000, 3010])
  expect(auth?.gateways).toEqual(['127.0.0.1:3001', '127.0.0.1:3011'])
})

test('edge: nothing is written for modules that share a host name', () => {
  expect(otherHosts(readConfig({}))).toEqual([])
  expect(otherHosts(readConfig({ AUTH_URL: 'http://localhost:4000' }))).toEqual([])
  const sharing = {
    BASE_URL: 'https://example.com',
    PORTAL_URL: 'https://example.com:8443',
    CONSOLE_URL: 'https://console.example.com',
  }
  expect(otherHosts(readConfig(sharing)).map(({ host }) => host)).toEqual(['console.example.com'])
})
