import config from '#content/site.config.ts'
import type { Kind } from '../machine/every-page.ts'
import type { Drawing } from './drawing.ts'
import { png } from './png.ts'
import { coverage, type Face, faceFor, faces, setLine, type Stamp, wrap } from './type.ts'

/** The preview picture for a link to a page: its title, in the page's typography. */
const [width, height, margin] = [1200, 630, 72]
const paper = '#fbfaf6'
const tones = { ink: '#1b1f1a', quiet: '#5c6459', brand: '#1f5b41', line: '#dedcd2' }

const kinds: Record<Kind, string> = {
  home: '',
  page: '',
  guide: 'Guide',
  reference: 'Reference',
  comparison: 'Comparison',
  article: 'Note',
}

/** Sixteen steps from the background to each tone, for smooth edges. */
const steps = 16
const palette = Object.values(tones).flatMap(tone =>
  Array.from({ length: steps }, (_, step) => blend(paper, tone, step / (steps - 1))),
)
type Tone = keyof typeof tones
const firstOf = (tone: Tone) => Object.keys(tones).indexOf(tone) * steps

function blend(from: string, to: string, share: number): string {
  const part = (color: string, at: number) => Number.parseInt(color.slice(at, at + 2), 16)
  const mixed = [1, 3, 5].map(at => {
    const value = Math.round(part(from, at) + (part(to, at) - part(from, at)) * share)
    return value.toString(16).padStart(2, '0')
  })
  return `#${mixed.join('')}`
}

/** Rows as in a PNG: each starts with a filter byte. */
type Canvas = Uint8Array
const stride = width + 1
const placeOf = (x: number, y: number) => y * stride + 1 + x

/**
 * Draws a stamp on the canvas with its origin at x, y. Where pixels overlap, the darker pixel
 * stays.
 */
function draw(canvas: Canvas, stamp: Stamp, x: number, y: number, tone: Tone): void {
  const first = firstOf(tone)
  for (let row = 0; row < stamp.height; row++) {
    const line = y + stamp.top + row
    if (line < 0 || line >= height) continue
    for (let column = 0; column < stamp.width; column++) {
      const step = (stamp.cover[row * stamp.width + column] ?? 0) >> 4
      const at = x + stamp.left + column
      if (step === 0 || at < 0 || at >= width) continue
      const place = placeOf(at, line)
      if (step > (canvas[place] ?? 0) % steps) canvas[place] = first + step
    }
  }
}

function write(canvas: Canvas, text: string, face: Face, x: number, y: number, tone: Tone): void {
  for (const { character, at } of setLine(text, face)) {
    const stamp = face.stamps.get(character)
    if (stamp !== undefined) draw(canvas, stamp, x + at, y, tone)
  }
}

function fillBox(canvas: Canvas, box: [x: number, y: number, w: number, h: number], tone: Tone) {
  const [x, y, w, h] = box
  for (let row = y; row < y + h; row++)
    canvas.fill(firstOf(tone) + steps - 1, placeOf(x, row), placeOf(x + w, row))
}

const mark =
  '<g transform="scale(1.9)"><path d="M18.9 15.2A8 8 0 1 1 18.9 8.8" fill="none" stroke="#000" stroke-width="2.6"/><circle cx="19.6" cy="12" r="3"/></g>'

/** The parts that all pictures share: edge, logo, name and line. */
async function drawCommon(): Promise<Canvas> {
  const canvas = new Uint8Array(stride * height)
  fillBox(canvas, [0, 0, 16, height], 'brand')
  const cover = await coverage(48, 48, mark)
  draw(canvas, { width: 48, height: 48, left: 0, top: 0, cover }, margin, 60, 'brand')
  const face = await faceFor(faces.display, 38, config.name)
  write(canvas, config.name, face, margin + 60, 95, 'ink')
  fillBox(canvas, [margin, 520, width - 2 * margin, 2], 'line')
  return canvas
}

let common: Promise<Canvas> | undefined

/** One canvas for all pictures, because allocating one takes longer than drawing. */
const canvas = new Uint8Array(stride * height)

/** The largest size at which a title fits in four lines. */
function setTitle(title: string): { size: number; lines: string[] } {
  for (const size of [84, 76, 68]) {
    const lines = wrap(title, faces.display, size, width - 2 * margin - 40)
    if (lines.length <= 3) return { size, lines }
  }
  return { size: 60, lines: wrap(title, faces.display, 60, width - 2 * margin) }
}

export async function picture({ kind, path, title }: Drawing): Promise<Uint8Array<ArrayBuffer>> {
  common ??= drawCommon()
  const { size, lines } = setTitle(title)
  const label = [kinds[kind], new URL(config.site).host + path].filter(Boolean).join('  ·  ')
  const [clean, face, mono] = [
    await common,
    await faceFor(faces.display, size, title),
    await faceFor(faces.mono, 24, label),
  ]
  // Nothing awaits from here on, so no other picture is drawn on the same canvas.
  canvas.set(clean)
  const step = size * 1.14
  const top = 330 - ((lines.length - 1) * step) / 2 + size * 0.3
  for (const [at, line] of lines.entries())
    write(canvas, line, face, margin, Math.round(top + at * step), 'ink')
  write(canvas, label, mono, margin, 570, 'quiet')
  return png({ width, height, rows: canvas.slice(), palette })
}
