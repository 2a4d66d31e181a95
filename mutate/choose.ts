// Chooses and orders the tests to run against a fault: the tests that execute the fault's line.
import path from 'node:path'
import { type Coverage, hitsOf, type Measure, type Measurement } from './coverage.ts'
import type { Fault } from './files.ts'

/**
 * The share of nearby test files among those that execute the line. The other files execute the
 * line most often per second, such as a sweep over all operations.
 */
const nearShare = 2 / 3
/**
 * The maximum number of tests to run that don't execute the line themselves, because a process that
 * a test starts may execute the line.
 */
const unknownMax = 3
/** Once this many tests execute the line, a distant test with unknown coverage is unlikely to
 *  help. */
const enough = 3

const isNear = (fault: Fault, test: string) => path.dirname(test) === path.dirname(fault.file)

/** Yields one test after another, as their coverage becomes known. `reaching`: the tests that
 *  import the file, nearest first. `noticing`: the tests that caught faults in its folder, best
 *  first. */
export async function* testsFor(
  fault: Fault,
  { reaching, noticing }: { reaching: readonly string[]; noticing: readonly string[] },
  coverage: Coverage,
  { measure, testsMax }: { measure: Measure; testsMax: number },
): AsyncGenerator<Measurement> {
  const nearMax = Math.ceil(testsMax * nearShare)
  const others: Measurement[] = []
  const order = [...new Set([...noticing, ...quickestFirst(fault, reaching, coverage)])]
  const hitsBy = (one: Measurement) => hitsOf(one.files[fault.file]?.lines ?? [], fault.line)
  const asked = new Set<string>()
  const before = coverage.measured
  let executing = 0
  for (const test of order) {
    if (executing === nearMax) break
    // Distant tests are measured only while too few are known, so a short run has enough time.
    const isWorthIt = executing < enough && coverage.measured - before < testsMax / 2
    const known = coverage.current(test, fault.file)
    if (known === undefined && !isNear(fault, test) && !isWorthIt) continue
    const one = known ?? (await coverage.of(test, fault.file, measure))
    if (one.seconds === undefined) continue
    asked.add(test)
    if (hitsBy(one) === 0) others.push(one)
    else {
      executing++
      yield one
    }
  }
  const far = order
    .filter(test => !asked.has(test))
    .map(test => coverage.current(test, fault.file))
    .filter(one => one?.seconds !== undefined && hitsBy(one) > 0)
    .filter(one => one !== undefined)
    .sort((a, b) => hitsBy(b) / (b.seconds ?? 1) - hitsBy(a) / (a.seconds ?? 1))
  yield* far.slice(0, testsMax - executing)
  if (executing + far.length === 0) yield* others.slice(0, unknownMax)
}

/** Sorts the tests in the file's folder, quickest first. */
function quickestFirst(fault: Fault, reaching: readonly string[], coverage: Coverage): string[] {
  const secondsOf = (test: string) => coverage.current(test, fault.file)?.seconds ?? 3
  const near = reaching
    .filter(test => isNear(fault, test))
    .toSorted((a, b) => secondsOf(a) - secondsOf(b))
  return [...near, ...reaching.filter(test => !isNear(fault, test))]
}
