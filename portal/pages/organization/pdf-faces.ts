// Fonts for PDFs, for names in every script. PDF readers have built-in fonts only for Western
// European letters, so a PDF embeds its glyphs.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { inflateSync } from 'node:zlib'
import { create } from 'fontkitten'

const scripts = [
  'latin',
  'latin-ext',
  'greek',
  'greek-ext',
  'cyrillic',
  'cyrillic-ext',
  'vietnamese',
]

/** In the order they're tried; the last one supports all scripts. The library can't subset a WOFF2
 *  font. */
const files = [
  ...scripts.map(script => `@fontsource/inter/files/inter-${script}-400-normal.woff`),
  '@fontsource/unifontex/files/unifontex-latin-400-normal.woff',
]

const { resolve } = createRequire(import.meta.url)

/** A WOFF 1.0 font, decompressed once, because the library would otherwise decompress the font for
 *  each glyph. */
function unpacked(woff: Buffer): Buffer {
  const count = woff.readUInt16BE(12)
  const head = Buffer.alloc(12 + count * 16)
  woff.copy(head, 0, 4, 8)
  head.writeUInt16BE(count, 4)
  const parts: Uint8Array[] = [head]
  let place = head.length
  for (let at = 0; at < count; at++) {
    const entry = 44 + at * 20
    const [from, packed, length, checksum] = [4, 8, 12, 16].map(each => woff.readUInt32BE(entry + each)) // prettier-ignore
    const stored = woff.subarray(from, (from ?? 0) + (packed ?? 0))
    const table = packed === length ? stored : inflateSync(stored)
    woff.copy(head, 12 + at * 16, entry, entry + 4)
    for (const [index, value] of [checksum, place, length].entries()) {
      head.writeUInt32BE(value ?? 0, 16 + at * 16 + index * 4)
    }
    parts.push(table, Buffer.alloc(-table.length & 3))
    place += (table.length + 3) & ~3
  }
  return Buffer.concat(parts)
}

function openFace(file: string) {
  const content = unpacked(readFileSync(resolve(file)))
  const font = create(content)
  if (!('hasGlyphForCodePoint' in font)) throw new Error(`${file} holds more than one font`)
  return { file, content, has: (point: number) => font.hasGlyphForCodePoint(point) }
}

type Face = ReturnType<typeof openFace>

const opened = new Map<string, Face>()

/** Opens a font on first use, because the last one takes as long as all others combined. */
function faceAt(file: string): Face {
  const face = opened.get(file) ?? openFace(file)
  opened.set(file, face)
  return face
}

function faceOf(character: string): Face {
  const point = character.codePointAt(0) ?? 0
  const file = files.find(each => faceAt(each).has(point)) ?? files[0]
  return faceAt(file ?? '')
}

export type Run = { readonly face: Face; text: string }

/** A text in parts, each in the first face that has all of its characters. A mark stays with the
 *  letter before it if that letter's face has both characters. */
export function runsOf(text: string): Run[] {
  const runs: Run[] = []
  for (const character of text.normalize('NFC')) {
    const last = runs.at(-1)
    const isMark = /^[\p{M}\s]$/u.test(character)
    const isIn = character === '\n' || (isMark && last?.face.has(character.codePointAt(0) ?? 0))
    if (last && isIn) last.text += character
    else {
      const face = faceOf(character)
      if (last?.face === face) last.text += character
      else runs.push({ face, text: character })
    }
  }
  return runs
}
