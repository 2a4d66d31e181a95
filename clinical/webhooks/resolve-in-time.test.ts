import { expect, test } from 'bun:test'
import { publicAddresses, vetUrl } from './delivery/addresses.ts'
import { inTime } from './resolve-in-time.ts'

type Question = PromiseWithResolvers<readonly string[]> & { host: string }

/** A resolver that answers when it is told to, and what it was asked. */
function slow() {
  const questions: Question[] = []
  const resolve = (host: string) => {
    const question = { ...Promise.withResolvers<readonly string[]>(), host }
    questions.push(question)
    return question.promise
  }
  return { questions, resolve }
}

test('what is answered in time is the answer, and a name is asked for once at a time', async () => {
  const { questions, resolve } = slow()
  const operationRequest = inTime(resolve)
  const both = [operationRequest('a.example'), operationRequest('a.example')]
  questions[0]?.resolve(['8.8.8.8'])
  expect(await Promise.all(both)).toEqual([['8.8.8.8'], ['8.8.8.8']])
  expect(questions).toHaveLength(1)
  const again = operationRequest('a.example')
  questions[1]?.reject(new Error('nobody knows it'))
  expect(await again.catch((failure: Error) => failure.message)).toBe('nobody knows it')
})

test('a resolver that never answers keeps nobody: its name is taken, and judged before attempts', async () => {
  const { questions, resolve } = slow()
  const rule = { ...publicAddresses, resolve: inTime(resolve, 5) }
  const names = Array.from({ length: 200 }, (_, at) => `https://n${at}.example/`)
  const said = await Promise.all(names.map(url => vetUrl(url, 'test', rule)))
  expect(said.every(one => one === null)).toBe(true)
  // No more are asked at once than that; what an answer says, when it comes, is heard again.
  expect(questions).toHaveLength(100)
  for (const question of questions) question.resolve(['8.8.8.8'])
  await Promise.all(questions.map(({ promise }) => promise))
  const next = vetUrl('https://private.example/', 'test', rule)
  questions[100]?.resolve(['10.0.0.1'])
  expect(await next).toBeString()
})
