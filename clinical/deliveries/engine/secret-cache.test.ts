import { afterEach, expect, jest, test } from 'bun:test'
import { createEncryption } from '#database/encryption.ts'
import { cachedOpen } from './secret-cache.ts'

afterEach(() => void jest.useRealTimers())

function openCache() {
  const encryption = createEncryption(['a secret'])
  let times = 0
  const open = cachedOpen({
    ...encryption,
    open(purpose, encrypted) {
      times++
      return encryption.open(purpose, encrypted)
    },
  })
  return { encryption, open, times: () => times }
}

test('secret cache: decrypts a secret once in 30 seconds', () => {
  jest.useFakeTimers()
  const { encryption, open, times } = openCache()
  const encrypted = encryption.encrypt('one', 'whsec_one')
  const read = () => open('one', encrypted)
  expect([read(), read(), times()]).toEqual(['whsec_one', 'whsec_one', 1])
  jest.advanceTimersByTime(30_000)
  expect([read(), times()]).toEqual(['whsec_one', 2])
})

test('secret cache: does not return a secret for another purpose', () => {
  const { encryption, open, times } = openCache()
  const encrypted = encryption.encrypt('one', 'whsec_one')
  expect([open('one', encrypted), open('other', encrypted), open('other', encrypted)]).toEqual([
    'whsec_one',
    null,
    null,
  ])
  expect(times()).toBe(3)
})
