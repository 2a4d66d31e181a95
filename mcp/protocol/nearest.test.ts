import { expect, test } from 'bun:test'
import { nearest } from './nearest.ts'

test('the nearest by edits, and of equals the first in the alphabet', () => {
  expect(nearest('limt', ['cursor', 'limit', 'tag'])).toBe('limit')
  expect(nearest('glp1-basic', ['webhooks', 'glp-1-basics'])).toBe('glp-1-basics')
  expect(nearest('ab', ['xb', 'ax'])).toBe('ax')
  expect(nearest('ab', ['ax', 'xb'])).toBe('ax')
})

test('nothing where nothing is near, or the word is no word', () => {
  expect(nearest('entirely-different', ['limit', 'cursor'])).toBeUndefined()
  expect(nearest('x'.repeat(101), ['x'.repeat(100)])).toBeUndefined()
  expect(nearest('limit', [])).toBeUndefined()
})
