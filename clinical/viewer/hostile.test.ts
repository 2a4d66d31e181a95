// The viewer with documents made to harm it, and with processes that exceed each limit.

import { afterAll, describe, expect, test } from 'bun:test'
import path from 'node:path'
import { heic, hostilePdfs, svg } from './testing/documents.ts'
import { openViewer } from './viewer.ts'

const viewer = openViewer()

describe('hostile PDFs end as an image or a refusal', () => {
  let asked = 0
  const server = Bun.serve({ port: 0, fetch: () => (asked++, new Response('x')) })
  afterAll(() => server.stop(true))
  type Name = keyof ReturnType<typeof hostilePdfs>
  const harmless = new Set(['with scripts and launches', 'with a picture at an address'])

  test.each(Object.keys(hostilePdfs('')))('a PDF %s', async name => {
    const pdf = hostilePdfs(`http://127.0.0.1:${server.port}/`)[name as Name]()
    const rendered = await viewer.render(pdf, { mime: 'application/pdf', page: 1 })
    if (harmless.has(name)) expect(rendered).toMatchObject({ pages: 1, width: 1275 })
    if ('finding' in rendered) expect(rendered.finding).toBe('damaged')
    else expect(Math.max(rendered.width, rendered.height)).toBeLessThanOrEqual(1800)
    expect(asked).toBe(0)
  })
})

const open = (name: string, more = {}) =>
  openViewer({ script: path.join(import.meta.dir, 'testing', name), ...more })
const png = { mime: 'image/png', page: 1 } as const

test.each([
  ['hangs.ts', { secondsMax: 1 }, 'damaged'],
  ['spins.ts', { processorSecondsMax: 1 }, 'too_slow'],
  ['eats.ts', {}, 'damaged'],
  ['floods.ts', {}, 'damaged'],
  ['lies.ts', {}, 'damaged'],
  ['crashes.ts', {}, 'damaged'],
] as const)(
  '%s: one page is refused, and the next page is shown',
  async (name, limits, finding) => {
    const failing = open(name, { ...limits, atOnceMax: 1 })
    const [refused, alike] = await Promise.all([failing.render(svg, png), failing.render(svg, png)])
    expect([refused, alike]).toEqual([{ finding }, { finding }])
    expect(await viewer.render(heic, { mime: 'image/heic', page: 1 })).toMatchObject({ width: 64 })
  },
  300_000,
)
