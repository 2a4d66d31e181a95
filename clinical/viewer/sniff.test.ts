// Detection of the four file types, and of files that only resemble them.

import { expect, test } from 'bun:test'
import { endBytes, isOf, type Mime } from './sniff.ts'
import { photo } from '../testing/files.ts'

const text = (...parts: (string | number[])[]) =>
  Buffer.concat(
    parts.map(part => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part))),
  )
const ftyp = (size: number, ...brands: string[]) =>
  text([0, 0, 0, size], 'ftyp', brands[0] ?? '', [0, 0, 0, 0], ...brands.slice(1))
const mdat = text([0, 0, 0, 16], 'mdat12345678')
const pdf = text('%PDF-1.7\n1 0 obj\n<<>>\nendobj\n', 'x'.repeat(3000), 'startxref\n0\n%%EOF\n')
const jpeg = text([0xff, 0xd8, 0xff, 0xe1], 'Exif\0\0', 'x'.repeat(100), [0xff, 0xd9])

const samples: [string, Buffer, Mime | null][] = [
  ['a PDF', pdf, 'application/pdf'],
  ['a PDF of version 2', text('%PDF-2.0\n', 'x'.repeat(99), '%%EOF'), 'application/pdf'],
  ['a JPEG', jpeg, 'image/jpeg'],
  ['a JPEG with a trailer', text(jpeg.toString('latin1'), 'SEFT'.repeat(99)), 'image/jpeg'],
  ['a PNG', photo, 'image/png'],
  [
    'a HEIC',
    text(ftyp(24, 'heic', 'mif1', 'heic').toString('latin1'), mdat.toString('latin1')),
    'image/heic',
  ],
  [
    'a HEIC with a longer box',
    Buffer.concat([ftyp(44, 'mif1', 'heic', 'heix', 'miaf', 'tmap', 'MiHE', 'MiPr'), mdat]),
    'image/heic',
  ],
  ['a HEIC of sixteen bytes, which only its first brand names', ftyp(16, 'heic'), 'image/heic'],
  [
    'a HEIC that only its last brand names',
    Buffer.concat([ftyp(28, 'mif1', 'miaf', 'MiHE', 'heic'), mdat]),
    'image/heic',
  ],
  [
    'a HEIC with a box of 4,096 bytes',
    text([0, 0, 16, 0], 'ftypheic', [0, 0, 0, 0], 'mif1heic', 'x'.repeat(5000)),
    'image/heic',
  ],
  ['an AVIF', Buffer.concat([ftyp(24, 'avif', 'mif1', 'heic'), mdat]), null],
  [
    'an AVIF that only its last brand names',
    Buffer.concat([ftyp(28, 'mif1', 'heic', 'MiHE', 'avif'), mdat]),
    null,
  ],
  ['an MP4', Buffer.concat([ftyp(24, 'isom', 'mp41', 'mp42'), mdat]), null],
  [
    'a HEIC whose box has a wrong length',
    Buffer.concat([ftyp(25, 'heic', 'mif1', 'heic'), mdat]),
    null,
  ],
  ['a HEIC whose box is too short', Buffer.concat([ftyp(12, 'heic', 'mif1', 'heic'), mdat]), null],
  [
    'a HEIC whose box is too long',
    text([0, 0, 16, 4], 'ftypheic', [0, 0, 0, 0], 'mif1heic', 'x'.repeat(5000)),
    null,
  ],
  ['a HEIC without its box', text([0, 0, 0, 24], 'freeheic', [0, 0, 0, 0], 'mif1heic'), null],
  ['a PDF behind something else', text('<html>', pdf.toString('latin1')), null],
  ['a PDF of its least length', text('%PDF-1.7\n\n\n%%EOF'), 'application/pdf'],
  ['a PDF of a byte less', text('%PDF-1.7\n\n%%EOF'), null],
  [
    'a PDF with its end in the last 2,048 bytes',
    text('%PDF-1.7\n', '%%EOF', 'x'.repeat(2043)),
    'application/pdf',
  ],
  ['a PDF with its end before them', text('%PDF-1.7\n', '%%EOF', 'x'.repeat(2044)), null],
  ['half a PDF', pdf.subarray(0, 2000), null],
  ['half a JPEG', jpeg.subarray(0, 50), null],
  ['half a PNG', photo.subarray(0, 40), null],
  ['a PNG without its header chunk', text('\x89PNG\r\n\x1a\n', 'x'.repeat(40), 'IEND'), null],
  ['an SVG', text('<svg xmlns="http://www.w3.org/2000/svg">', '<script/>', '</svg>'), null],
  ['a ZIP', text('PK\x03\x04', 'x'.repeat(200)), null],
  ['a web page', text('<!doctype html><title>x</title>'), null],
  ['a few bytes', text('%PDF-1.7%%EOF'), null],
  ['nothing much', text([0xff, 0xd8, 0xff]), null],
]

const all: Mime[] = ['application/pdf', 'image/jpeg', 'image/png', 'image/heic']

test('file types: 65,536 bytes are read at each end', () => {
  expect(endBytes).toBe(65_536)
})

test.each(samples)('file types: %s', (_, bytes, mime) => {
  const ends = { head: bytes.subarray(0, endBytes), tail: bytes.subarray(-endBytes) }
  expect(all.filter(one => isOf(one, ends))).toEqual(mime === null ? [] : [mime])
})
