// Batches writes: writes that arrive while a statement runs share the next statement. A single
// write doesn't wait.

import { isRejectedValue } from './failures.ts'

export type BatchLimits = {
  batchMax: number
  runningMax: number
  /** How many items must wait before a batch starts alongside a running one, because small batches
   *  cost more per item. Default: one. */
  besideMin?: number
}

/** How long items wait for a running batch if there are fewer than `besideMin`. */
const patienceMilliseconds = 25

type Waiting<Item, Result> = { item: Item; settled: PromiseWithResolvers<Result> }

/** `run` returns a result for each item in a batch, in order. */
export function createBatches<Item, Result>(
  { batchMax, runningMax, besideMin = 1 }: BatchLimits,
  run: (items: readonly Item[]) => Promise<readonly Result[]>,
): (item: Item) => Promise<Result> {
  const waiting: Waiting<Item, Result>[] = []
  let running = 0
  let patience: ReturnType<typeof setTimeout> | undefined

  const areEnough = (beside: number) =>
    waiting.length > 0 && (beside === 0 || waiting.length >= besideMin)

  async function runWaiting(): Promise<void> {
    running++
    do {
      const batch = waiting.splice(0, batchMax)
      if (waiting.length === 0) {
        clearTimeout(patience)
        patience = undefined
      }
      await answer(batch)
    } while (areEnough(running - 1))
    running--
    if (waiting.length > 0) start()
  }

  /** Starts a batch, or lets the items wait for the running one. */
  function start(): void {
    if (running >= runningMax) return
    if (areEnough(running)) return void runWaiting()
    patience ??= setTimeout(() => {
      patience = undefined
      if (waiting.length > 0 && running < runningMax) void runWaiting()
    }, patienceMilliseconds)
  }

  async function answer(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await run(batch.map(({ item }) => item))
      batch.forEach(({ settled }, at) => settled.resolve(results[at] as Result))
    } catch (failure) {
      // A value that can't be written must not fail the rest of the batch.
      if (batch.length > 1 && isRejectedValue(failure)) for (const one of batch) await answer([one])
      else for (const { settled } of batch) settled.reject(failure)
    }
  }

  return item => {
    const settled = Promise.withResolvers<Result>()
    waiting.push({ item, settled })
    start()
    return settled.promise
  }
}
