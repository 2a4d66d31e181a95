import { expect, test } from 'bun:test'
import { until } from '#http/testing/until.ts'
import { readConfig } from '../settings/config.ts'
import { createLiveGate } from './gate.ts'
import { type DatabaseFacts, missingSettings } from './requirements.ts'

const secret = 'a secret of thirty-two characters or more'
const whole = {
  DATABASE_URL: 'postgres://owner:password@db.example.com/clinic?sslmode=verify-full',
  BASE_URL: 'https://api.example.com',
  AUTH_URL: 'https://auth.example.com',
  MCP_URL: 'https://mcp.example.com/mcp',
  PORTAL_URL: 'https://portal.example.com',
  CONSOLE_URL: 'https://console.example.com',
  KEY_PEPPER: secret,
  SEAL_KEYS: secret,
  SMTP_URL: 'smtps://user:password@mail.example.com:465',
  S3_ENDPOINT: 'https://s3.example.com',
  S3_BUCKET: 'documents',
  S3_ACCESS_KEY_ID: 'id',
  S3_SECRET_ACCESS_KEY: secret,
}
const ready: DatabaseFacts = {
  is_encrypted: true,
  archives: true,
  is_encryption_stated: true,
  is_archive_failing: false,
  is_used: false,
}

async function opened(settings: Record<string, string | undefined>, facts = ready) {
  const lines: [string, object | undefined][] = []
  const log = { event: (name: string, fields?: object) => void lines.push([name, fields]) }
  const gate = createLiveGate({ config: readConfig(settings), log })
  await gate.watch(async () => facts)
  gate.stop()
  return { isOpen: gate.isOpen(), lines, health: await gate.check.run() }
}

test('with every setting, and a database that encrypts and archives, live mode is open', async () => {
  expect(await opened(whole)).toEqual({
    isOpen: true,
    lines: [['live.open', undefined]],
    health: { status: 'pass', observedValue: 'open' },
  })
})

test.each([
  ['DATABASE_URL', { DATABASE_URL: undefined }],
  ['DATABASE_URL', { DATABASE_URL: 'postgres://owner:password@db.example.com/clinic' }],
  ['DATABASE_URL', { DATABASE_URL: 'postgres://o:p@db.example.com/clinic?sslmode=require' }],
  ['KEY_PEPPER', { KEY_PEPPER: undefined }],
  ['SEAL_KEYS', { SEAL_KEYS: undefined }],
  ['SMTP_URL', { SMTP_URL: undefined }],
  [
    'S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY',
    {
      S3_ENDPOINT: undefined,
      S3_BUCKET: undefined,
      S3_ACCESS_KEY_ID: undefined,
      S3_SECRET_ACCESS_KEY: undefined,
    },
  ],
] as const)(
  'without %s, live mode is closed, and the log has the reason',
  async (setting, change) => {
    const settings = { ...whole, ...change }
    expect(missingSettings(readConfig(settings)).map(one => one.setting)).toEqual([setting])
    const { isOpen, lines, health } = await opened(settings)
    expect(isOpen).toBe(false)
    expect(lines).toEqual([
      ['live.closed', { missing: setting, see: 'npm run admin -- doctor --live' }],
    ])
    // The response is public, so it includes no setting.
    expect(health).toEqual({
      status: 'pass',
      observedValue: 'closed',
      output: 'Live mode is not open on this server. Test mode is available.',
    })
  },
)

test.each([
  ['DATABASE_URL', { is_encrypted: false }],
  ['archive_mode', { archives: false }],
  ['encryption', { is_encryption_stated: false }],
])(
  'a database without %s closes live mode; health warns once a clinic has granted access',
  async (missing, change) => {
    const { isOpen, lines, health } = await opened(whole, { ...ready, ...change, is_used: true })
    expect(isOpen).toBe(false)
    expect(lines).toEqual([['live.closed', { missing, see: 'npm run admin -- doctor --live' }]])
    expect(health.status).toBe('warn')
  },
)

test('live mode stays closed until the database responds, and keeps its state during an outage', async () => {
  const lines: [string, object | undefined][] = []
  const log = { event: (name: string, fields?: object) => void lines.push([name, fields]) }
  const gate = createLiveGate({ config: readConfig(whole), log, everyMilliseconds: 1 })
  let isAway = true
  let asked = 0
  const ask = async () => {
    asked++
    if (isAway) throw new Error('the database is unavailable')
    return ready
  }
  await gate.watch(ask)
  expect(gate.isOpen()).toBe(false)
  const reason = expect.objectContaining({ message: 'the database is unavailable' })
  expect(lines[0]).toEqual(['live.not_checked', reason])
  isAway = false
  await until(() => gate.isOpen())
  isAway = true
  const before = asked
  await until(() => asked >= before + 2)
  expect(gate.isOpen()).toBe(true)
  gate.stop()
})

test('a local platform serves live mode, and reports that it is local', async () => {
  const { isOpen, health } = await opened({})
  expect([isOpen, health.observedValue]).toEqual([true, 'local'])
})
