import type { Figure } from './figure.ts'

type Step = { from: 'you' | 'us'; label: string; arrives: boolean }
type Story = { title: string; steps: Step[] }

const stories: Story[] = [
  {
    title: 'Cut before the commit: nothing was written',
    steps: [
      { from: 'you', label: 'POST, key 8812', arrives: false },
      { from: 'you', label: 'POST, key 8812', arrives: true },
      { from: 'us', label: '201, executed now', arrives: true },
    ],
  },
  {
    title: 'Cut after the commit: the response is replayed',
    steps: [
      { from: 'you', label: 'POST, key 8812', arrives: true },
      { from: 'us', label: '201, lost in transit', arrives: false },
      { from: 'you', label: 'POST, key 8812', arrives: true },
      { from: 'us', label: '201, the same bytes', arrives: true },
    ],
  },
]

const gap = 46
const you = 12
const us = 88

function arrow({ from, label, arrives }: Step, y: number): string {
  const start = from === 'you' ? you : us
  const end = from === 'you' ? us : you
  const middle = (start + end) / 2
  const stop = arrives ? end + (from === 'you' ? -1 : 1) : middle + (from === 'you' ? 8 : -8)
  const line = `<line class="${arrives ? 'f-path' : 'f-path f-late'}" x1="${start}%" x2="${stop}%" y1="${y}" y2="${y}"/>`
  const tip = arrives
    ? `<circle class="f-node" cx="${stop}%" cy="${y}" r="4"/>`
    : `<text class="f-signal f-strong" x="${stop}%" y="${y + 5}" text-anchor="middle">×</text>`
  const text = `<text class="${arrives ? 'f-ink' : 'f-signal'}" x="50%" y="${y - 10}" text-anchor="middle">${label}</text>`
  return line + tip + text
}

function story({ title, steps }: Story, top: number): string {
  const height = steps.length * gap
  const post = (x: number, name: string) =>
    `<text class="f-quiet" x="${x}%" y="${top + 44}" text-anchor="middle">${name}</text><line class="f-hair" x1="${x}%" x2="${x}%" y1="${top + 54}" y2="${top + 64 + height}"/>`
  const arrows = steps.map((step, index) => arrow(step, top + 84 + index * gap)).join('')
  return `<text class="f-ink f-strong" x="0" y="${top + 14}">${title}</text>${post(you, 'you')}${post(us, 'us')}${arrows}`
}

const firstHeight = 64 + (stories[0]?.steps.length ?? 0) * gap + 36

export const cutConnection: Figure = {
  name: 'cut-connection',
  svg: `<svg width="100%" height="${firstHeight + 76 + 4 * gap}">${stories.map((each, index) => story(each, index * firstHeight)).join('')}</svg>`,
  head: ['where it breaks', 'step', 'what happens'],
  rows: stories.flatMap(({ title, steps }) =>
    steps.map(({ from, label, arrives }, index) => [
      title.replace(/:.*/, ''),
      String(index + 1),
      `${from === 'you' ? 'you send' : 'we respond'} ${label}${arrives ? '' : ' (it never arrives)'}`,
    ]),
  ),
}
