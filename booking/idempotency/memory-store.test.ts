import { expect, spyOn, test } from 'bun:test'
import { until } from '#http/testing/until.ts'
import { createMemoryStore } from './memory-store.ts'

const call = { scope: 'tests', key: 'k', content: '{}' }
const answer = { status: 200, body: 'first' }

test('dry-run store: replays a success, and refuses the key with other content', async () => {
  const store = createMemoryStore()
  const first = await store.once(call, async () => answer)
  expect(first).toEqual({ kind: 'answered', answer, replayed: false })
  const replayed = { kind: 'answered', answer, replayed: true } as const
  expect(await store.once(call, async () => ({ status: 200, body: 'second' }))).toEqual(replayed)
  expect(await store.find(call)).toEqual(replayed)
  expect(await store.keep(call, { status: 200, body: 'third' })).toEqual(replayed)
  expect((await store.once({ ...call, content: '[]' }, async () => answer)).kind).toBe('conflict')
  expect(await store.find({ ...call, key: 'other' })).toBeUndefined()
})

test('dry-run store: one of several concurrent calls does the work; a refusal frees the key', async () => {
  const store = createMemoryStore()
  const { promise, resolve } = Promise.withResolvers<typeof answer>()
  const working = store.once(call, () => promise)
  const inFlight = { kind: 'in_flight', retrySeconds: 1 } as const
  expect(await store.once(call, async () => answer)).toEqual(inFlight)
  resolve({ status: 300, body: 'no success' })
  await working
  await expect(store.once(call, () => Promise.reject(new Error('failed')))).rejects.toThrow()
  expect(await store.once(call, async () => answer)).toMatchObject({ replayed: false })
})

test('dry-run store: keeps the first of two responses to each of a thousand requests', async () => {
  const store = createMemoryStore()
  expect(await store.keep(call, answer)).toEqual({ kind: 'answered', answer, replayed: false })
  const other = { status: 200, body: 'second' }
  const replayed = { kind: 'answered', answer, replayed: true } as const
  expect(await store.keep(call, other)).toEqual(replayed)
  for (let n = 1; n < 1000; n++) await store.keep({ ...call, key: `k${n}` }, other)
  // The most recently read entry is evicted last.
  expect(await store.keep({ ...call, key: 'k1' }, answer)).toMatchObject({ answer: other })
  await store.keep({ ...call, key: 'one more' }, other)
  expect(await store.find(call)).toBeUndefined()
  expect(await store.find({ ...call, key: 'k1' })).toMatchObject({ answer: other })
})

test('dry-run store: forgets a response after an hour', async () => {
  let milliseconds = performance.now()
  const clock = spyOn(performance, 'now').mockImplementation(() => milliseconds)
  try {
    const store = createMemoryStore()
    await store.keep(call, answer)
    milliseconds += 3_599_000
    expect(await store.find(call)).toMatchObject({ replayed: true })
    milliseconds += 2000
    await until(async () => (await store.find(call)) === undefined)
  } finally {
    clock.mockRestore()
  }
})
