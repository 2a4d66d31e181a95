// A plot of how cost grows, as a static SVG: both axes logarithmic, so that a cost that does not
// grow is level and one that grows with its size rises with it. Readable in light and dark.
import type { Growth } from '../harness/rounds.ts'

const [width, height] = [480, 300]
const frame = { left: 64, right: 32, top: 44, bottom: 48 }

/** The slope of the logarithm of the cost on that of the size, by least squares: 0 is no growth, 1
 *  is growth with the size. */
export function exponentOf(points: Growth['points']): number {
  const logs = points.map(({ size, cost }) => [Math.log(size), Math.log(cost)] as const)
  const mean = (at: 0 | 1) => logs.reduce((sum, each) => sum + each[at], 0) / logs.length
  const [x, y] = [mean(0), mean(1)]
  const over = logs.reduce((sum, each) => sum + (each[0] - x) * (each[1] - y), 0)
  return over / logs.reduce((sum, each) => sum + (each[0] - x) ** 2, 0)
}

/** The powers of ten around these values. */
function powersAround(values: readonly number[]): number[] {
  const from = Math.floor(Math.log10(Math.min(...values)))
  const to = Math.max(from + 1, Math.ceil(Math.log10(Math.max(...values))))
  return Array.from({ length: to - from + 1 }, (_, at) => 10 ** (from + at))
}

const numberText = (value: number) => value.toLocaleString('en-US', { maximumSignificantDigits: 3 })

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

const style = `text{font:12px system-ui,sans-serif;fill:#333}.title{font-weight:600;font-size:14px}
.grid{stroke:#ccc}.line{fill:none;stroke:#1f6feb;stroke-width:2}.dot{fill:#1f6feb}
@media (prefers-color-scheme:dark){text{fill:#ddd}.grid{stroke:#444}.line{stroke:#79b8ff}.dot{fill:#79b8ff}}`

export function plotOf({ title, sizes, unit, points }: Growth): string {
  const across = powersAround(points.map(({ size }) => size))
  const up = powersAround(points.map(({ cost }) => cost))
  const share = (value: number, powers: readonly number[]) => {
    const [low, high] = [Math.log10(powers[0] ?? 1), Math.log10(powers.at(-1) ?? 10)]
    return (Math.log10(value) - low) / (high - low)
  }
  const xOf = (size: number) =>
    Math.round(frame.left + share(size, across) * (width - frame.left - frame.right))
  const yOf = (cost: number) =>
    Math.round(height - frame.bottom - share(cost, up) * (height - frame.top - frame.bottom))
  const label = `${title}: cost grows with the power ${exponentOf(points).toFixed(2)} of ${sizes}`
  const levels = up.map(
    value =>
      `<line class="grid" x1="${frame.left}" x2="${width - frame.right}" y1="${yOf(value)}" y2="${yOf(value)}"/>` +
      `<text x="${frame.left - 8}" y="${yOf(value) + 4}" text-anchor="end">${numberText(value)}</text>`,
  )
  const steps = across.map(
    value =>
      `<text x="${xOf(value)}" y="${height - frame.bottom + 18}" text-anchor="middle">${numberText(value)}</text>`,
  )
  const dots = points.map(
    ({ size, cost }) =>
      `<circle class="dot" cx="${xOf(size)}" cy="${yOf(cost)}" r="4"><title>${numberText(size)}: ${numberText(cost)} ${escaped(unit)}</title></circle>`,
  )
  const line = points.map(({ size, cost }) => `${xOf(size)},${yOf(cost)}`).join(' ')
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escaped(label)}">`,
    `<style>${style}</style>`,
    `<text class="title" x="16" y="20">${escaped(title)}</text>`,
    `<text x="16" y="36">${escaped(unit)}</text>`,
    ...levels,
    ...steps,
    `<text x="${width - frame.right}" y="${height - 8}" text-anchor="end">${escaped(sizes)}</text>`,
    `<polyline class="line" points="${line}"/>`,
    ...dots,
    '</svg>',
    '',
  ].join('\n')
}
