import { expect, test } from 'bun:test'
import { renderToString } from 'preact-render-to-string'
import { Lines, roundedUp, StackedBars } from './charts.tsx'

const starts = ['2026-11-22T10:00:00.000Z', '2026-11-22T11:00:00.000Z', '2026-11-22T12:00:00.000Z']
const given = {
  caption: 'Calls by status',
  unit: 'calls',
  span: 'hour',
  starts,
  empty: 'No calls yet.',
} as const

const bars = (ok: readonly number[], refused: readonly number[]) =>
  renderToString(
    <StackedBars
      {...given}
      series={[
        { name: 'answered', tone: 'good', values: ok },
        { name: 'refused', tone: 'bad', values: refused },
      ]}
    />,
  )

const rectangles = (html: string) =>
  [
    ...html.matchAll(/<rect class="(good|bad)" x="([\d.]+)" y="([\d.]+)"[^>]* height="([\d.]+)"/g),
  ].map(([, tone, x, y, size]) => [tone, Number(x), Number(y), Number(size)])

test('bars are stacked from the bottom, to a rounded scale', () => {
  expect(rectangles(bars([10, 0, 4], [10, 0, 6]))).toEqual([
    ['good', 1, 50, 50],
    ['bad', 1, 0, 50],
    ['good', 21, 80, 20],
    ['bad', 21, 50, 30],
  ])
})

test('one failed request among thousands is visible', () => {
  expect(rectangles(bars([5000, 0, 0], [0, 1, 0]))).toContainEqual(['bad', 11, 99, 1])
})

test('a chart has a table of its numbers, and no styles that the content policy blocks', () => {
  const html = bars([1234, 0, 4], [10, 0, 6])
  expect(html).toContain('<figcaption>Calls by status')
  expect(html).toContain('<td data-head="answered">1,234</td><td data-head="refused">10</td>')
  expect(html).toContain('<td data-head="answered">0</td>')
  expect(html).not.toContain('style=')
})

test('a chart with nothing to draw shows a message', () => {
  const html = bars([0, 0, 0], [0, 0, 0])
  expect(html).toContain('No calls yet.')
  expect(html).not.toContain('<svg')
  expect(renderToString(<Lines {...given} starts={[]} series={[]} />)).toContain('No calls yet.')
})

test('a line breaks where nothing was measured, and a lone value is a dot', () => {
  const html = renderToString(
    <Lines {...given} series={[{ name: 'p50', tone: 'good', values: [10, null, 5] }]} />,
  )
  expect(html).toContain('<path class="dot good" d="M5 0L5 0M25 50L25 50"')
  expect(html).toContain('<td data-head="p50">none</td>')
  const joined = renderToString(
    <Lines {...given} series={[{ name: 'p50', tone: 'good', values: [10, 5, 5] }]} />,
  )
  expect(joined).toContain('<path class="line good" d="M5 0L15 50L25 50"')
  expect(joined).not.toContain('class="dot')
})

test('the axis has at most six labels', () => {
  for (const count of [1, 7, 24, 30, 31]) {
    const many = Array.from({ length: count }, (_, day) =>
      new Date(Date.UTC(2026, 9, 1 + day)).toISOString(),
    )
    const html = renderToString(
      <StackedBars
        {...given}
        span="day"
        starts={many}
        series={[{ name: 'calls', tone: 'good', values: many.map(() => 1) }]}
      />,
    )
    const axis = html.slice(html.indexOf('class="starts"'), html.indexOf('<details'))
    const labels = axis.match(/Oct \d+/g) ?? []
    expect(labels.length).toBeGreaterThan(0)
    expect(labels.length).toBeLessThanOrEqual(6)
    expect(labels[0]).toBe('Oct 1')
  }
})

test('the scale is the smallest round number', () => {
  expect([0, 1, 2, 3, 7, 10, 11, 23, 999, 1001].map(roundedUp)).toEqual([
    1, 1, 2, 5, 10, 10, 20, 50, 1000, 2000,
  ])
})
