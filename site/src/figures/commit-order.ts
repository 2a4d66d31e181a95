import type { Figure } from './figure.ts'

type Mark = { row: number; x: number; label: string; what: string; lost?: boolean }

const rowNames = ['writer A', 'writer B', 'reader']

const marks: Mark[] = [
  { row: 0, x: 24, label: 'takes 10', what: 'takes number 10 in its transaction' },
  { row: 1, x: 38, label: 'takes 11', what: 'takes number 11 in its transaction' },
  { row: 1, x: 54, label: 'commits', what: 'commits, so 11 becomes visible' },
  { row: 2, x: 64, label: 'reads 11', what: 'reads 11 and remembers it' },
  { row: 0, x: 76, label: 'commits', what: 'commits, so 10 becomes visible', lost: true },
  {
    row: 2,
    x: 90,
    label: 'after 11',
    what: 'asks for everything after 11 and never sees 10',
    lost: true,
  },
]

const y = (row: number) => 50 + row * 64

function row(name: string, index: number): string {
  return [
    `<text class="f-quiet" x="0" y="${y(index) + 4}">${name}</text>`,
    `<line class="f-hair" x1="20%" x2="100%" y1="${y(index)}" y2="${y(index)}"/>`,
  ].join('')
}

function mark({ row, x, label, lost }: Mark): string {
  return [
    `<circle class="${lost ? 'f-lost' : 'f-node'}" cx="${x}%" cy="${y(row)}" r="5"/>`,
    `<text class="${lost ? 'f-signal' : 'f-ink'}" x="${x}%" y="${y(row) - 14}" text-anchor="middle">${label}</text>`,
  ].join('')
}

/** Draws a transaction from taking its number to its commit, while others can't see it. */
function open(from: number, to: number, row: number, lost: boolean): string {
  return `<line class="${lost ? 'f-path f-late' : 'f-path'}" x1="${from}%" x2="${to}%" y1="${y(row)}" y2="${y(row)}"/>`
}

export const commitOrder: Figure = {
  name: 'commit-order',
  svg: `<svg width="100%" height="210">${rowNames.map(row).join('')}${open(24, 76, 0, true)}${open(38, 54, 1, false)}${marks.map(mark).join('')}</svg>`,
  head: ['time', 'who', 'what happens'],
  rows: marks.map(({ row, what }, index) => [String(index + 1), rowNames[row] ?? '', what]),
}
