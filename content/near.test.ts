import { expect, test } from 'bun:test'
import { assert, constantFrom, integer, oneof, property, string, uniqueArray } from 'fast-check'
import { wordsNear } from './near.ts'

/** Levenshtein's table, whole. */
function distance(one: string, other: string): number {
  let above = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (let row = 1; row <= one.length; row++) {
    const here = [row]
    for (let at = 1; at <= other.length; at++) {
      const replaced = (above[at - 1] ?? 0) + (one[row - 1] === other[at - 1] ? 0 : 1)
      here.push(Math.min(replaced, (above[at] ?? 0) + 1, (here[at - 1] ?? 0) + 1))
    }
    above = here
  }
  return above.at(-1) ?? 0
}

test('the words that are found are those that the whole table finds', () => {
  const word = string({ unit: constantFrom('a', 'b', 'c'), minLength: 1, maxLength: 9 })
  const long = string({ unit: constantFrom('a', 'b'), minLength: 1, maxLength: 40 })
  assert(
    property(
      uniqueArray(oneof(word, word, long), { maxLength: 60 }),
      oneof(word, long),
      integer({ min: 1, max: 6 }),
      (drawn, wanted, most) => {
        const words = drawn.toSorted()
        const all = words.map((each, number) => ({ number, distance: distance(each, wanted) }))
        expect(wordsNear(words)(wanted, most)).toEqual(all.filter(each => each.distance <= most))
      },
    ),
    { numRuns: 1000 },
  )
})
