import type { Figure } from './figure.ts'

/** Seconds to wait before each attempt, counted from the end of the previous attempt. */
export const scheduleSeconds = [0, 60, 300, 1800, 7200, 21_600, 43_200, 86_400, 86_400]

const waits = [
  'immediately',
  '+1 min',
  '+5 min',
  '+30 min',
  '+2 h',
  '+6 h',
  '+12 h',
  '+24 h',
  '+24 h',
]

/** A duration as text: 2 d 20 h 36 min. */
export function span(seconds: number): string {
  const minutes = Math.round(seconds / 60)
  const parts = [
    [Math.floor(minutes / 1440), 'd'],
    [Math.floor(minutes / 60) % 24, 'h'],
    [minutes % 60, 'min'],
  ].filter(([count]) => count !== 0)
  return parts.map(([count, unit]) => `${count} ${unit}`).join(' ') || '0 min'
}

const elapsed = scheduleSeconds.map((_, index) =>
  scheduleSeconds.slice(0, index + 1).reduce((sum, wait) => sum + wait, 0),
)

const rowHeight = 30
const left = 24
const right = 70

/** Minutes span four orders of magnitude, so the axis is logarithmic from the first minute. */
function x(seconds: number): string {
  const most = Math.log(1 + (elapsed.at(-1) ?? 1) / 30)
  return `${(left + (Math.log(1 + seconds / 30) / most) * (right - left)).toFixed(2)}%`
}

function row(index: number): string {
  const y = index * rowHeight + 20
  const now = elapsed[index] ?? 0
  const before = elapsed[index - 1] ?? 0
  return [
    `<text class="f-ink f-strong" x="0" y="${y + 4}">${index + 1}</text>`,
    `<text class="f-quiet" x="7%" y="${y + 4}">${waits[index] ?? ''}</text>`,
    `<line class="f-hair" x1="${left}%" x2="${right}%" y1="${y}" y2="${y}"/>`,
    `<line class="f-path" x1="${x(before)}" x2="${x(now)}" y1="${y}" y2="${y}"/>`,
    `<circle class="f-node" cx="${x(now)}" cy="${y}" r="5"/>`,
    `<text class="f-ink" x="100%" y="${y + 4}" text-anchor="end">${span(now)}</text>`,
  ].join('')
}

export const retrySchedule: Figure = {
  name: 'retry-schedule',
  svg: `<svg width="100%" height="${scheduleSeconds.length * rowHeight + 10}">${scheduleSeconds.map((_, index) => row(index)).join('')}</svg>`,
  head: ['attempt', 'after the previous one', 'since the first, if each fails immediately'],
  rows: scheduleSeconds.map((_, index) => [
    String(index + 1),
    waits[index] ?? '',
    span(elapsed[index] ?? 0),
  ]),
}
