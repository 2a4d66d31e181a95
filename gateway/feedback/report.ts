import { feedbackAnswers } from '#contract/limits.ts'
import type { PageFeedback } from './count.ts'

export function feedbackTable(rows: readonly PageFeedback[], days: number): string {
  if (rows.length === 0) return `No answers in the last ${days} days.`
  const lines = [
    ['page', 'helped', ...feedbackAnswers],
    ...rows.map(row => [row.page, share(row), ...feedbackAnswers.map(name => String(row[name]))]),
  ]
  const width = (at: number) => Math.max(...lines.map(line => line[at]?.length ?? 0))
  return lines
    .map(line =>
      line
        .map((cell, at) => (at === 0 ? cell.padEnd(width(at)) : cell.padStart(width(at))))
        .join('  '),
    )
    .join('\n')
}

function share(row: PageFeedback): string {
  const all = feedbackAnswers.reduce((sum, name) => sum + row[name], 0)
  return `${Math.round((100 * row.yes) / all)} %`
}
