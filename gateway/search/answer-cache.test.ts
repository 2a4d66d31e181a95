import { expect, test } from 'bun:test'
import { cached } from './answer-cache.ts'

function counted(most: number) {
  const asked: string[] = []
  const answer = cached(most, ({ search }: { search: string }) => {
    asked.push(search)
    if (search === '?wrong') throw new Error('refused')
    return { type: 'text/plain', body: search }
  })
  return { asked, answer: (search: string) => answer({ search }) }
}

test('a repeated request gets the same response, and never that of another request', () => {
  const { asked, answer } = counted(10)
  expect(answer('?a')).toBe(answer('?a'))
  expect(answer('?a=').body).toBe('?a=')
  expect(asked).toEqual(['?a', '?a='])
})

test('a failed request is retried', () => {
  const { asked, answer } = counted(10)
  for (let times = 0; times < 2; times++) expect(() => answer('?wrong')).toThrow('refused')
  expect(asked).toEqual(['?wrong', '?wrong'])
})

test('the cache is bounded, drops the oldest first, and skips long requests', () => {
  const { asked, answer } = counted(2)
  for (const search of ['?a', '?b', '?c', '?c', '?b', '?a']) answer(search)
  expect(asked).toEqual(['?a', '?b', '?c', '?a'])
  const long = `?${'x'.repeat(1000)}`
  for (let times = 0; times < 2; times++) expect(answer(long).body).toBe(long)
  expect(asked.slice(4)).toEqual([long, long])
})
