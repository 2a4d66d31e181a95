import { expect, test } from 'bun:test'
import { figures } from '#content/paths.ts'
import { describeFigures, drawFigures, figure, tabulateFigures } from './figures.ts'
import { drawStates, trace } from './case-states.ts'
import { scheduleSeconds, span } from './retry-schedule.ts'

test('figures: every figure exists and has a table', () => {
  for (const name of figures) {
    const { svg, head, rows } = figure(name)
    expect(svg).toStartWith('<svg')
    expect(svg).toEndWith('</svg>')
    expect(rows.length).toBeGreaterThan(3)
    for (const row of rows) expect(row).toHaveLength(head.length)
  }
  expect(() => figure('no-such-drawing')).toThrow('no drawing')
})

test('figures: the retry schedule is nine attempts over 2.86 days', () => {
  expect(scheduleSeconds).toHaveLength(9)
  const total = scheduleSeconds.reduce((sum, wait) => sum + wait, 0)
  expect((total / 86_400).toFixed(2)).toBe('2.86')
  expect(span(total)).toBe('2 d 20 h 36 min')
  expect(span(0)).toBe('0 min')
})

test('figures: a case is drawn with its steps', () => {
  expect(drawStates(trace).match(/f-badge-text/g)).toHaveLength(trace.length)
  expect(drawStates([])).not.toContain('f-badge')
  // No line runs through a state: returning lines end at its right edge.
  const ends = [...drawStates([]).matchAll(/H(-?[\d.]+)" marker-end/g)].map(hit => Number(hit[1]))
  expect(ends.length).toBeGreaterThan(3)
  for (const x of ends) expect(x).toBeGreaterThan(92)
})

test('figures: a wide figure scrolls, by keyboard too', () => {
  const drawnAs = (name: string) => drawFigures(`<p><img src="figure:${name}" alt="It"></p>`)
  expect(drawnAs('states-case')).toContain('<div class="figure-scroll" tabindex="0"')
  expect(drawnAs('case-states')).not.toContain('figure-scroll')
})

test('figures: a drawing on the page, a table in the Markdown version and the feed', () => {
  const page = drawFigures('<p><img src="figure:retry-schedule" alt="Nine attempts"></p>')
  expect(page).toContain('role="img" aria-label="Nine attempts"')
  expect(page).toContain('<figcaption>Nine attempts<details>')
  expect(page).toEndWith('</details></figcaption></figure>')
  expect(tabulateFigures(page)).toStartWith('<p>Nine attempts</p><table>')
  const markdown = describeFigures('before\n\n![Nine attempts](figure:retry-schedule)\n\nafter')
  expect(markdown).toContain('Nine attempts\n\n| attempt |')
  expect(markdown).toEndWith('\n\nafter')
})
