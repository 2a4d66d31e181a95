import { expect, test } from 'bun:test'
import path from 'node:path'
import {
  baseUrlOf,
  ConfigError,
  forgetProxies,
  isPrivate,
  readConfig,
  storageOf,
} from './config.ts'

test('configuration: an empty environment uses all defaults', () => {
  const config = readConfig({})
  expect(config).toMatchObject({
    port: 3000,
    host: '127.0.0.1',
    databaseUrl: undefined,
    siteDir: undefined,
    allowedHosts: [],
    trustedProxies: [],
    logFormat: 'auto',
    logAddresses: 'none',
    rateLimitRequests: 6000,
    siteRateLimitRequests: 300,
    redisUrl: undefined,
    poolSize: 10,
  })
  expect(path.isAbsolute(config.dataDir)).toBe(true)
  expect(Object.isFrozen(config)).toBe(true)
  expect(baseUrlOf(config, 4321)).toBe('http://localhost:4321')
})

test('configuration: an empty variable counts as not set, and unknown variables are ignored', () => {
  expect(readConfig({ PORT: ' ', BASE_URL: '', ANYTHING: 'x' }).port).toBe(3000)
})

test('configuration: reads every variable', () => {
  const config = readConfig({
    PORT: '0',
    HOST: '::',
    DATABASE_URL: 'postgresql://owner:p%40ss@db.internal:5433/app',
    SITE_DIR: '/srv/sites/../sites/current',
    WAL_ARCHIVE: '/srv/archive/',
    BASE_URL: 'https://api.example.com/',
    ALLOWED_HOSTS: 'Docs.example.com, localhost:3001',
    TRUSTED_PROXIES: '10.0.0.0/8, 2001:db8::1',
    KEY_PEPPER: 'x'.repeat(32),
    SEAL_KEYS: `${'n'.repeat(32)}, ${'o'.repeat(32)}`,
    SIGNING_KEYS: `${'s'.repeat(32)}, ${'t'.repeat(32)}`,
    WEBHOOK_ALLOW: '127.0.0.1, ::1',
    S3_ENDPOINT: 'https://s3.example.com/',
    S3_BUCKET: 'documents',
    S3_ACCESS_KEY_ID: 'AKIAEXAMPLE',
    S3_SECRET_ACCESS_KEY: 'secret',
    LOG_FORMAT: 'json',
    SITE_RATE_LIMIT_REQUESTS: '1000',
    REDIS_URL: 'rediss://user:p%40ss@redis.internal:6380/1',
    SMTP_URL: 'smtps://user:p%40ss@mail.internal:465',
    MAIL_FROM: 'calls@example.com',
    SALES_EMAIL: 'sales@example.com',
    TLS_CERTIFICATE: '/etc/tls/gateway.pem',
    TLS_KEY: '/etc/tls/gateway.key',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector.internal:4318/otlp/',
  })
  expect(config.tls).toEqual({ certificate: '/etc/tls/gateway.pem', key: '/etc/tls/gateway.key' })
  expect(config.smtpUrl).toBe('smtps://user:p%40ss@mail.internal:465')
  expect([config.mailFrom, config.salesEmail]).toEqual(['calls@example.com', 'sales@example.com'])
  expect(config.siteRateLimitRequests).toBe(1000)
  expect(config.redisUrl).toBe('rediss://user:p%40ss@redis.internal:6380/1')
  expect(config.encryptionKeys).toEqual(['n'.repeat(32), 'o'.repeat(32)])
  expect(config.signingKeys).toEqual(['s'.repeat(32), 't'.repeat(32)])
  expect(config.webhookAllow.map(([address]) => address.toString())).toEqual(['127.0.0.1', '::1'])
  expect(config.port).toBe(0)
  expect(config.tracesEndpoint).toBe('http://collector.internal:4318/otlp')
  expect(storageOf(config).bucket).toEqual({
    endpoint: 'https://s3.example.com',
    bucket: 'documents',
    region: 'us-east-1',
    accessKeyId: 'AKIAEXAMPLE',
    secretAccessKey: 'secret',
  })
  expect(config.siteDir).toBe('/srv/sites/current')
  expect(config.walArchive).toBe('/srv/archive')
  expect(config.baseUrl).toBe('https://api.example.com')
  expect(config.allowedHosts).toEqual(['docs.example.com', 'localhost:3001'])
  expect(config.trustedProxies.map(([address, bits]) => `${address.toString()}/${bits}`)).toEqual([
    '10.0.0.0/8',
    '2001:db8::1/128',
  ])
})

