// The report of a run as text.
import { compact, median, type Result, type Row } from './rounds.ts'

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
    target ? `${sign} ${compact(target.value)}${peer ? '' : ` ${unit}`}` : '–',
    row.verdict,
    peer?.name ?? '',
  ]
}

const heads = ['job', 'ours', 'peer', 'ratio (min–max)', 'target', 'verdict', 'beside']

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
    ...all.flatMap(({ notes }) => notes),
    '',
    `${proofs.length - wrong.length} of ${proofs.length} counts are as expected.`,
    ...wrong.map(each => `WRONG ${each.what}: ${each.found} instead of ${each.expected}`),
  ].join('\n')
}
