// Decides about one fault: puts it into the copy, runs the tests, and says what noticed it.
import { existsSync } from 'node:fs'
import path from 'node:path'
import type { Fault } from './files.ts'
import { type Ending, runProgram } from './program.ts'
import type { WorkingCopy } from './working-copy.ts'

export type Verdict = { noticed: boolean; by: string; ran: number }

/** By test file, how long it takes without a fault. Undefined if it does not pass: then it cannot
 *  notice a fault; it is left out, and reported. */
export type Baseline = Map<string, Promise<number | undefined>>

export class Judge {
  constructor(
    private readonly copy: WorkingCopy,
    private readonly baseline: Baseline,
    private readonly graceSeconds: number,
    private readonly signal: AbortSignal,
  ) {}

  /** Undefined if the time of the run is over before it is decided. */
  async decide(
    fault: Fault,
    original: string,
    tests: readonly string[],
  ): Promise<Verdict | undefined> {
    const { file, start, end, replacement } = fault
    const text = original.slice(0, start) + replacement + original.slice(end)
    let ran = 0
    for (const test of tests) {
      const found = await this.ask(test, work => this.copy.with(file, text, work))
      if (this.signal.aborted) return undefined
      if (found !== 'left out') ran++
      if (found === 'failed') return { noticed: true, by: test, ran }
      if (found === 'too slow') return { noticed: true, by: 'time', ran }
    }
    const by = await this.copy.with(file, text, () => this.checks(fault))
    return this.signal.aborted ? undefined : { noticed: by !== undefined, by: by ?? '', ran }
  }

  /** Runs a test with the fault. Only what it says against the fault is compared with a run
   *  without it, so a survivor costs one run of each test. */
  private async ask(test: string, withFault: <T>(work: () => Promise<T>) => Promise<T>) {
    const known = this.baseline.get(test)
    const before = known === undefined ? this.graceSeconds : await known
    if (before === undefined) return 'left out'
    const limitOf = (seconds: number) => seconds * 4 + this.graceSeconds
    let ending = await withFault(() => this.test(test, limitOf(before)))
    if (ending.code === 0) {
      if (known === undefined) this.baseline.set(test, Promise.resolve(ending.seconds))
      return 'passed'
    }
    const usual = await this.usualSeconds(test)
    if (usual === undefined) return 'left out'
    // Once more: a test may fail by itself on a busy machine, or be slower than was assumed.
    if (!ending.timedOut || usual > before) {
      ending = await withFault(() => this.test(test, limitOf(usual)))
    }
    if (ending.timedOut) return 'too slow'
    return ending.code === 0 ? 'passed' : 'failed'
  }

  private test(test: string, secondsMax: number): Promise<Ending> {
    const command = [process.execPath, 'test', `./${test}`, '--bail', '--timeout=60000']
    return this.run(command, secondsMax)
  }

  /** Runs a test without a fault; once for all copies. */
  private usualSeconds(test: string): Promise<number | undefined> {
    const known = this.baseline.get(test)
    if (known !== undefined) return known
    const measured = this.test(test, 300).then(({ code, seconds }) =>
      code === 0 ? seconds : undefined,
    )
    this.baseline.set(test, measured)
    return measured
  }

  /** What `bun run check` would refuse: only of survivors, because it is slower than most tests. */
  private async checks({ file, kind }: Fault): Promise<string | undefined> {
    const bin = (name: string) => path.join(this.copy.folder, 'node_modules', '.bin', name)
    const info = path.join(this.copy.folder, '.data', 'types.tsbuildinfo')
    const types = [bin('tsc'), '--noEmit', '--checkers', '1', '--incremental'].concat(
      '--tsBuildInfoFile',
      info,
    )
    const lint = [bin('oxlint'), '--deny-warnings', file]
    const checks = [
      { by: 'types', settings: 'tsconfig.json', command: types },
      // A promise that nothing waits for. Conditions that are constant are only this tool's faults.
      ...(kind === 'await' ? [{ by: 'lint', settings: '.oxlintrc.json', command: lint }] : []),
    ]
    for (const { by, settings, command } of checks) {
      if (!existsSync(path.join(this.copy.folder, settings))) continue
      if ((await this.run(command, 300)).code !== 0) return by
    }
    return undefined
  }

  private run(command: readonly string[], secondsMax: number): Promise<Ending> {
    const { folder, temporary } = this.copy
    return runProgram(command, { folder, temporary, secondsMax, signal: this.signal })
  }
}
