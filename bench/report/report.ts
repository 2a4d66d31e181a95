// Formats a run's report as text.
import { compact, median, type Result, type Row } from '../harness/rounds.ts'

export type Report = { title: string; results: Record<string, Result> }

function cells(row: Row): string[] {
  const { ratio, peer, target, unit } = row
  const ratios = `${compact(ratio.median)} (${compact(ratio.min)}–${compact(ratio.max)})`
  const sign = target?.kind === 'at least' ? '≥' : '≤'
  return [
    row.job,
    `${compact(median(row.ours))} ${unit}`,
    peer ? `${compact(median(peer.rounds))} ${unit}` : '–',
    peer ? ratios : '–',
    target?.id ?? '',
    target ? `${sign} ${compact(target.value)}${peer ? '' : ` ${unit}`}` : '–',
    row.verdict,
    peer?.name ?? '',
  ]
}

const heads = ['job', 'ours', 'peer', 'ratio (min–max)', 'target', 'bar', 'verdict', 'beside']

/** A table with columns as wide as their longest cell. */
function tableOf(rows: readonly Row[]): string {
  const lines = [heads, ...rows.map(cells)]
  const widths = heads.map((_, at) => Math.max(...lines.map(line => (line[at] ?? '').length)))
  return lines
    .map(line =>
      line
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** How many results met their target, and which did not. */
function summaryOf(rows: readonly Row[]): string {
  const judged = rows.filter(({ target }) => target !== null)
  const named = (verdict: Row['verdict']) => {
    const found = judged.filter(row => row.verdict === verdict)
    const names = found.map(({ target, job }) => target?.id ?? job.trim())
    const which = verdict === 'met' || found.length === 0 ? '' : `: ${names.join(', ')}`
    return `${found.length} ${verdict}${which}`
  }
  return `Of ${judged.length} targets: ${named('met')}; ${named('not met')}; ${named('not separated')}.`
}

export function textOf({ title, results }: Report): string {
  const all = Object.values(results)
  const rows = all.flatMap(result => result.rows)
  const proofs = all.flatMap(result => result.proofs)
  const wrong = proofs.filter(({ expected, found }) => expected !== found)
  return [
    title,
    '',
    tableOf(rows),
    '',
    summaryOf(rows),
    '',
    ...all.flatMap(({ notes }) => notes),
    '',
    `${proofs.length - wrong.length} of ${proofs.length} counts are as expected.`,
    ...wrong.map(each => `WRONG ${each.what}: ${each.found} instead of ${each.expected}`),
  ].join('\n')
}
