import { afterEach, expect, jest, test } from 'bun:test'
import { publicAddresses } from '#http/outgoing/addresses.ts'
import { vetUrl } from './addresses.ts'
import { inTime } from './resolve-in-time.ts'

afterEach(() => void jest.useRealTimers())

type Question = PromiseWithResolvers<readonly string[]> & { host: string }

/** A resolver whose responses the test controls, and the queries it received. */
function slow() {
  const questions: Question[] = []
  const resolve = (host: string) => {
    const question = { ...Promise.withResolvers<readonly string[]>(), host }
    questions.push(question)
    return question.promise
  }
  return { questions, resolve }
}

test('resolveInTime: returns a timely response and resolves each name once at a time', async () => {
  const { questions, resolve } = slow()
  const resolveInTime = inTime(resolve)
  const both = [resolveInTime('a.example'), resolveInTime('a.example')]
  questions[0]?.resolve(['8.8.8.8'])
  expect(await Promise.all(both)).toEqual([['8.8.8.8'], ['8.8.8.8']])
  expect(questions).toHaveLength(1)
  const again = resolveInTime('a.example')
  questions[1]?.reject(new Error('unknown host'))
  expect(await again.catch((failure: Error) => failure.message)).toBe('unknown host')
})

test('resolveInTime: an unresponsive resolver doesn’t block registrations', async () => {
  const { questions, resolve } = slow()
  const rule = { ...publicAddresses, resolve: inTime(resolve, 5) }
  const names = Array.from({ length: 200 }, (_, at) => `https://n${at}.example/`)
  const reasons = await Promise.all(names.map(url => vetUrl(url, 'test', rule)))
  expect(reasons.every(one => one === null)).toBe(true)
  // At most 100 names are resolved concurrently. A response that arrives in time ends the short
  // timeout.
  expect(questions).toHaveLength(100)
  for (const question of questions) question.resolve(['8.8.8.8'])
  await Promise.all(questions.map(({ promise }) => promise))
  const next = vetUrl('https://private.example/', 'test', rule)
  questions[100]?.resolve(['10.0.0.1'])
  expect(await next).toBeString()
})

test('resolveInTime: waits a second, or 50 milliseconds after a late response, until one is in time', async () => {
  jest.useFakeTimers()
  const { questions, resolve } = slow()
  const resolveInTime = inTime(resolve)
  /** Resolves a host, and returns the outcome after the given number of milliseconds. */
  const ask = (host: string) => {
    let outcome = 'none yet'
    resolveInTime(host).then(
      found => (outcome = String(found)),
      (failure: Error) => (outcome = failure.message),
    )
    return async (milliseconds: number) => {
      jest.advanceTimersByTime(milliseconds)
      for (let turn = 0; turn < 10; turn++) await Promise.resolve()
      return outcome
    }
  }
  const late = 'the resolver did not respond in time'
  const first = ask('a.example')
  expect([await first(999), await first(1)]).toEqual(['none yet', late])
  const second = ask('b.example')
  expect([await second(49), await second(1)]).toEqual(['none yet', late])
  const third = ask('c.example')
  questions.at(-1)?.resolve(['8.8.8.8'])
  expect(await third(0)).toBe('8.8.8.8')
  const fourth = ask('d.example')
  expect([await fourth(999), await fourth(1)]).toEqual(['none yet', late])
})
