// A run: workers decide the planned faults until the time is up.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { Coverage } from './coverage.ts'
import { type Fault, listFiles } from './files.ts'
import { Judge } from './judge.ts'
import { hashOf, type Options, type Plan } from './plan.ts'
import { type Outcome, Results } from './results.ts'
import { makeWorkingCopy } from './working-copy.ts'

/** The coverage measurements, keyed by the files that they depend on. */
function coverageOf(root: string, state: string, files: readonly string[]): Coverage {
  const hashes = new Map(
    files
      .filter(file => !file.endsWith('.md'))
      .map(file => [file, hashOf(readFileSync(path.join(root, file), 'latin1'))]),
  )
  return new Coverage(path.join(state, 'coverage'), hashes, hashOf([...hashes].join('\0')))
}

export type Report = { outcomes: Outcome[]; planned: number; failing: string[] }

/** Called after each fault. */
export type Progress = (outcome: Outcome, fault: Fault, isKnown: boolean) => void

export async function run(
  options: Options,
  plan: readonly Plan[],
  progress: Progress,
  stop: AbortSignal = new AbortController().signal,
): Promise<Report> {
  const { root, minutes, graceSeconds, tests } = options
  const state = path.join(root, '.data', 'mutate')
  const results = new Results(path.join(state, 'results.jsonl'))
  const outcomes: Outcome[] = []
  const record: Progress = (outcome, ...rest) => {
    outcomes.push(outcome)
    progress(outcome, ...rest)
  }
  const waiting = plan.filter(one => {
    const known = results.of(one.fault, one.testsHash)
    if (known !== undefined) record(known, one.fault, true)
    return known === undefined
  })
  const signal = AbortSignal.any([stop, AbortSignal.timeout(minutes * 60_000)])
  const files = waiting.length === 0 ? [] : await listFiles(root)
  const coverage = coverageOf(root, state, files)

  async function work(number: number): Promise<void> {
    // Two simultaneous runs in one checkout must not share copies.
    const folder = path.join(state, `copy-${process.pid}-${number}`)
    const copy = await makeWorkingCopy(root, folder, files)
    const judge = new Judge(copy, coverage, { graceSeconds, tests, signal })
    try {
      while (waiting.length > 0 && !signal.aborted) {
        const next = waiting.shift()
        const outcome = next && (await outcomeOf(next, judge, results))
        if (next && outcome) record(outcome, next.fault, false)
      }
    } finally {
      await judge.close()
      await copy.remove()
    }
  }

  const workers = Math.min(options.workers, waiting.length)
  await Promise.all(Array.from({ length: workers }, (_, at) => work(at + 1)))
  const failing = signal.aborted ? [] : coverage.failing()
  return { outcomes, planned: plan.length, failing }
}

/** Undefined if the run's time is up before the fault is decided. */
async function outcomeOf(
  { fault, text, reaching, testsHash }: Plan,
  judge: Judge,
  results: Results,
): Promise<Outcome | undefined> {
  const started = performance.now()
  const { id, file, line, kind } = fault
  const noticing = results.noticing(file).filter(test => reaching.includes(test))
  const verdict = await judge.decide(fault, text, { reaching, noticing })
  if (verdict === undefined) return undefined
  const seconds = Math.round((performance.now() - started) / 100) / 10
  const reach = reaching.length
  const outcome = { id, file, line, kind, ...verdict, reach, seconds, tests: testsHash }
  results.add(outcome)
  return outcome
}
