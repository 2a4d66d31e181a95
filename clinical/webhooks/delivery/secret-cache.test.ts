import { afterEach, expect, jest, test } from 'bun:test'
import { createEncryption } from '#database/encryption.ts'
import { openSecrets } from './secret-cache.ts'

afterEach(() => void jest.useRealTimers())

function counted() {
  const encryption = createEncryption(['a secret'])
  let times = 0
  const open = openSecrets({
    ...encryption,
    open(purpose, encrypted) {
      times++
      return encryption.open(purpose, encrypted)
    },
  })
  return { encryption, open, times: () => times }
}

test('a secret is opened once, and anew when half a minute is over', () => {
  jest.useFakeTimers()
  const { encryption, open, times } = counted()
  const encrypted = encryption.encrypt('one', 'whsec_one')
  const read = () => open('one', encrypted)
  expect([read(), read(), times()]).toEqual(['whsec_one', 'whsec_one', 1])
  jest.advanceTimersByTime(30_000)
  expect([read(), times()]).toEqual(['whsec_one', 2])
})

test('what was opened for one purpose does not open for another', () => {
  const { encryption, open, times } = counted()
  const encrypted = encryption.encrypt('one', 'whsec_one')
  expect([open('one', encrypted), open('other', encrypted), open('other', encrypted)]).toEqual([
    'whsec_one',
    null,
    null,
  ])
  expect(times()).toBe(3)
})
