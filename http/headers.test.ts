import { expect, test } from 'bun:test'
import { headerTemplates } from './headers.ts'

test('headers: cached headers are rebuilt if the version or any part of the policy changes', () => {
  const template = headerTemplates('site')
  const policy = { policy: 'default', quota: 300, window: 60 }
  const calls = [
    ['2026-08-23', policy],
    ['2026-11-22', policy],
    ['2026-11-22', { ...policy, quota: 301 }],
    ['2026-11-22', { ...policy, quota: 301, window: 61 }],
    ['2026-11-22', { policy: 'other', quota: 301, window: 61 }],
  ] as const
  const written = calls.map(([version, own]) => {
    const headers = template('application/json', version, own, true)
    // The second call reads the headers from the cache.
    expect(template('application/json', version, { ...own }, true)).toBe(headers)
    return ['api-version', 'ratelimit-policy', 'ratelimit-limit'].map(name => headers.get(name))
  })
  expect(written).toEqual([
    ['2026-08-23', '"default";q=300;w=60', '300'],
    ['2026-11-22', '"default";q=300;w=60', '300'],
    ['2026-11-22', '"default";q=301;w=60', '301'],
    ['2026-11-22', '"default";q=301;w=61', '301'],
    ['2026-11-22', '"other";q=301;w=61', '301'],
  ])
})
