import { expect, test } from 'bun:test'
import { nearest } from './nearest.ts'

test('nearest: returns the smallest edit distance, then the first in alphabetical order', () => {
  expect(nearest('limt', ['cursor', 'limit', 'tag'])).toBe('limit')
  expect(nearest('glp1-basic', ['webhooks', 'glp-1-basics'])).toBe('glp-1-basics')
  expect(nearest('ab', ['xb', 'ax'])).toBe('ax')
  expect(nearest('ab', ['ax', 'xb'])).toBe('ax')
})

test('nearest: returns nothing if no candidate is near or the word is too long', () => {
  expect(nearest('entirely-different', ['limit', 'cursor'])).toBeUndefined()
  expect(nearest('x'.repeat(101), ['x'.repeat(100)])).toBeUndefined()
  expect(nearest('limit', [])).toBeUndefined()
})
