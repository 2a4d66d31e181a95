import { expect, test } from 'bun:test'
import { elsewhere } from './elsewhere.ts'

/** A hundred pages: one contains `webhook`, and most contain `case`. */
const isElsewhere = elsewhere({
  documentCount: 100,
  index: [
    ['webhook', { 0: { 1: 1 } }],
    ['sign', { 0: { 1: 1, 2: 1 } }],
    ['case', { 0: Object.fromEntries(Array.from({ length: 90 }, (_, at) => [at, 1])) }],
    ...['retri', 'secret', 'order'].map(term => [term, { 0: { 3: 1 } }] as const),
  ],
  related: { callback: ['webhook'] },
  floor: 3,
  asking: new Set(['work']),
})

test('elsewhere: a question is off topic if its best page matches few of its words', () => {
  expect(isElsewhere(['pizza', 'chicago', 'case'], ['case'])).toBe(true)
  expect(isElsewhere(['pizza', 'webhook'], ['webhook'])).toBe(false)
})

test('elsewhere: words found only on other pages don’t make a question off topic', () => {
  expect(isElsewhere(['webhook', 'retri', 'secret', 'order'], ['webhook'])).toBe(false)
})

test('elsewhere: a page that mentions the words only in passing is not an answer', () => {
  const [words, both] = [['webhook', 'retri'], 2 * Math.log(1 + 99.5 / 1.5)]
  expect(isElsewhere(words, words, 2.9 * both)).toBe(true)
  expect(isElsewhere(words, words, 3.1 * both)).toBe(false)
})

test('elsewhere: question words don’t count, and synonyms count as one', () => {
  expect(isElsewhere(['work', 'callback'], ['webhook'])).toBe(false)
  expect(isElsewhere(['work'], [])).toBe(false)
})

test('elsewhere: two distinctive words are enough for a long question', () => {
  const long = ['webhook', 'sign', ...'abcdefgh'.split('').map(letter => `unknown${letter}`)]
  expect(isElsewhere(long, ['webhook'])).toBe(true)
  expect(isElsewhere(long, ['webhook', 'sign'])).toBe(false)
})
