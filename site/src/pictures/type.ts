import { create } from 'fontkitten'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

// Text in pictures, in the site's own fonts: system fonts would vary by machine. Each glyph is
// rasterized once per size and then copied, because rasterizing a whole picture takes 0.1 s.

const resolve = createRequire(import.meta.url).resolve

const opened = new Map<string, ReturnType<typeof open>>()

function open(file: string) {
  const font = create(readFileSync(resolve(`${file}.woff2`)))
  if (!('glyphsForString' in font)) throw new Error(`${file} holds more than one font`)
  return font
}

function fontOf(file: string) {
  const font = opened.get(file) ?? open(file)
  opened.set(file, font)
  return font
}

const inter = (script: string) => `@fontsource-variable/inter/files/inter-${script}-wght-normal`

/**
 * Fallback fonts for letters missing from a face, in the order tried. The last font has every
 * letter.
 */
const others = [
  ...['greek', 'greek-ext', 'cyrillic', 'cyrillic-ext'].map(inter),
  '@fontsource/unifontex/files/unifontex-latin-400-normal',
]

/** A font, with the first fallback that has each missing glyph. */
function faceOf(file: string) {
  const { postscriptName, unitsPerEm } = fontOf(file)
  const own = ['latin-ext', 'vietnamese'].map(script => file.replace('-latin-', `-${script}-`))
  const glyphOf = (character: string) => {
    const has = (each: string) => fontOf(each).hasGlyphForCodePoint(character.codePointAt(0) ?? 0)
    const font = fontOf([file, ...own, ...others].find(has) ?? file)
    const [glyph] = font.glyphsForString(character)
    const scale = unitsPerEm / font.unitsPerEm
    const outline = () => glyph?.path.scale(scale, scale).toSVG() ?? ''
    return { id: glyph?.id ?? 0, advanceWidth: (glyph?.advanceWidth ?? 0) * scale, outline }
  }
  const glyphsForString = (text: string) => [...text.normalize('NFC')].map(glyphOf)
  return { postscriptName, unitsPerEm, glyphsForString }
}

export const faces = {
  display: faceOf('@fontsource-variable/newsreader/files/newsreader-latin-opsz-normal'),
  mono: faceOf('@fontsource-variable/jetbrains-mono/files/jetbrains-mono-latin-wght-normal'),
}

type Font = (typeof faces)[keyof typeof faces]

/** How much of each pixel a shape covers, 0 to 255, and its box relative to its origin. */
export type Stamp = { width: number; height: number; left: number; top: number; cover: Buffer }

/** A font at a size in pixels, with the requested characters' stamps. */
export type Face = { font: Font; size: number; stamps: Map<string, Stamp> }

function widthOf(text: string, { font, size }: Omit<Face, 'stamps'>): number {
  const units = font.glyphsForString(text).reduce((sum, glyph) => sum + glyph.advanceWidth, 0)
  return (units * size) / font.unitsPerEm
}

/** Each character in a line with its origin's distance from the start of the line. */
export function setLine(text: string, { font, size }: Face): { character: string; at: number }[] {
  let at = 0
  return [...text].map(character => {
    const set = { character, at: Math.round(at) }
    at += widthOf(character, { font, size })
    return set
  })
}

/** Breaks a text at its spaces into lines no wider than this. */
export function wrap(text: string, font: Font, size: number, width: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(/\s+/)) {
    const longer = line === '' ? word : `${line} ${word}`
    if (line !== '' && widthOf(longer, { font, size }) > width) {
      lines.push(line)
      line = word
    } else line = longer
  }
  return [...lines, line]
}

const stamped = new Map<string, Promise<Face>>()

/** The face with a stamp for every character in a text. New stamps are rasterized together. */
export async function faceFor(font: Font, size: number, text: string): Promise<Face> {
  const key = `${font.postscriptName} ${size}`
  const opening = stamped.get(key) ?? openFace(font, size)
  stamped.set(key, opening)
  const face = await opening
  const missing = [...new Set(text)].filter(character => !face.stamps.has(character))
  for (const [character, stamp] of await rasterize(missing, font, size))
    face.stamps.set(character, stamp)
  return face
}

const openFace = async (font: Font, size: number): Promise<Face> => ({
  font,
  size,
  stamps: new Map(await rasterize(usual, font, size)),
})

/** The characters in titles, so each size is rasterized once for all titles. */
const usual = Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at))

const columns = 12

/** Every character in its own cell at whole pixels, so none overlaps another. */
async function rasterize(characters: string[], font: Font, size: number) {
  if (characters.length === 0) return []
  const cell = Math.ceil(size * 2)
  const [left, base] = [Math.ceil(size / 2), Math.ceil(size * 1.4)]
  const rows = Math.ceil(characters.length / columns)
  const scale = size / font.unitsPerEm
  const paths = characters.map((character, at) => {
    const [x, y] = [(at % columns) * cell + left, Math.floor(at / columns) * cell + base]
    const shapes = font.glyphsForString(character).map(glyph => glyph.outline())
    return `<path transform="translate(${x} ${y}) scale(${scale} ${-scale})" d="${shapes.join('')}"/>`
  })
  const sheet: Sheet = { width: columns * cell, cover: Buffer.alloc(0) }
  sheet.cover = await coverage(sheet.width, rows * cell, paths.join(''))
  return characters.map((character, at): [string, Stamp] => {
    const [x, y] = [(at % columns) * cell, Math.floor(at / columns) * cell]
    return [character, cut(sheet, { x, y, cell, left, base })]
  })
}

type Sheet = { width: number; cover: Buffer }
type Cell = { x: number; y: number; cell: number; left: number; base: number }

/** One character from the sheet, without the empty rows and columns around it. */
function cut({ width, cover }: Sheet, { x, y, cell, left, base }: Cell): Stamp {
  const inked = (column: number, row: number) => (cover[(y + row) * width + x + column] ?? 0) > 0
  const all = Array.from({ length: cell }, (_, at) => at)
  const inkedRows = all.filter(row => all.some(column => inked(column, row)))
  const inkedColumns = all.filter(column => inkedRows.some(row => inked(column, row)))
  const [top = 0, first = 0] = [inkedRows[0], inkedColumns[0]]
  const size = {
    width: (inkedColumns.at(-1) ?? first - 1) - first + 1,
    height: (inkedRows.at(-1) ?? top - 1) - top + 1,
  }
  const cropped = Buffer.alloc(size.width * size.height)
  for (let row = 0; row < size.height; row++) {
    const from = (y + top + row) * width + x + first
    cover.copy(cropped, row * size.width, from, from + size.width)
  }
  return { ...size, left: first - left, top: top - base, cover: cropped }
}

/** Renders black shapes as the share of each pixel that they cover. */
export async function coverage(width: number, height: number, shapes: string): Promise<Buffer> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${shapes}</svg>`
  // Loading sharp takes 0.3 s, and most builds draw no pictures.
  const { default: sharp } = await import('sharp')
  return sharp(Buffer.from(svg)).extractChannel('alpha').raw().toBuffer()
}
