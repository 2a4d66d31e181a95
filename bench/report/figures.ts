// Results of runs, one file per benchmark, so a long run can be resumed and the README's table
// contains measured results.
import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { commit } from '../harness/machine.ts'
import { compact, median, type Result, type Row } from '../harness/rounds.ts'
import { dataDir } from '../harness/server.ts'
import { meaningOf, type Target } from '../targets.ts'

export type Figure = {
  /** The benchmark, the target, and the job with its peer, but nothing that varies between runs. */
  id: string
  ours: number
  peer: number | null
  ratio: number
  min: number
  max: number
  target: number | null
  verdict: string
}

/** One run of a benchmark. `load` is the machine's load at the start and the end. */
export type SavedRun = {
  commit: string
  date: string
  title: string
  load: [before: number, after: number]
  rounds: number
  seconds: number
  result: Result
}

const slug = (text: string) =>
  text
    .toLowerCase()
    .replaceAll(/\([^)]*\)/g, '')
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '')

/** The full job names: an indented line continues the last unindented one. */
function jobsOf(rows: readonly Row[]): string[] {
  let last = ''
  return rows.map(({ job }) => {
    if (job.startsWith(' ')) return `${last}, ${job.trim()}`
    last = job
    return job
  })
}

export function figuresOf(bench: string, { rows }: Result): Figure[] {
  const jobs = jobsOf(rows)
  return rows.map((row, at) => {
    const parts = [row.target?.id ?? '', jobs[at] ?? '', row.peer?.name ?? '']
    return {
      id: [bench, ...parts.map(slug).filter(part => part !== '')].join('/'),
      ours: median(row.ours),
      peer: row.peer ? median(row.peer.rounds) : null,
      ratio: row.ratio.median,
      min: row.ratio.min,
      max: row.ratio.max,
      target: row.target?.value ?? null,
      verdict: row.verdict,
    }
  })
}

const folder = path.join(dataDir, 'figures')
const fileOf = (bench: string) => path.join(folder, `${bench}.json`)

export async function keep(bench: string, kept: SavedRun): Promise<void> {
  await mkdir(folder, { recursive: true })
  await Bun.write(fileOf(bench), `${JSON.stringify(kept)}\n`)
}

export async function keptRun(bench: string): Promise<SavedRun | null> {
  return existsSync(fileOf(bench)) ? Bun.file(fileOf(bench)).json() : null
}

/**
 * A saved run of the current code that is at least as long as requested. Never returns a run with
 * uncommitted changes, because such changes have no ID.
 */
export async function currentRun(
  bench: string,
  wanted: Pick<SavedRun, 'rounds' | 'seconds'>,
): Promise<SavedRun | null> {
  const kept = await keptRun(bench)
  const now = commit()
  if (kept === null || kept.commit !== now || now.includes('changes')) return null
  return kept.rounds >= wanted.rounds && kept.seconds >= wanted.seconds ? kept : null
}

const cell = (text: string) => text.replaceAll('|', '\\|')

/** More results than this that share a target are one line of the README's table. */
const linesMax = 8

/** The last runs' results that have a target, as a Markdown table. */
export function tableInMarkdown(runs: Readonly<Record<string, SavedRun>>): string {
  const rows = Object.values(runs).flatMap(({ result }) => {
    const jobs = jobsOf(result.rows)
    return result.rows.flatMap((row, at) =>
      row.target ? [{ ...row, job: jobs[at] ?? '', target: row.target }] : [],
    )
  })
  const groups = Map.groupBy(rows, row => row.target.id ?? row.job)
  const lines = rows.flatMap(row => {
    const group = groups.get(row.target.id ?? row.job) ?? []
    if (group.length <= linesMax) return [{ ...row, verdict: String(row.verdict) }]
    return row === group[0] ? [inOneLine(row, group)] : []
  })
  const machines = Object.entries(runs).map(
    ([bench, { title, date, load, rounds, seconds }]) =>
      `- ${bench}: ${date.slice(0, 10)}, ${rounds} rounds of ${seconds} s, load ${load.map(compact).join(' to ')}; ${title.split('\n')[0]}`,
  )
  const head = '| target | job | beside | median (min–max) | bar | verdict | what it means |'
  const body = lines.toSorted((one, other) => order(one) - order(other)).map(lineOf)
  return [head, `|${' --- |'.repeat(7)}`, ...body, '', ...machines].join('\n')
}

type Judged = Omit<Row, 'target' | 'verdict'> & { target: Target; verdict: string }

/** The median, lowest and highest of the group's medians, and how many met the target. */
function inOneLine(row: Row & { target: Target }, group: readonly Row[]): Judged {
  const medians = group.map(({ ratio }) => ratio.median)
  const ratio = { median: median(medians), min: Math.min(...medians), max: Math.max(...medians) }
  const count = (verdict: Row['verdict']) => group.filter(each => each.verdict === verdict).length
  const verdicts = (['met', 'not separated', 'not met'] as const)
    .filter(verdict => count(verdict) > 0)
    .map(verdict => `${count(verdict)} ${verdict}`)
  const job = `${row.job}, and ${group.length - 1} more`
  return { ...row, job, ratio, verdict: verdicts.join(', ') }
}

function lineOf({ target, ratio, peer, unit, job, verdict }: Judged): string {
  const sign = target.kind === 'at least' ? '≥' : '≤'
  const found = `${compact(ratio.median)} (${compact(ratio.min)}–${compact(ratio.max)})`
  const own = peer ? '' : ` ${unit}`
  return `| ${[
    target.id ?? '',
    cell(job),
    cell(peer?.name ?? ''),
    `${found}${own}`,
    `${sign} ${compact(target.value)}${own}`,
    verdict,
    meaningOf(target.id),
  ].join(' | ')} |`
}

const order = ({ target }: Judged) => Number(/^P(\d+)/.exec(target.id ?? '')?.[1] ?? 99)

const readme = path.join(import.meta.dir, '..', 'README.md')
const [start, end] = ['<!-- figures -->', '<!-- end of figures -->']

/** Replaces the README's table. */
export async function writeTable(runs: Readonly<Record<string, SavedRun>>): Promise<void> {
  const text = await Bun.file(readme).text()
  const [before, rest] = text.split(start)
  const after = rest?.split(end)[1]
  if (before === undefined || after === undefined) throw new Error(`README.md has no ${start}`)
  await Bun.write(readme, `${before}${start}\n\n${tableInMarkdown(runs)}\n\n${end}${after}`)
}
