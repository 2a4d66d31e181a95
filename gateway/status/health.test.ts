import { describe, expect, test } from 'bun:test'
import {
  type Check,
  countersCheck,
  diskCheck,
  healthEndpoint,
  mailCheck,
  siteCheck,
} from './health.ts'
import { databaseCheck } from './database.ts'
import { serve } from '#http/testing/endpoints.ts'

let time = Date.UTC(2026, 10, 21)
const healthy: Check = {
  name: 'thing:uptime',
  componentType: 'system',
  failed: 'It is gone.',
  run: () => ({ status: 'pass', observedValue: 1, observedUnit: 's' }),
}
const health = (checks: readonly Check[], timeoutMilliseconds = 50) =>
  serve({ endpoints: [healthEndpoint({ checks, clock: () => time, timeoutMilliseconds })] })
const ask = async (checks: readonly Check[]) => {
  const answer = await health(checks).call('/api/health')
  expect(answer.headers.get('content-type')).toBe('application/health+json')
  expect(answer.headers.has('ratelimit')).toBe(true)
  return { status: answer.status, body: await answer.json() }
}

describe('200', () => {
  test('health: pass, with each check’s result and time', async () => {
    const { status, body } = await ask([healthy])
    expect([status, body.status, body.version]).toEqual([200, 'pass', '2026-08-23'])
    expect(body.checks).toEqual({
      'thing:uptime': [
        {
          componentType: 'system',
          status: 'pass',
          observedValue: 1,
          observedUnit: 's',
          time: '2026-11-21T00:00:00.000Z',
        },
      ],
    })
    expect(URL.canParse(body.links.about)).toBe(true)
  })

  test('health: warn, with 200, when a check is degraded', async () => {
    let isRefusing = false
    const site = siteCheck({ articles: () => 16, isRefusing: () => isRefusing })
    expect((await ask([healthy, site])).body.status).toBe('pass')
    isRefusing = true
    const { status, body } = await ask([healthy, site])
    expect([status, body.status]).toEqual([200, 'warn'])
    expect(body.checks['site:articles'][0]).toMatchObject({ status: 'warn', observedValue: 16 })
    const mail = async (seconds: number) => (await ask([mailCheck(async () => seconds)])).body
    expect([(await mail(900)).status, (await mail(901)).status]).toEqual(['pass', 'warn'])
    expect((await ask([diskCheck(() => 255 * 2 ** 20)])).body.status).toBe('warn')
    expect((await ask([diskCheck(() => 256 * 2 ** 20)])).body.status).toBe('pass')
    expect((await ask(countersCheck(() => false))).body.status).toBe('warn')
    expect((await ask(countersCheck(() => true))).body.status).toBe('pass')
    expect(countersCheck(() => null)).toEqual([])
  })
})

describe('503', () => {
  test('health: fail, without the reason, when the database refuses, throws or hangs', async () => {
    const down = [
      () => Promise.reject(new Error('password of 10.0.0.1')),
      () => {
        throw new Error('password of 10.0.0.1')
      },
      () => new Promise(() => {}),
    ]
    for (const ping of down) {
      const { status, body } = await ask([healthy, databaseCheck(ping)])
      expect([status, body.status]).toEqual([503, 'fail'])
      expect(body.checks['database:responseTime'][0].output).toStartWith('The database is')
      expect(JSON.stringify(body)).not.toContain('password')
    }
    const { body } = await ask([databaseCheck(async () => 1)])
    expect(body.checks['database:responseTime'][0]).toMatchObject({
      status: 'pass',
      observedValue: expect.any(Number),
      observedUnit: 'ms',
    })
  })
})

test('health: fails when the disk is full, and gives that reason', async () => {
  const { status, body } = await ask([healthy, diskCheck(() => 31 * 2 ** 20)])
  expect([status, body.checks['disk:available'][0].output]).toEqual([
    503,
    'The disk is full. Writes are refused until space is freed. Pages still work.',
  ])
})

test('health: concurrent requests run the checks once; the report is cached for two seconds', async () => {
  let runs = 0
  const counted: Check = { ...healthy, run: () => (runs++, { status: 'pass' }) }
  const { call } = health([counted])
  await Promise.all(Array.from({ length: 50 }, () => call('/api/health')))
  await call('/api/health')
  expect(runs).toBe(1)
  time += 1999
  await call('/api/health')
  expect(runs).toBe(1)
  time += 1
  await call('/api/health')
  expect(runs).toBe(2)
})
