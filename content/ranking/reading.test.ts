import { expect, test } from 'bun:test'
import { termsOf } from './question.ts'
import { readerOf } from './reading.ts'

const read = readerOf(
  new Map([
    ['webhook', 9],
    ['secret', 4],
    ['hair', 2],
    ['webhook_secret', 1],
  ]),
)

test('reading: a misspelled word is read as the right one with less weight, alone and in a pair', () => {
  const { asked, counts } = read(termsOf('webhok secret'))
  expect(asked.toSorted()).toEqual(['secret', 'webhook', 'webhook_secret'])
  expect([...counts].toSorted()).toEqual([
    ['secret', 1],
    ['webhook', 0.8],
    ['webhook_secret', 0.8],
  ])
})

test('reading: a word in a sentence that doesn’t ask counts little and decides nothing', () => {
  const { asked, counts } = read(termsOf('We sell hair products. Is a webhook secret needed?'))
  expect(asked).not.toContain('hair')
  expect(counts.get('hair')).toBeLessThan(0.5)
})

test('reading: at most six words are corrected', () => {
  const strange = [...'abcdef'].map(letter => `strange${letter}`)
  expect(read([...strange.slice(1), 'webhok']).asked).toContain('webhook')
  expect(read([...strange, 'webhok']).asked).not.toContain('webhook')
})
