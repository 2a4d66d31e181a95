import { expect, test } from 'bun:test'
import { elsewhere } from './elsewhere.ts'

/** A hundred pages: one has `webhook`, and `case` is on most of them. */
const isElsewhere = elsewhere({
  documentCount: 100,
  index: [
    ['webhook', { 0: { 1: 1 } }],
    ['sign', { 0: { 1: 1, 2: 1 } }],
    ['case', { 0: Object.fromEntries(Array.from({ length: 90 }, (_, at) => [at, 1])) }],
    ...['retri', 'secret', 'order'].map(term => [term, { 0: { 3: 1 } }] as const),
  ],
  related: { callback: ['webhook'] },
  asking: new Set(['work']),
})

test('elsewhere: a question is off topic if its best page matches little of it', () => {
  expect(isElsewhere(['pizza', 'chicago', 'case'], ['case'])).toBe(true)
  expect(isElsewhere(['pizza', 'webhook'], ['webhook'])).toBe(false)
})

test('elsewhere: words that only other pages have don’t make it one', () => {
  expect(isElsewhere(['webhook', 'retri', 'secret', 'order'], ['webhook'])).toBe(false)
})

test('elsewhere: words that ask count nothing, and words that mean the same count as one', () => {
  expect(isElsewhere(['work', 'callback'], ['webhook'])).toBe(false)
  expect(isElsewhere(['work'], [])).toBe(false)
})

test('elsewhere: two telling words are enough for a long question', () => {
  const long = ['webhook', 'sign', ...'abcdefgh'.split('').map(letter => `unknown${letter}`)]
  expect(isElsewhere(long, ['webhook'])).toBe(true)
  expect(isElsewhere(long, ['webhook', 'sign'])).toBe(false)
})
