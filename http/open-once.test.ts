import { expect, test } from 'bun:test'
import { openOnce } from './open-once.ts'

test('opening: all callers share one result, including later ones', async () => {
  let count = 0
  const { get, ifOpened } = openOnce(async () => ++count)
  expect(ifOpened()).toBeUndefined()
  expect(await Promise.all([get(), get()])).toEqual([1, 1])
  expect(await get()).toBe(1)
  expect(await ifOpened()).toBe(1)
})

test('opening: a failure reaches everyone waiting, and the next caller tries again', async () => {
  let count = 0
  const { get, ifOpened } = openOnce(async () => {
    if (++count === 1) throw new Error('no file can be opened')
    return count
  })
  const both = await Promise.allSettled([get(), get()])
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(ifOpened()).toBeUndefined()
  expect(await get()).toBe(2)
})
