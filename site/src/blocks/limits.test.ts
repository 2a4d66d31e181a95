import { expect, test } from 'bun:test'
import { known, limitTables, namesIn, unseen } from './limits.ts'

test('limits: every contract number that callers can encounter is on the page', () => {
  expect([...new Set([...namesIn(), ...unseen])].sort()).toEqual([...known.keys()].sort())
  const page = limitTables()
  expect(page).not.toMatch(/NaN|undefined|[{}]/)
  for (const row of [
    '| Requests | 6,000 in 60 seconds |',
    '| Triggered events | 60 in 60 seconds |',
    '| Exports | 60 in 1 hour |',
    '| Access tokens | 1 hour; 20 per client |',
  ]) {
    expect(page).toContain(row)
  }
})
