import { expect, test } from 'bun:test'
import { agoText } from './words.tsx'

const now = Date.UTC(2026, 10, 28, 12)

test.each([
  [0, 'Less than a minute ago'],
  [59_999, 'Less than a minute ago'],
  [60_000, 'A minute ago'],
  [119_999, 'A minute ago'],
  [120_000, '2 minutes ago'],
  [600_000, '10 minutes ago'],
])('words: %p milliseconds are said as %p', (milliseconds, text) => {
  expect(agoText(new Date(now - milliseconds).toISOString(), now)).toBe(text)
})
