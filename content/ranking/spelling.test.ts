import { expect, test } from 'bun:test'
import { speller } from './spelling.ts'

const spell = speller(
  new Map([
    ['webhook', 9],
    ['pharmaci', 5],
    ['order', 7],
    ['border', 1],
    ['side', 3],
    ['effect', 4],
  ]),
)

test('spelling: one missing, extra, wrong or misplaced letter is corrected', () => {
  for (const word of ['webook', 'webhoook', 'webhoik', 'wehbook'])
    expect([word, spell(word)]).toEqual([word, ['webhook']])
})

test('spelling: a word with two equally near corrections becomes the one on more pages', () => {
  expect(spell('zorder')).toEqual(['order'])
})

test('spelling: known words, short words and words without a neighbor stay', () => {
  for (const word of ['border', 'oder', 'keyboard', 'webhook_order'])
    expect(spell(word)).toEqual([word])
})

test('spelling: two words written as one are split, and a stop word is omitted', () => {
  expect(spell('sideeffect')).toEqual(['side', 'effect'])
  expect(spell('theeffect')).toEqual(['effect'])
})

test('spelling: a stop word with two swapped letters is omitted', () => {
  for (const word of ['waht', 'teh', 'becuase']) expect([word, spell(word)]).toEqual([word, []])
})
