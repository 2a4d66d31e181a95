import { expect, test } from 'bun:test'
import { passwordFault } from './passwords.ts'

/** A thousand characters that follow no pattern. */
const long = Array.from({ length: 1100 }, (_, at) =>
  String.fromCharCode(33 + ((at * 7919 + ((at * at) % 89) * 31) % 94)),
).join('')

test('passwords: 12 to 1,000 characters are accepted, and one more or less is not', async () => {
  const few = 'Password must have at least 12 characters.'
  const many = 'Password must have at most 1000 characters.'
  const faults = [11, 12, 1000, 1001].map(length => passwordFault(long.slice(0, length), []))
  expect(await Promise.all(faults)).toEqual([few, undefined, undefined, many])
})

test('passwords: one that is found within a hundred million guesses is refused', async () => {
  // Two million guesses, and two hundred million.
  expect(await passwordFault('dragonmonkey77', [])).toStartWith(
    'Password must not be easy to guess.',
  )
  expect(await passwordFault('monkeyquartzes', [])).toBeUndefined()
})
