// The origin that serves a host, for every combination of hosts and ports.
import { describe, expect, test } from 'bun:test'
import { openHosts, type OriginName } from './hosts.ts'

const ports = { site: 3000, auth: 3001, mcp: 3002, portal: 3003, console: 3004 }
const urlsAt = (url: (name: string, port: number) => string) => ({
  auth: url('auth', 3001),
  mcp: `${url('mcp', 3002)}/mcp`,
  portal: url('portal', 3003),
  console: url('console', 3004),
})
const onOneMachine = openHosts({
  base: 'http://localhost:3000',
  urls: urlsAt((_name, port) => `http://localhost:${port}`),
  ports,
})
const behindProxy = openHosts({
  base: 'https://api.example.com',
  urls: urlsAt(name => `https://${name}.example.com`),
  ports,
})

const arrangements = { 'one machine': onOneMachine, proxy: behindProxy }
type HostHeaders = { host?: string | null; 'x-forwarded-host'?: string }
const hintAt = (hosts: typeof behindProxy, name: OriginName, sent: HostHeaders) =>
  hosts.refusalAt(name, header => sent[header as keyof HostHeaders] ?? null)?.content.hint

describe('hosts: served', () => {
  test.each([
    ['one machine', 'site', { host: 'localhost:3000' }],
    ['one machine', 'auth', { host: 'localhost:3001' }],
    ['one machine', 'auth', { host: '127.0.0.1:3001' }],
    ['one machine', 'mcp', { host: '[::1]:3002' }],
    ['proxy', 'site', { host: 'api.example.com' }],
    ['proxy', 'auth', { host: 'AUTH.example.com' }],
    ['proxy', 'auth', { host: 'auth.example.com:443' }],
    ['proxy', 'portal', { host: '127.0.0.1:3003', 'x-forwarded-host': 'portal.example.com' }],
    // Host names that only the site recognizes are left to the site's check.
    ['proxy', 'site', { host: 'docs.example.com' }],
    ['one machine', 'site', { host: 'localhost:8080' }],
  ] as const)('%s, %s: %p', (arrangement, name, sent) => {
    expect(hintAt(arrangements[arrangement], name, sent)).toBeUndefined()
  })
})

describe('hosts: refused, naming the origin that serves it', () => {
  test.each([
    ['one machine', 'site', { host: 'localhost:3003' }, 'http://localhost:3003'],
    ['one machine', 'site', { host: '127.0.0.1:3003' }, 'http://localhost:3003'],
    ['one machine', 'auth', { host: 'localhost:3000' }, 'http://localhost:3000'],
    ['one machine', 'auth', { host: 'localhost:3002' }, 'http://localhost:3002'],
    ['proxy', 'site', { host: 'portal.example.com' }, 'https://portal.example.com'],
    ['proxy', 'site', { host: 'Portal.Example.com:443' }, 'https://portal.example.com'],
    ['proxy', 'portal', { host: 'api.example.com' }, 'https://api.example.com'],
    ['proxy', 'console', { host: 'portal.example.com' }, 'https://portal.example.com'],
    [
      'proxy',
      'site',
      { host: '127.0.0.1:3000', 'x-forwarded-host': 'portal.example.com' },
      'https://portal.example.com',
    ],
    [
      'proxy',
      'auth',
      { host: 'auth.example.com', 'x-forwarded-host': 'x, api.example.com' },
      'https://api.example.com',
    ],
  ] as const)('%s, %s: %p', (arrangement, name, sent, origin) => {
    expect(hintAt(arrangements[arrangement], name, sent)).toStartWith(`Send it to ${origin}.`)
  })
  test.each([
    'evil.example',
    'localhost',
    'auth.example.com.evil.example',
    'auth.example.com, evil.example',
    null,
  ])('a module at %p', host => {
    expect(hintAt(behindProxy, 'auth', { host })).toBe('Use https://auth.example.com.')
  })
})

test('hosts: a public host takes precedence over an internal port', () => {
  // External port 3002 leads to internal port 3001.
  const forwarded = openHosts({
    base: 'http://localhost:3000',
    urls: {
      ...urlsAt((_name, port) => `http://localhost:${port + 10}`),
      auth: 'http://localhost:3002',
    },
    ports,
  })
  expect(hintAt(forwarded, 'auth', { host: 'localhost:3002' })).toBeUndefined()
  expect(hintAt(forwarded, 'mcp', { host: 'localhost:3002' })).toContain('http://localhost:3002')
})
