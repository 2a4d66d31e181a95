// Results from earlier runs, one per line, so a run resumes where the last run ended.
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { Fault } from './files.ts'

export type Outcome = {
  id: string
  file: string
  line: number
  kind: string
  noticed: boolean
  /** The test file, `types` or `time` that caught it. */
  by: string
  /** How many test files ran, and how many reach the file. */
  ran: number
  reach: number
  seconds: number
  /** The tests that could have caught a survivor. */
  tests: string
}

const noticingMax = 4

export class Results {
  private readonly byId = new Map<string, Outcome>()

  constructor(private readonly file: string) {
    mkdirSync(path.dirname(file), { recursive: true })
    const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
    // The last line is incomplete if its run was killed.
    for (const line of text.split('\n').slice(0, -1)) {
      const outcome = JSON.parse(line) as Outcome
      this.byId.set(outcome.id, outcome)
    }
  }

  /** A survivor's result is reused until a test that could catch it changes. */
  of(fault: Fault, tests: string): Outcome | undefined {
    const known = this.byId.get(fault.id)
    return known === undefined || known.noticed || known.tests === tests ? known : undefined
  }

  add(outcome: Outcome): void {
    this.byId.set(outcome.id, outcome)
    appendFileSync(this.file, `${JSON.stringify(outcome)}\n`)
  }

  /** The tests that have caught the most faults in this folder. */
  noticing(file: string): string[] {
    const isNear = (one: Outcome) => path.dirname(one.file) === path.dirname(file)
    const outcomes = [...this.byId.values()].filter(one => one.noticed && isNear(one))
    const counted = Map.groupBy(outcomes, one => one.by)
    const ranked = [...counted].sort(([, a], [, b]) => b.length - a.length)
    return ranked.map(([test]) => test).slice(0, noticingMax)
  }
}
