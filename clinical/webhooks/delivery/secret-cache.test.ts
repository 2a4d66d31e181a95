import { afterEach, expect, jest, test } from 'bun:test'
import { openSeal } from '#database/encryption.ts'
import { openSecrets } from './secret-cache.ts'

afterEach(() => void jest.useRealTimers())

function counted() {
  const seal = openSeal(['a secret'])
  let times = 0
  const open = openSecrets({
    ...seal,
    open(purpose, sealed) {
      times++
      return seal.open(purpose, sealed)
    },
  })
  return { seal, open, times: () => times }
}

test('a secret is opened once, and anew when half a minute is over', () => {
  jest.useFakeTimers()
  const { seal, open, times } = counted()
  const sealed = seal.seal('one', 'whsec_one')
  const read = () => open('one', sealed)
  expect([read(), read(), times()]).toEqual(['whsec_one', 'whsec_one', 1])
  jest.advanceTimersByTime(30_000)
  expect([read(), times()]).toEqual(['whsec_one', 2])
})

test('what was opened for one purpose does not open for another', () => {
  const { seal, open, times } = counted()
  const sealed = seal.seal('one', 'whsec_one')
  expect([open('one', sealed), open('other', sealed), open('other', sealed)]).toEqual([
    'whsec_one',
    null,
    null,
  ])
  expect(times()).toBe(3)
})
