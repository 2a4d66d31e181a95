// Which tests are asked about a fault, and in which order: those that execute its line.
import path from 'node:path'
import { type Coverage, hitsOf, type Measure, type Measurement } from './coverage.ts'
import type { Fault } from './files.ts'

/** Of the tests that execute the line: most are near, the rest are those that execute it most
 *  often, such as a sweep over all operations. */
const nearShare = 2 / 3
/** How many tests are asked that do not execute the line themselves: a process that one of them
 *  starts may do so. */
const unknownMax = 3

/** `reaching`: the tests that import the file, the most promising ones first. */
export async function testsFor(
  fault: Fault,
  reaching: readonly string[],
  coverage: Coverage,
  measure: Measure,
  testsMax: number,
): Promise<Measurement[]> {
  const executing: { one: Measurement; hits: number }[] = []
  const others: Measurement[] = []
  const before = coverage.measured
  for (const test of reaching) {
    // The rest is measured for the faults that follow: a short run must not spend its time on it.
    if (coverage.measured - before >= testsMax) break
    const one = await coverage.of(test, fault.file, measure)
    if (one.seconds === undefined) continue
    const hits = hitsOf(one.files[fault.file]?.lines ?? [], fault.line)
    if (hits > 0) executing.push({ one, hits })
    else others.push(one)
  }
  const near = executing.slice(0, Math.ceil(testsMax * nearShare))
  const often = executing
    .slice(near.length)
    .sort((a, b) => b.hits - a.hits)
    .slice(0, testsMax - near.length)
  const unknown = executing.length === 0 ? others.slice(0, unknownMax) : []
  const costOf = ({ test, seconds = 0 }: Measurement) =>
    seconds * (path.dirname(test) === path.dirname(fault.file) ? 1 : 4)
  return [
    ...near.map(({ one }) => one).sort((a, b) => costOf(a) - costOf(b)),
    ...often.map(({ one }) => one),
    ...unknown,
  ]
}
