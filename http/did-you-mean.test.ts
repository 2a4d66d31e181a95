import { expect, test } from 'bun:test'
import { didYouMean } from './did-you-mean.ts'

test('did you mean: suggests the candidate with the fewest edits; ties go to the alphabetically first', () => {
  expect(didYouMean('limt', ['cursor', 'limit', 'tag'])).toBe('limit')
  expect(didYouMean('glp1-basic', ['webhooks', 'glp-1-basics'])).toBe('glp-1-basics')
  expect(didYouMean('ab', ['xb', 'ax'])).toBe('ax')
  expect(didYouMean('ab', ['ax', 'xb'])).toBe('ax')
})

test('did you mean: suggests nothing for a word that is too different or longer than 100 characters', () => {
  expect(didYouMean('entirely-different', ['limit', 'cursor'])).toBeUndefined()
  expect(didYouMean('x'.repeat(101), ['x'.repeat(100)])).toBeUndefined()
  expect(didYouMean('limit', [])).toBeUndefined()
})
