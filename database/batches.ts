// Writes that arrive while a statement runs share the next one. One alone does not wait.

import { isRejectedValue } from './failures.ts'

export type BatchLimits = { batchMax: number; runningMax: number }

type Waiting<Item, Result> = { item: Item; settled: PromiseWithResolvers<Result> }

/** `run` answers each item of a batch, in their order. */
export function createBatches<Item, Result>(
  { batchMax, runningMax }: BatchLimits,
  run: (items: readonly Item[]) => Promise<readonly Result[]>,
): (item: Item) => Promise<Result> {
  const waiting: Waiting<Item, Result>[] = []
  let running = 0

  async function runWaiting(): Promise<void> {
    running++
    while (waiting.length > 0) await answer(waiting.splice(0, batchMax))
    running--
  }

  async function answer(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await run(batch.map(({ item }) => item))
      batch.forEach(({ settled }, at) => settled.resolve(results[at] as Result))
    } catch (failure) {
      // A value that cannot be written must not fail the others.
      if (batch.length > 1 && isRejectedValue(failure)) for (const one of batch) await answer([one])
      else for (const { settled } of batch) settled.reject(failure)
    }
  }

  return item => {
    const settled = Promise.withResolvers<Result>()
    waiting.push({ item, settled })
    if (running < runningMax) void runWaiting()
    return settled.promise
  }
}
