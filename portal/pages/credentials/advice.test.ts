import { expect, test } from 'bun:test'
import { allScopes } from '#contract/scopes.ts'
import { adviceFor } from './advice.ts'

const now = Date.parse('2026-11-22T12:00:00Z')
const ago = (days: number) => new Date(now - days * 86_400_000).toISOString()
const use = (operation: string, first: number, last = 0) => ({
  operation,
  calls: 1,
  first_at: ago(first),
  last_at: ago(last),
})
const scopes = ['patients:read', 'cases:read', 'cases:write']

test('advice: after a week of calls, the scopes that no call used', () => {
  const uses = [use('listPatients', 7), use('getCase', 1)]
  expect(adviceFor(scopes, uses, now)).toEqual({
    used: ['patients:read', 'cases:read'],
    unused: ['cases:write'],
  })
})

test('advice: none before a week, without calls, or when every scope is used', () => {
  expect(adviceFor(scopes, [use('listPatients', 6.99)], now)).toBeNull()
  expect(adviceFor(scopes, [], now)).toBeNull()
  expect(adviceFor(['patients:read'], [use('listPatients', 30)], now)).toBeNull()
})

test('advice: a scope that was not used for 30 days counts as unused', () => {
  const uses = [use('listPatients', 60), use('getCase', 60, 30), use('createCase', 60, 29.9)]
  expect(adviceFor(scopes, uses, now)?.unused).toEqual(['cases:read'])
})

test('advice: an entirely unused credential isn’t narrowed to nothing', () => {
  expect(adviceFor(allScopes, [use('listPatients', 90, 40)], now)).toBeNull()
})

test('advice: a preview operation uses its scope as well', () => {
  expect(adviceFor(['events:read', 'cases:read'], [use('listRequests', 8)], now)).toEqual({
    used: ['events:read'],
    unused: ['cases:read'],
  })
})
