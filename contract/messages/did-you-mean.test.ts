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

test('did you mean: a candidate with the word in it, if no candidate is a few edits away', () => {
  expect(didYouMean('endpoint', ['type', 'webhook_endpoint'])).toBe('webhook_endpoint')
  expect(didYouMean('start', ['patient', 'starts_at', 'case'])).toBe('starts_at')
  expect(didYouMean('shipped', ['patient.created.v1', 'order.shipped.v1'])).toBe('order.shipped.v1')
  expect(didYouMean('order.*', ['case.queued.v1', 'order.failed.v1'])).toBe('order.failed.v1')
  expect(didYouMean('New York', ['NE', 'NY'])).toBeUndefined()
  expect(didYouMean('...', ['a', 'b'])).toBeUndefined()
  expect(didYouMean('id', ['external_id'])).toBeUndefined()
})
