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

test('spelling: one letter left out, added, wrong or in the wrong place is corrected', () => {
  for (const word of ['webook', 'webhoook', 'webhoik', 'wehbook'])
    expect([word, spell(word)]).toEqual([word, ['webhook']])
})

test('spelling: of two equally near words, the one on more pages is used', () => {
  expect(spell('zorder')).toEqual(['order'])
})

test('spelling: a known word, a short one and one without a neighbor stay', () => {
  for (const word of ['border', 'oder', 'keyboard', 'webhook_order'])
    expect(spell(word)).toEqual([word])
})

test('spelling: two words written as one are two, and a stop word is left out', () => {
  expect(spell('sideeffect')).toEqual(['side', 'effect'])
  expect(spell('theeffect')).toEqual(['effect'])
})

test('spelling: a stop word with two letters swapped is left out', () => {
  for (const word of ['waht', 'teh', 'becuase']) expect([word, spell(word)]).toEqual([word, []])
})
