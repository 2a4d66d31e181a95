import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { clockFinding } from './finding.ts'
import { judgeSettings, unset } from './settings.ts'

const page = readFileSync(path.join(import.meta.dir, '../../deploy/README.md'), 'utf8')
const table = page.slice(
  page.indexOf('| setting | when to set it'),
  page.indexOf('**Set the public URL'),
)

test('doctor: checks every documented setting', () => {
  const named = [...table.matchAll(/^\| (`.+?) \|/gm)].flatMap(
    ([, cell = '']) => cell.match(/\b[A-Z][A-Z0-9_]+\b/g) ?? [],
  )
  const judged = new Map(judgeSettings({}, false).findings.map(one => [one.name, one.text]))
  // These are read only with another setting.
  const dependent = new Set(['ABLY_URL', 'DAILY_URL', 'S3_REGION'])
  const missing = named.filter(name => !judged.has(name) && !dependent.has(name))
  expect([named.length > 35, missing]).toEqual([true, []])
  expect(new Set(judged.values())).toEqual(new Set([unset]))
})

test('doctor: reports all errors at once, and checks the rest', () => {
  const { findings, isWrong, config } = judgeSettings(
    { PORT: 'x', S3_BUCKET: 'documents', KEY_PEPPER: 'short', POOL_SIZE: '7', TLS_KEY: '/none' },
    false,
  )
  const faults = findings.filter(({ status }) => status === 'fault')
  expect(faults.map(({ name }) => name)).toEqual(['PORT', 'TLS_KEY', 'KEY_PEPPER', 'S3_BUCKET'])
  expect([isWrong, config.poolSize]).toEqual([true, 7])
})

test('doctor: a missing file is a fault, and a misspelled name is a warning', () => {
  const { findings, isWrong } = judgeSettings({ SITE_DIR: '/none', REDIS_URI: 'x' }, false)
  expect(
    findings.filter(({ status }) => status !== 'ok').map(({ name, text }) => [name, text]),
  ).toEqual([
    ['SITE_DIR', "Names a file that doesn't exist."],
    ['REDIS_URI', 'Unknown setting. Did you mean REDIS_URL?'],
  ])
  expect(isWrong).toBe(false)
})

test('doctor: warns about single-machine secrets if others can reach the platform', () => {
  const { findings } = judgeSettings(
    {
      BASE_URL: 'https://api.example.com',
      AUTH_URL: 'https://auth.example.com',
      MCP_URL: 'https://mcp.example.com',
      PORTAL_URL: 'https://portal.example.com',
      CONSOLE_URL: 'https://console.example.com',
    },
    false,
  )
  const doubted = findings.filter(({ status }) => status === 'warning').map(({ name }) => name)
  expect(doubted).toEqual(['KEY_PEPPER', 'SEAL_KEYS', 'SMTP_URL', 'TRUSTED_PROXIES'])
})

test('doctor: a clock more than five seconds off is a fault', () => {
  expect([4900, -4900, 5100, -5100].map(off => clockFinding('clock', off).status)).toEqual([
    'ok',
    'ok',
    'fault',
    'fault',
  ])
})
