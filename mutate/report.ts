// The summary that a run prints: survivors by file and line, and each module's score.
import type { Fault } from './files.ts'
import type { Plan } from './plan.ts'
import type { Report } from './run.ts'

const short = (text: string) => {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > 70 ? `${line.slice(0, 67)}…` : line
}

/** `auth/guard.ts:34 sql condition: "tenant = …" → "true"` */
export function sentenceOf({ file, line, kind, before, replacement }: Fault): string {
  const after = replacement === '' || replacement === ';' ? 'nothing' : `"${short(replacement)}"`
  return `${file}:${line} ${kind}: "${short(before)}" → ${after}`
}

export function reportOf({ outcomes, planned, failing }: Report, plan: readonly Plan[]): string {
  const faults = new Map(plan.map(({ fault }) => [fault.id, fault]))
  const survivors = outcomes
    .filter(outcome => !outcome.noticed)
    .sort((a, b) => (a.file === b.file ? a.line - b.line : a.file < b.file ? -1 : 1))
  const lines = survivors.flatMap(({ id, ran, reach }) => {
    const fault = faults.get(id)
    const tests = reach === 0 ? 'no test reaches it' : `${ran} of ${reach} test files ran`
    return fault === undefined ? [] : [`  ${sentenceOf(fault)} (${tests})`]
  })
  const modules = Map.groupBy(outcomes, ({ file }) => file.split('/').slice(0, -1).join('/'))
  const scores = [...modules]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, own]) => `  ${name}: ${scoreOf(own)}`)
  if (outcomes.length === 0) return `\nNone of ${planned} faults was decided in this time.`
  const parts = [
    survivors.length === 0 ? 'No survivors.' : `Survivors:\n${lines.join('\n')}`,
    `Score by folder:\n${scores.join('\n')}`,
    ...(failing.length === 0
      ? []
      : [`Left out, because they fail without a fault:\n  ${failing.join('\n  ')}`]),
    `${scoreOf(outcomes)} faults noticed; ${planned - outcomes.length} of ${planned} not tried`,
  ]
  return `\n${parts.join('\n\n')}`
}

function scoreOf(outcomes: readonly { noticed: boolean }[]): string {
  const noticed = outcomes.filter(outcome => outcome.noticed).length
  const share = outcomes.length === 0 ? 0 : Math.floor((100 * noticed) / outcomes.length)
  return `${noticed} of ${outcomes.length} (${share} %)`
}
