import { afterEach, describe, expect, jest, test } from 'bun:test'
import { until } from '#http/testing/until.ts'
import { type BatchLimits, createBatches } from './batches.ts'

/** Batches that run until they are released. */
function openBatches(limits: BatchLimits = { batchMax: 3, runningMax: 1 }) {
  const runs: { items: readonly number[]; gate: PromiseWithResolvers<void> }[] = []
  const add = createBatches<number, string>(limits, async items => {
    const gate = Promise.withResolvers<void>()
    runs.push({ items, gate })
    await gate.promise
    return items.map(item => `result of ${item}`)
  })
  const ran = () => runs.map(({ items }) => items)
  const letGo = (at: number) => runs[at]?.gate.resolve()
  const fail = (at: number, failure: unknown) => runs[at]?.gate.reject(failure)
  /** Waits for this many batches, and returns all so far. */
  const untilRan = async (count: number) => {
    await until(() => runs.length >= count)
    return ran()
  }
  return { add, ran, untilRan, letGo, fail }
}

const rejectedValue = Object.assign(new Error('out of range'), { errno: '22003' })
const lost = Object.assign(new Error('lost'), { code: 'ERR_POSTGRES_CONNECTION_CLOSED' })

describe('batches', () => {
  test('a single item runs immediately; items that arrive while it runs share the next batch', async () => {
    const { add, ran, untilRan, letGo } = openBatches()
    const all = [1, 2, 3, 4, 5].map(add)
    expect(ran()).toEqual([[1]])
    letGo(0)
    expect(await all[0]).toBe('result of 1')
    expect(await untilRan(2)).toEqual([[1], [2, 3, 4]])
    letGo(1)
    expect(await Promise.all(all.slice(1, 4))).toEqual([
      'result of 2',
      'result of 3',
      'result of 4',
    ])
    expect(await untilRan(3)).toEqual([[1], [2, 3, 4], [5]])
    letGo(2)
    expect(await all[4]).toBe('result of 5')
    const next = add(6)
    expect((await untilRan(4)).at(-1)).toEqual([6])
    letGo(3)
    expect(await next).toBe('result of 6')
  })

  test('several batches run at the same time', () => {
    const { add, ran } = openBatches({ batchMax: 3, runningMax: 2 })
    for (const item of [1, 2, 3]) void add(item)
    expect(ran()).toEqual([[1], [2]])
  })

  test('another batch starts alongside a running one if enough items wait, or one has waited long', async () => {
    const { add, ran, untilRan, letGo } = openBatches({ batchMax: 8, runningMax: 2, besideMin: 3 })
    const all = [1, 2, 3].map(add)
    expect(ran()).toEqual([[1]])
    all.push(add(4))
    expect(ran()).toEqual([[1], [2, 3, 4]])
    letGo(1)
    await Promise.all(all.slice(1))
    all.push(add(5))
    expect(ran()).toHaveLength(2)
    // The first batch still runs, and 5 is alone in its batch.
    expect(await untilRan(3)).toEqual([[1], [2, 3, 4], [5]])
    letGo(2)
    expect(await all[4]).toBe('result of 5')
    letGo(0)
    expect(await all[0]).toBe('result of 1')
  })

  test('items that do not fit into a batch wait no longer than a single item', async () => {
    const { add, ran, untilRan, letGo } = openBatches({ batchMax: 1, runningMax: 3, besideMin: 2 })
    const all = [1, 2, 3].map(add)
    expect(ran()).toEqual([[1], [2]])
    // Both batches still run.
    expect(await untilRan(3)).toEqual([[1], [2], [3]])
    for (const at of [0, 1, 2]) letGo(at)
    expect(await Promise.all(all)).toHaveLength(3)
  })

  test('a value that cannot be written fails alone', async () => {
    const { add, ran, untilRan, letGo, fail } = openBatches()
    const all = [1, 2, 3].map(add)
    letGo(0)
    await untilRan(2)
    fail(1, rejectedValue)
    // The two batches run one after the other.
    expect(await untilRan(3)).toHaveLength(3)
    fail(2, rejectedValue)
    expect(await all[1]?.catch((failure: unknown) => failure)).toBe(rejectedValue)
    await untilRan(4)
    letGo(3)
    expect(await all[2]).toBe('result of 3')
    expect(ran()).toEqual([[1], [2, 3], [2], [3]])
  })

  test('a lost database fails a whole batch, and the next batch runs', async () => {
    const { add, untilRan, letGo, fail } = openBatches()
    const all = [1, 2, 3, 4, 5].map(add)
    letGo(0)
    await untilRan(2)
    fail(1, lost)
    const failures = await Promise.all(
      all.slice(1, 4).map(one => one.catch((failure: unknown) => failure)),
    )
    expect(failures).toEqual([lost, lost, lost])
    await untilRan(3)
    letGo(2)
    expect(await all[4]).toBe('result of 5')
  })
})

describe('too few items to start a batch beside a running one', () => {
  afterEach(() => void jest.useRealTimers())

  /** Lets resolved promises continue. */
  const settle = async () => {
    for (let turn = 0; turn < 10; turn++) await Promise.resolve()
  }
  function open(limits: BatchLimits) {
    jest.useFakeTimers()
    const batches = openBatches(limits)
    return {
      ...batches,
      async after(milliseconds: number) {
        jest.advanceTimersByTime(milliseconds)
        await settle()
        return batches.ran()
      },
    }
  }

  test('wait for 25 milliseconds', async () => {
    const { add, after } = open({ batchMax: 8, runningMax: 2, besideMin: 3 })
    for (const item of [1, 2]) void add(item)
    expect(await after(24)).toEqual([[1]])
    expect(await after(1)).toEqual([[1], [2]])
  })

  test('wait the full time, even if others waited before them', async () => {
    const { add, after, letGo } = open({ batchMax: 8, runningMax: 2, besideMin: 3 })
    for (const item of [1, 2]) void add(item)
    await after(10)
    letGo(0)
    expect(await after(0)).toEqual([[1], [2]])
    await after(10)
    void add(3)
    expect(await after(24)).toEqual([[1], [2]])
    expect(await after(1)).toEqual([[1], [2], [3]])
  })

  test('wait even if they arrived at the batch limit and one batch has ended', async () => {
    const { add, after, letGo } = open({ batchMax: 8, runningMax: 2, besideMin: 3 })
    for (const item of [1, 2, 3, 4, 5]) void add(item)
    expect(await after(100)).toEqual([[1], [2, 3, 4]])
    letGo(1)
    expect(await after(0)).toEqual([[1], [2, 3, 4]])
    expect(await after(24)).toEqual([[1], [2, 3, 4]])
    expect(await after(1)).toEqual([[1], [2, 3, 4], [5]])
  })

  test('do not start if the batch limit was reached in the meantime', async () => {
    const { add, after } = open({ batchMax: 3, runningMax: 2, besideMin: 4 })
    for (const item of [1, 2, 3, 4, 5]) void add(item)
    expect(await after(100)).toEqual([[1], [2, 3, 4]])
  })
})
