// The faults that a run tries, in the seed's order, each with the tests that reach it.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { changedLines, type Fault, faultOf, listFiles, within } from './files.ts'
import { mutantsOf } from './mutants.ts'
import { importersOf, testsOf } from './reach.ts'

export type Options = {
  root: string
  /** Folders and files; if empty, all. */
  chosen: readonly string[]
  seed: string
  /** The maximum number of faults per chosen folder or file. */
  count: number
  minutes: number
  /** The maximum number of test files per fault, nearest first. */
  tests: number
  workers: number
  /** A test may take four times its usual duration, plus this much. */
  graceSeconds: number
  /** If set, only lines that differ from this commit get faults. */
  base?: string | undefined
}

export type Plan = {
  fault: Fault
  text: string
  reaching: string[]
  testsHash: string
}

/** Every chosen fault with its tests, in the order in which they're tried. */
export async function planOf(options: Options): Promise<Plan[]> {
  const { root, chosen, seed, count, base } = options
  const files = await listFiles(root)
  const read = (file: string) => readFileSync(path.join(root, file), 'utf8')
  const sources = files
    .filter(file => /\.tsx?$/.test(file))
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
  // Chosen folders may overlap. A run that ends early has tried some faults in each.
  const distinct = new Map(picked.map(fault => [fault.id, fault]))
  const ordered = [...distinct.values()].sort((a, b) => (position(a) < position(b) ? -1 : 1))
  return ordered.map(fault => {
    const reaching = testsOf(fault.file, importers)
    const testsHash = hashOf(reaching.map(test => texts.get(test)).join('\0'))
    const text = texts.get(fault.file) ?? ''
    return { fault, text, reaching, testsHash }
  })
}

export const hashOf = (text: string) => Bun.hash(text).toString(36)

const faultsOf = (file: string, text: string) =>
  mutantsOf(text, file).map(change => faultOf(file, text, change))
