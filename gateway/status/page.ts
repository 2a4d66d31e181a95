// The current status, which replaces the fixed sentence on the built status page.
import { dayMilliseconds } from '#contract/moments.ts'
import { markup, type Markup } from '#http/html/markup.ts'
import type { Status } from './health.ts'
import { historyDays } from './history.ts'
import type { Day, StatusReport } from './report.ts'

type Part = StatusReport['parts'][number]

const lines: Record<Status, string> = {
  pass: 'All systems operational.',
  warn: 'Some systems are degraded.',
  fail: 'Some systems are down.',
}
const words: Record<Status, string> = { pass: 'operational', warn: 'degraded', fail: 'down' }

const nothingYet = 'No checks yet. The first one takes a few seconds.'
const lineOf = ({ status }: StatusReport) => (status === null ? nothingYet : lines[status])

/** A day in the format of the site's pages: November 22, 2026. */
const readable = (moment: string) =>
  new Date(moment).toLocaleDateString('en-US', { dateStyle: 'long', timeZone: 'UTC' })

const checkedAt = (time: string) => `Checked ${readable(time)}, ${time.slice(11, 16)} UTC.`

const totalOf = ({ passed, warned, failed }: Day) => passed + warned + failed
const sum = (days: readonly Day[], value: (day: Day) => number) =>
  days.reduce((total, day) => total + value(day), 0)

/** Never rounds up, because with one failure in a million the share isn't 100%. */
function shareOf(days: readonly Day[]): string {
  const all = sum(days, totalOf)
  const share = Math.floor(((all - sum(days, ({ failed }) => failed)) / all) * 10_000) / 100
  return `${share}%`
}

/** Summarizes a part's checks in a sentence. */
function measuredOf({ days }: Part): string {
  if (days === null) return 'The history is unavailable right now.'
  const [first] = days
  if (first === undefined) return 'No measurements yet.'
  const count = sum(days, totalOf)
  const checks = count === 1 ? 'one check' : `${count.toLocaleString('en-US')} checks`
  const failure = days.findLast(({ failed }) => failed > 0)
  const last = failure ? `the last failure was on ${readable(failure.date)}` : 'no failures'
  return `${shareOf(days)} of ${checks} succeeded since ${readable(first.date)}; ${last}.`
}

/** `proof`: the URL of the last release's proof, or null. */
export function statusMarkup(report: StatusReport, proof: string | null): Markup {
  const { status, checked_at, parts } = report
  return markup`<p class="${`status-line is-${status ?? 'none'}`}"><strong>${lineOf(report)}</strong>
    ${checked_at === null ? null : checkedAt(checked_at)}</p>
    <ul class="status-parts">${parts.map(part => partMarkup(part, checked_at ?? ''))}</ul>
    ${
      proof === null
        ? null
        : markup`<p><a href="${proof}" download>Download the last release’s proof</a>: conformance results, load
          figures, drill logs, SBOM and signature vectors (ZIP).</p>`
    }`
}

const partMarkup = (part: Part, now: string): Markup => markup`<li>
  <h3>${part.title}</h3><p class="${`status-word is-${part.status}`}">${words[part.status]}</p>
  ${part.days === null || part.days.length === 0 ? null : drawing(part.days, now)}
  <p class="fine">${part.output === null ? '' : `${part.output} `}${measuredOf(part)}</p></li>`

const [step, barWidth, height] = [5, 3, 28]
/** Bars differ in height as well as in color. */
const shapes = {
  none: { from: 24, height: 4, says: 'not measured' },
  pass: { from: 0, height, says: 'no failures' },
  warn: { from: 7, height: 21, says: 'degraded at times' },
  fail: { from: 14, height: 14, says: 'down at times' },
} as const

/** One bar per day, with today at the right. A day without a check is a low bar. */
function drawing(days: readonly Day[], now: string): Markup {
  const known = new Map(days.map(day => [day.date, day]))
  const bars = Array.from({ length: historyDays }, (_, at) => {
    const back = (historyDays - 1 - at) * dayMilliseconds
    const date = new Date(Date.parse(now) - back).toISOString().slice(0, 10)
    const kind = kindOf(known.get(date))
    const { from, height: tall, says } = shapes[kind]
    return markup`<rect class="${`is-${kind}`}" x="${at * step}" y="${from}" width="${barWidth}"
      height="${tall}"><title>${`${readable(date)}: ${says}`}</title></rect>`
  })
  const failed = days.filter(day => day.failed > 0).length
  const label = `${historyDays} days: ${days.length} measured, ${failed} with a failure`
  return markup`<svg class="status-days" viewBox="${`0 0 ${historyDays * step} ${height}`}"
    preserveAspectRatio="none" role="img" aria-label="${label}">${bars}</svg>`
}

function kindOf(day: Day | undefined): keyof typeof shapes {
  if (day === undefined) return 'none'
  if (day.failed > 0) return 'fail'
  return day.warned > 0 ? 'warn' : 'pass'
}
