// A test file's run without a fault: its duration, and how often it executes each line. Stored
// under `.data/mutate/coverage/`, and measured again when the result may be out of date.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { getsFaults } from './files.ts'

type Line = [line: number, hits: number]

export type Measurement = {
  test: string
  /** Undefined if the test fails, because then it can't catch a fault. */
  seconds?: number | undefined
  /** Identifies the measured checkout and the test. */
  tree: string
  text: string
  /** Lines by loaded file. Lines that child processes execute are unknown. */
  files: Record<string, { text: string; lines: Line[] }>
}

/** Reads an LCOV report's lines, by file. */
export function linesOfReport(report: string): Map<string, Line[]> {
  const found = new Map<string, Line[]>()
  let lines: Line[] = []
  for (const written of report.split('\n')) {
    if (written.startsWith('SF:')) found.set(written.slice(3), (lines = []))
    const [, line, hits] = /^DA:(\d+),(\d+)/.exec(written) ?? []
    if (line !== undefined) lines.push([Number(line), Number(hits)])
  }
  return found
}

/** How often a line was executed. A line without a count, such as one inside a statement's text,
 *  gets its neighbors' count. */
export function hitsOf(lines: readonly Line[], line: number): number {
  const own = lines.find(([number]) => number === line)
  if (own !== undefined) return own[1]
  const before = lines.findLast(([number]) => number < line)
  const after = lines.find(([number]) => number > line)
  return Math.max(before?.[1] ?? 0, after?.[1] ?? 0)
}

/** Results from running a test without a fault. */
export type Measured = { seconds: number | undefined; report: string }
export type Measure = (test: string) => Promise<Measured>

export class Coverage {
  private readonly known = new Map<string, Measurement | undefined>()
  private readonly underWay = new Map<string, Promise<Measurement>>()
  /** How many tests this run measured. */
  measured = 0

  /** `hashes`: each checkout file's text hash. */
  constructor(
    private readonly folder: string,
    private readonly hashes: ReadonlyMap<string, string>,
    private readonly tree: string,
  ) {
    mkdirSync(folder, { recursive: true })
  }

  /** The test's results for the file, if known. */
  current(test: string, file: string): Measurement | undefined {
    const known = this.stored(test)
    return known !== undefined && this.isCurrent(known, file) ? known : undefined
  }

  /** Like `current`, but measures the test if its results are unknown. */
  async of(test: string, file: string, measure: Measure): Promise<Measurement> {
    return this.current(test, file) ?? this.renew(test, measure)
  }

  /** The test's results, if it passes in this exact checkout. */
  async verified(test: string, measure: Measure): Promise<Measurement> {
    const known = this.stored(test)
    return known?.tree === this.tree ? known : this.renew(test, measure)
  }

  failing(): string[] {
    const all = [...this.known.values()].filter(one => one !== undefined)
    return all.filter(one => one.seconds === undefined).map(one => one.test)
  }

  private isCurrent(known: Measurement, file: string): boolean {
    if (known.tree === this.tree) return true
    if (known.seconds === undefined || known.text !== this.hashes.get(known.test)) return false
    const loaded = known.files[file]
    return loaded === undefined || loaded.text === this.hashes.get(file)
  }

  private stored(test: string): Measurement | undefined {
    const file = this.fileOf(test)
    if (!this.known.has(test)) {
      const text = existsSync(file) ? readFileSync(file, 'utf8') : undefined
      this.known.set(test, text === undefined ? undefined : (JSON.parse(text) as Measurement))
    }
    return this.known.get(test)
  }

  /** Measures a test once for all workers. */
  private renew(test: string, measure: Measure): Promise<Measurement> {
    const begun = this.underWay.get(test)
    if (begun !== undefined) return begun
    const { tree } = this
    this.measured++
    const renewed = measure(test).then(({ seconds, report }) => {
      const files = [...linesOfReport(report)]
        .filter(([file]) => getsFaults(file))
        .map(([file, lines]) => [file, { text: this.hashes.get(file) ?? '', lines }])
      const text = this.hashes.get(test) ?? ''
      const measurement = { test, seconds, tree, text, files: Object.fromEntries(files) }
      // A failing test may pass the next time, so its result isn't stored.
      if (seconds !== undefined) writeFileSync(this.fileOf(test), JSON.stringify(measurement))
      this.known.set(test, measurement)
      this.underWay.delete(test)
      return measurement
    })
    this.underWay.set(test, renewed)
    return renewed
  }

  private fileOf(test: string): string {
    return path.join(this.folder, `${test.replaceAll('/', '-')}.json`)
  }
}
