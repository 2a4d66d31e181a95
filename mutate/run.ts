// A run: the chosen faults, in the order of the seed, decided by workers until the time is over.
import { readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { changedLines, type Fault, faultOf, listFiles, within } from './files.ts'
import { type Baseline, Judge } from './judge.ts'
import { mutantsOf } from './mutants.ts'
import { importersOf, testsOf } from './reach.ts'
import { type Outcome, Results } from './results.ts'
import { makeWorkingCopy } from './working-copy.ts'

export type Options = {
  root: string
  /** Folders and files; none: all. */
  chosen: readonly string[]
  seed: string
  /** At most so many faults of each chosen folder or file. */
  count: number
  minutes: number
  /** At most so many test files for each fault, nearest first. */
  tests: number
  workers: number
  /** A test may take four times as long as without a fault, and so much more. */
  graceSeconds: number
  /** Only lines that differ from this commit. */
  base?: string | undefined
}

export type Plan = {
  fault: Fault
  text: string
  tests: string[]
  reaching: string[]
  testsHash: string
}

/** Every chosen fault with its tests, in the order in which they are tried. */
export async function planOf(options: Options): Promise<Plan[]> {
  const { root, chosen, seed, count, base } = options
  const files = await listFiles(root)
  const read = (file: string) => readFileSync(path.join(root, file), 'utf8')
  const sources = files
    .filter(file => file.endsWith('.ts'))
    .map(file => ({ path: file, text: read(file) }))
  const importers = importersOf(sources)
  const lines = base === undefined ? undefined : await changedLines(root, base)
  const texts = new Map(sources.map(source => [source.path, source.text]))
  const position = ({ id }: Fault) => Bun.hash(`${seed} ${id}`)
  const picked = (chosen.length === 0 ? ['.'] : chosen).flatMap(one => {
    const faults = within(files, [one]).flatMap(file => faultsOf(file, texts.get(file) ?? ''))
    const changed = faults.filter(
      ({ file, line }) =>
        lines?.get(file)?.some(([first, last]) => first <= line && line <= last) ??
        lines === undefined,
    )
    return changed.sort((a, b) => (position(a) < position(b) ? -1 : 1)).slice(0, count)
  })
  // Chosen folders may overlap.
  const distinct = new Map(picked.map(fault => [fault.id, fault]))
  return [...distinct.values()].map(fault => {
    const reaching = testsOf(fault.file, importers)
    const tests = reaching.slice(0, options.tests)
    const testsHash = Bun.hash(tests.map(test => texts.get(test)).join('\0')).toString(36)
    return { fault, text: texts.get(fault.file) ?? '', tests, reaching, testsHash }
  })
}

const faultsOf = (file: string, text: string) =>
  mutantsOf(text).map(change => faultOf(file, text, change))

export type Report = { outcomes: Outcome[]; planned: number; failing: string[] }

/** Tries the planned faults; `progress` is called after each. */
export async function run(
  options: Options,
  plan: readonly Plan[],
  progress: (outcome: Outcome, fault: Fault, isKnown: boolean) => void,
  stop: AbortSignal = new AbortController().signal,
): Promise<Report> {
  const { root, minutes } = options
  const state = path.join(root, '.data', 'mutate')
  const results = new Results(path.join(state, 'results.jsonl'))
  const outcomes: Outcome[] = []
  const waiting: Plan[] = []
  for (const one of plan) {
    const known = results.of(one.fault, one.testsHash)
    if (known === undefined) waiting.push(one)
    else {
      outcomes.push(known)
      progress(known, one.fault, true)
    }
  }
  const baseline: Baseline = new Map()
  const signal = AbortSignal.any([stop, AbortSignal.timeout(minutes * 60_000)])
  const files = waiting.length === 0 ? [] : await listFiles(root)

  async function work(number: number): Promise<void> {
    // Two runs in one checkout at once do not share copies.
    const folder = path.join(state, `copy-${process.pid}-${number}`)
    const copy = await makeWorkingCopy(root, folder, files)
    try {
      await decideAll(new Judge(copy, baseline, options.graceSeconds, signal))
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }

  async function decideAll(judge: Judge): Promise<void> {
    for (
      let next = waiting.shift();
      next !== undefined && !signal.aborted;
      next = waiting.shift()
    ) {
      const { fault, text, tests, reaching, testsHash } = next
      const noticing = results.noticing(fault.file).filter(test => reaching.includes(test))
      const verdict = await judge.decide(fault, text, [...new Set([...noticing, ...tests])])
      if (verdict === undefined) return
      const { id, file, line, kind } = fault
      const reach = reaching.length
      const outcome = { id, file, line, kind, ...verdict, reach, tests: testsHash }
      results.add(outcome)
      outcomes.push(outcome)
      progress(outcome, fault, false)
    }
  }

  const workers = Math.min(options.workers, waiting.length)
  await Promise.all(Array.from({ length: workers }, (_, at) => work(at + 1)))
  const measured = await Promise.all(
    [...baseline].map(async ([test, seconds]) => [test, await seconds]),
  )
  const failing = signal.aborted ? [] : measured.filter(([, seconds]) => seconds === undefined)
  return { outcomes, planned: plan.length, failing: failing.map(([test]) => String(test)) }
}
