import { create } from 'fontkitten'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

// Text as outlines. A picture drawn with the machine's own fonts would differ from machine to
// machine, and the site's fonts are in our packages already.

const resolve = createRequire(import.meta.url).resolve

const open = (file: string) => {
  const font = create(readFileSync(resolve(`@fontsource-variable/${file}.woff2`)))
  if (!('glyphsForString' in font)) throw new Error(`${file} holds more than one font`)
  return font
}

export const faces = {
  display: open('newsreader/files/newsreader-latin-opsz-normal'),
  text: open('inter/files/inter-latin-wght-normal'),
  mono: open('jetbrains-mono/files/jetbrains-mono-latin-wght-normal'),
}

type Face = (typeof faces)[keyof typeof faces]

export function widthOf(text: string, face: Face, size: number): number {
  const units = face.glyphsForString(text).reduce((sum, glyph) => sum + glyph.advanceWidth, 0)
  return (units * size) / face.unitsPerEm
}

/** One line of text as an SVG path whose baseline begins at x, y. */
export function outline(text: string, face: Face, size: number, x: number, y: number): string {
  const scale = size / face.unitsPerEm
  let at = x
  const glyphs = face.glyphsForString(text).map(glyph => {
    const place = `translate(${at.toFixed(1)} ${y}) scale(${scale} ${-scale})`
    at += glyph.advanceWidth * scale
    return `<path transform="${place}" d="${glyph.path.toSVG()}"/>`
  })
  return glyphs.join('')
}

/** Breaks a text at its spaces into lines no wider than asked. */
export function wrap(text: string, face: Face, size: number, width: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(/\s+/)) {
    const longer = line === '' ? word : `${line} ${word}`
    if (line !== '' && widthOf(longer, face, size) > width) {
      lines.push(line)
      line = word
    } else line = longer
  }
  return [...lines, line]
}
