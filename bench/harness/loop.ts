// A bare loop: workers in this process that repeat one function and nothing else.
import { type Rate } from './pgbench.ts'
import { percentile } from './rounds.ts'

type Bound = { workers: number; seconds: number; requestsMax: number }

export async function runLoop(
  { workers, seconds, requestsMax }: Bound,
  once: (worker: number) => Promise<unknown>,
): Promise<Rate> {
  const taken: number[] = []
  let begun = 0
  const started = performance.now()
  const deadline = started + seconds * 1000
  const work = async (worker: number) => {
    while (begun < requestsMax && performance.now() < deadline) {
      begun++
      const before = performance.now()
      await once(worker)
      taken.push(performance.now() - before)
    }
  }
  await Promise.all(Array.from({ length: workers }, (_, worker) => work(worker)))
  const lasted = performance.now() - started
  const sorted = Float64Array.from(taken).sort()
  return {
    answers: taken.length,
    perSecond: (taken.length / lasted) * 1000,
    p50: percentile(sorted, 0.5),
    p99: percentile(sorted, 0.99),
  }
}