const refused: [string, string, string][] = [
  ['S3_BUCKET', 'documents', 'S3_ENDPOINT, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY must be set too'],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318', 'must be a URL such as http://localhost:4318'],
  ['TURN_URLS', 'turn:turn.example.com', 'TURN_SECRET must be set too'],
  ['CLAMAV_ADDRESS', '3310', 'CLAMAV_ADDRESS must be a host and a port'],
  ['CLAMAV_ADDRESS', 'scanner:70000', 'CLAMAV_ADDRESS must be a host and a port'],
  ['PORT', 'abc', 'PORT must be a whole number from 0 to 65535, but is "abc"'],
  ['PORT', '70000', 'PORT must be a whole number from 0 to 65535, but is "70000"'],
  ['PORT', '1e3', 'PORT must be a whole number from 0 to 65535, but is "1e3"'],
  ['HOST', 'my host', 'HOST must be an address to listen on'],
  ['DATABASE_URL', 'mysql://u:secret@h/d', 'but the value begins with "mysql"'],
  ['DATABASE_URL', 'postgres://u:secret@h', 'but the value names no database'],
  ['BASE_URL', 'example.com', 'BASE_URL must be a URL without a path'],
  ['BASE_URL', 'https://example.com/api', 'BASE_URL must be a URL without a path'],
  ['ALLOWED_HOSTS', 'https://a.example', 'ALLOWED_HOSTS must be hostnames'],
  ['TRUSTED_PROXIES', '10.0.0.0/33', 'TRUSTED_PROXIES must be addresses or ranges'],
  ['TRUSTED_PROXIES', '*', 'TRUSTED_PROXIES must be addresses or ranges'],
  ['KEY_PEPPER', 'short', 'KEY_PEPPER must have at least 32 characters, but has 5'],
  ['SEAL_KEYS', `${'x'.repeat(32)},short`, 'SEAL_KEYS must have at least 32 characters'],
  ['WEBHOOK_ALLOW', 'localhost', 'WEBHOOK_ALLOW must be addresses or ranges'],
  ['LOG_ADDRESSES', 'yes', 'LOG_ADDRESSES must be none, hashed or plain, but is "yes"'],
  ['LOG_FORMAT', 'xml', 'LOG_FORMAT must be auto, json, text or failures, but is "xml"'],
  ['RATE_LIMIT_REQUESTS', '0', 'RATE_LIMIT_REQUESTS must be a whole number from 1'],
  ['SITE_RATE_LIMIT_REQUESTS', '0', 'SITE_RATE_LIMIT_REQUESTS must be a whole number from 1'],
  ['REDIS_URL', 'http://u:secret@h', 'but the value begins with "http"'],
  ['SMTP_URL', 'http://u:secret@h', 'but the value begins with "http"'],
  ['MAIL_FROM', 'Us <us@example.com>', 'MAIL_FROM must be a plain email address'],
  ['SALES_EMAIL', 'sales', 'SALES_EMAIL must be a plain email address'],
  ['WAL_ARCHIVE', '/srv/$(date)', 'WAL_ARCHIVE must be a folder whose path contains none of'],
  ['POOL_SIZE', '-1', 'POOL_SIZE must be a whole number from 1 to 500'],
]
for (const [name, value, message] of refused) {
  test(`configuration: refuses ${name}=${value} in one line that contains no secret`, () => {
    let caught: unknown
    try {
      readConfig({ [name]: value })
    } catch (error) {
      caught = error
    }
    expect(caught).toBeInstanceOf(ConfigError)
    expect(String(caught)).toContain(message)
    expect(String(caught)).not.toMatch(/\n|secret/)
  })
}

test.each([
  [{}, true],
  [{ BASE_URL: 'http://127.0.0.1:3000', HOST: '::1' }, true],
  [{ HOST: '0.0.0.0' }, false],
  [{ BASE_URL: 'https://api.example.com' }, false],
])('configuration: %p is reachable only from this machine: %p', (environment, expected) => {
  expect(isPrivate(readConfig(environment))).toBe(expected)
})

test('configuration: removes proxy variables in either case', () => {
  const names = ['HTTP_PROXY', 'https_proxy', 'ALL_PROXY', 'all_proxy']
  for (const name of names) process.env[name] = 'http://127.0.0.1:9'
  forgetProxies()
  expect(names.filter(name => process.env[name] !== undefined)).toEqual([])
})

test('configuration: video goes between browsers, through a TURN server, or through Daily', () => {
  const turn = {
    TURN_URLS: 'turn:a.example.com:3478, turns:b.example.com',
    TURN_SECRET: 'a secret',
  }
  expect(readConfig({}).video).toEqual({})
  expect(readConfig(turn).video).toEqual({
    turn: { urls: ['turn:a.example.com:3478', 'turns:b.example.com'], secret: 'a secret' },
  })
  const daily = { DAILY_API_KEY: 'a key' }
  expect(readConfig(daily).video).toEqual({
    daily: { origin: 'https://api.daily.co/v1', key: 'a key' },
  })
  for (const [settings, message] of [
    [{ ...turn, ...daily }, 'must not both be set'],
    [{ ...turn, TURN_URLS: 'https://turn.example.com' }, 'TURN_URLS must be addresses'],
    [{ ...daily, DAILY_URL: 'http://daily.example.com' }, 'DAILY_URL must be an https address'],
  ] as const) {
    expect(() => readConfig(settings)).toThrow(message)
  }
})
