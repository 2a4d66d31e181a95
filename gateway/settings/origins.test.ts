// The modules' origin settings: defaults, and every invalid combination.
import { describe, expect, test } from 'bun:test'
import { ConfigError, isPrivate, readConfig } from './config.ts'
import { moduleUrls } from './origins.ts'

const portsOf = (environment: Record<string, string>) =>
  Object.values(readConfig(environment).origins).map(({ port }) => port)

describe('origins: settings', () => {
  test('by default, the modules use the ports after PORT, at localhost', () => {
    const { origins } = readConfig({})
    expect(portsOf({})).toEqual([3001, 3002, 3003, 3004])
    expect(portsOf({ PORT: '4000', MCP_PORT: '5000' })).toEqual([4001, 5000, 4003, 4004])
    expect(portsOf({ PORT: '0' })).toEqual([0, 0, 0, 0])
    expect(portsOf({ PORT: '4000', AUTH_PORT: '0' })).toEqual([0, 4002, 4003, 4004])
    expect(moduleUrls(origins, { auth: 1, mcp: 2, portal: 3, console: 4 })).toEqual({
      auth: 'http://localhost:1',
      mcp: 'http://localhost:2/mcp',
      portal: 'http://localhost:3',
      console: 'http://localhost:4',
    })
  })
  test('URLs are those that clients connect to', () => {
    const { origins } = readConfig({
      AUTH_URL: 'https://auth.example.com/',
      MCP_URL: 'https://Tools.example.com/mcp',
      PORTAL_URL: 'https://portal.example.com:8443',
      CONSOLE_URL: 'http://console.localhost:3004',
    })
    expect(Object.values(origins).map(({ url }) => url)).toEqual([
      'https://auth.example.com',
      'https://tools.example.com/mcp',
      'https://portal.example.com:8443',
      'http://console.localhost:3004',
    ])
    expect(readConfig({ MCP_URL: 'https://mcp.example.com/' }).origins.mcp.url).toBe(
      'https://mcp.example.com',
    )
  })
  test.each([
    [{ AUTH_URL: 'https://auth.example.com' }, false],
    [{ AUTH_URL: 'http://127.0.0.1:3001' }, true],
  ])('%p is reachable only from this machine: %p', (environment, expected) => {
    expect(isPrivate(readConfig(environment))).toBe(expected)
  })
})

const refused: [environment: Record<string, string>, message: string][] = [
  [{ AUTH_URL: 'https://example.com/auth' }, 'AUTH_URL must be a URL without a path'],
  [{ AUTH_URL: 'auth.example.com' }, 'AUTH_URL must be a URL without a path'],
  [{ AUTH_URL: 'http://auth.example.com' }, 'AUTH_URL must begin with https'],
  [{ PORTAL_URL: 'http://192.168.1.5:3003' }, 'PORTAL_URL must begin with https'],
  [{ MCP_URL: 'http://mcp.example.com/mcp' }, 'MCP_URL must begin with https'],
  [
    { MCP_URL: 'https://mcp.example.com/mcp/' },
    'MCP_URL must be a URL without a query or a trailing slash',
  ],
  [{ MCP_URL: 'https://mcp.example.com/mcp?a=b' }, 'MCP_URL must be a URL without a query'],
  [{ MCP_URL: 'https://user:pw@mcp.example.com/' }, 'MCP_URL must be a URL without a query'],
  [
    { AUTH_URL: 'https://a.example.com', PORTAL_URL: 'https://A.example.com' },
    'AUTH_URL and PORTAL_URL must be different origins, but both are https://a.example.com',
  ],
  [
    { BASE_URL: 'https://a.example.com', MCP_URL: 'https://a.example.com/mcp' },
    'BASE_URL and MCP_URL must be different origins',
  ],
  [{ CONSOLE_URL: 'http://localhost:3000' }, 'BASE_URL and CONSOLE_URL must be different origins'],
  [
    { CONSOLE_PORT: '3002' },
    'MCP_PORT and CONSOLE_PORT must be different ports, but both are 3002',
  ],
  [{ METRICS_PORT: '3001' }, 'AUTH_PORT and METRICS_PORT must be different ports'],
  [{ AUTH_PORT: 'x' }, 'AUTH_PORT must be a whole number from 0 to 65535'],
  [{ PORT: '65533' }, 'PORTAL_PORT must be set, because there is no port 65536 after PORT'],
  [
    { AUTH_URL: 'https://a.example.com', ALLOWED_HOSTS: 'a.example.com' },
    'ALLOWED_HOSTS must not name a.example.com: it is the host of AUTH_URL',
  ],
]
test.each(refused)('origins: refuses %p in one sentence', (environment, message) => {
  let caught: unknown
  try {
    readConfig(environment)
  } catch (error) {
    caught = error
  }
  expect(caught).toBeInstanceOf(ConfigError)
  expect(String(caught)).toContain(message)
  expect(String(caught)).not.toContain('\n')
})
