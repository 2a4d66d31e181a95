// Decides one fault: puts it into the copy, runs the tests, and reports which tests caught the
// fault.
import { existsSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { testsFor } from './choose.ts'
import type { Coverage, Measure, Measured, Measurement } from './coverage.ts'
import type { Fault } from './files.ts'
import { type Ending, runProgram } from './program.ts'
import { TypeCheck } from './type-check.ts'
import type { WorkingCopy } from './working-copy.ts'

export type Verdict = { noticed: boolean; by: string; ran: number }

export type JudgeOptions = { graceSeconds: number; tests: number; signal: AbortSignal }

/** Failure messages whose cause may be the machine instead of the fault. */
const byTheMachine =
  /timed out|toBe(Less|Greater)Than|PoolTimeout|CONNECTION_(LOST|CLOSED)|ECONN|too many clients/

/** The maximum number of nearest tests in one process, its time limit, and the maximum number of
 *  such runs. */
const nearestMax = 40
const secondsTogether = 300
const timesTogether = 3

/** Runs `work` while the fault is in the copy. */
type WithFault = <T>(work: () => Promise<T>) => Promise<T>

/** With several test files, the first failure is printed last. */
const firstFailing = (output: string): string | undefined =>
  [...output.matchAll(/^(\S+\.test\.tsx?):$/gm)].at(-1)?.[1]

export class Judge {
  private readonly types: TypeCheck

  constructor(
    private readonly copy: WorkingCopy,
    private readonly coverage: Coverage,
    private readonly options: JudgeOptions,
  ) {
    this.types = new TypeCheck(copy.folder)
  }

  close(): Promise<void> {
    return this.types.close()
  }

  /** Undefined if the run's time is up before the fault is decided. */
  async decide(
    fault: Fault,
    original: string,
    tests: { reaching: readonly string[]; noticing: readonly string[] },
  ): Promise<Verdict | undefined> {
    const { file, start, end, replacement } = fault
    const text = original.slice(0, start) + replacement + original.slice(end)
    const withFault: WithFault = work => this.copy.with({ file, text, original }, work)
    const isRefused = await withFault(() => this.types.refuses(fault))
    await this.types.restored(fault)
    if (isRefused) return { noticed: true, by: 'types', ran: 0 }
    const { tests: testsMax, signal } = this.options
    const { coverage, measure } = this
    const asked = new Set<string>()
    const chosen = testsFor(fault, tests, coverage, { measure, testsMax })
    for await (const test of this.withNearest(chosen, tests.reaching, asked, withFault)) {
      const found = await this.ask(test, withFault)
      if (signal.aborted) return undefined
      if (found !== 'left out') asked.add(test.test)
      const ran = asked.size
      if (found === 'failed') return { noticed: true, by: test.test, ran }
      if (found === 'too slow') return { noticed: true, by: 'time', ran }
    }
    return signal.aborted ? undefined : { noticed: false, by: '', ran: asked.size }
  }

  /**
   * Yields the chosen tests, then the nearest tests that fail when they run in one process. One
   * process takes a fraction of the time of running each test alone.
   */
  private async *withNearest(
    chosen: AsyncIterable<Measurement>,
    reaching: readonly string[],
    asked: Set<string>,
    withFault: WithFault,
  ): AsyncGenerator<Measurement> {
    yield* chosen
    let rest = reaching.filter(test => !asked.has(test)).slice(0, nearestMax)
    for (let times = 0; times < timesTogether && rest.length > 0; times++) {
      const ending = await withFault(() => this.test(rest, secondsTogether))
      for (const one of rest) asked.add(one)
      const test = ending.code === 0 ? undefined : firstFailing(ending.output)
      if (test === undefined || !rest.includes(test) || this.options.signal.aborted) return
      yield await this.coverage.verified(test, this.measure)
      // The test failed for another reason than the fault, and kept the rest from running.
      rest = rest.filter(one => one !== test)
    }
  }

  /** Runs a test with the fault. A failure counts only if the test passes without the fault, and if
   *  a busy machine can't explain the failure. */
  private async ask({ test, seconds = 0 }: Measurement, withFault: WithFault) {
    const limitOf = (usual: number) => usual * 4 + this.options.graceSeconds
    const limit = limitOf(seconds)
    const ending = await withFault(() => this.test([test], limit))
    if (ending.code === 0) return 'passed'
    if ((await this.coverage.verified(test, this.measure)).seconds === undefined) return 'left out'
    if (!ending.timedOut && !byTheMachine.test(ending.output)) return 'failed'
    const now = await this.test([test], 300)
    // The test also failed without the fault, so its results can't be trusted.
    if (now.code !== 0) return 'left out'
    if (ending.timedOut && limitOf(now.seconds) <= limit) return 'too slow'
    const again = await withFault(() => this.test([test], limitOf(now.seconds)))
    if (again.timedOut) return 'too slow'
    return again.code === 0 ? 'passed' : 'failed'
  }

  private readonly measure: Measure = test => measure(test, this.copy, this.options.signal)

  private test(tests: readonly string[], secondsMax: number): Promise<Ending> {
    return runTests(tests, this.copy, secondsMax, this.options.signal)
  }
}

function runTests(
  tests: readonly string[],
  { folder, temporary }: WorkingCopy,
  secondsMax: number,
  signal: AbortSignal,
  more: readonly string[] = [],
): Promise<Ending> {
  const files = tests.map(test => `./${test}`)
  const command = [process.execPath, 'test', ...files, '--bail', '--timeout=60000', ...more]
  return runProgram(command, { folder, temporary, secondsMax, signal })
}

/** Runs a test without a fault, and returns the lines that it executes. */
async function measure(test: string, copy: WorkingCopy, signal: AbortSignal): Promise<Measured> {
  const reports = path.join(copy.folder, '.data', 'coverage')
  const coverage = ['--coverage', '--coverage-reporter=lcov', `--coverage-dir=${reports}`]
  const once = () => runTests([test], copy, 300, signal, coverage)
  let ending = await once()
  // Runs the test once more, because the test may have failed by chance on a busy machine.
  if (ending.code !== 0 && !signal.aborted) ending = await once()
  if (ending.code !== 0) return { seconds: undefined, report: '' }
  const written = path.join(reports, 'lcov.info')
  const report = existsSync(written) ? await readFile(written, 'utf8') : ''
  await rm(reports, { recursive: true, force: true })
  return { seconds: ending.seconds, report }
}
