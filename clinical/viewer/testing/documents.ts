// Documents for the viewer's tests, friendly and hostile.

import pdfkit from 'pdfkit'
import sharp from 'sharp'
import { deflateSync } from 'node:zlib'

/** A HEIC of 64 × 48 pixels. */
export const heic = Buffer.from(
  'AAAAHGZ0eXBoZWljAAAAAG1pZjFoZWljbWlhZgAAAvxtZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAAAAAAAAAAAAAAAA5waXRtAAAAAAACAAAAGGlkYXQAAAAAAEAAMAAAAAAAQAAwAAAAYGlsb2MBAAAAREAABAABAAAAAAAAAyAAAQAAAAAAAABLAAIAAQAAAAAAAAABAAAAAAAAAAgAAwAAAAAAAANrAAEAAAAAAAAAEwAEAAEAAAAAAAAAAQAAAAgAAAAIAAAAYmlpbmYAAAAAAAQAAAAVaW5mZQIAAAEAAQAAaHZjMQAAAAAVaW5mZQIAAAAAAgAAZ3JpZAAAAAAVaW5mZQIAAAEAAwAAaHZjMQAAAAAVaW5mZQIAAAAABAAAZ3JpZAAAAAGxaXBycAAAAYRpcGNvAAAAdmh2Y0MBA3AAAAAAAAAAAAAe8AD8/fj4AAAPAyAAAQAYQAEMAf//A3AAAAMAkAAAAwAAAwAeugJAIQABACpCAQEDcAAAAwCQAAADAAADAB6gIIEFlurkprm4EBAwIAAAAwAgAAADACEiAAEABkQBwXPAiQAAABRpc3BlAAAAAAAAAEAAAABAAAAAFGlzcGUAAAAAAAAAQAAAADAAAAAQcGl4aQAAAAADCAgIAAAAcWh2Y0MBBAgAAAAAAAAAAAAe8AD8/Pj4AAAPAyAAAQAXQAEMAf//BAgAAAMAn/gAAAMAAB66AkAhAAEAJkIBAQQIAAADAJ/4AAADAAAewIIEFlurkprmwIAAAAMAgAAAAwCEIgABAAZEAcFzwIkAAAAUaXNwZQAAAAAAAABAAAAAQAAAABRpc3BlAAAAAAAAAEAAAAAwAAAADnBpeGkAAAAAAQgAAAAnYXV4QwAAAAB1cm46bXBlZzpoZXZjOjIwMTU6YXV4aWQ6MQAAAAAlaXBtYQAAAAAAAAAEAAECgQIAAgIDhAADAoUGAAQDB4iJAAAANmlyZWYAAAAAAAAADmRpbWcAAgABAAEAAAAOZGltZwAEAAEAAwAAAA5hdXhsAAQAAQACAAAAZm1kYXQAAABHKAGvWPkcH/tDf7i0+2NCGXeklM5oldJ7yZ64BbHA7xoWuECnLgoPSQ/tFXsyajVOb526/+uIEWf64ATU8azjouqB969YwpcAAAAPKAGusLQ8t9h/IDAFnqOA',
  'base64',
)

export async function pdfOf(
  pages: number,
  options: PDFKit.PDFDocumentOptions = {},
): Promise<Buffer> {
  const document = new pdfkit({ size: 'LETTER', autoFirstPage: false, ...options })
  const chunks: Buffer[] = []
  document.on('data', (chunk: Buffer) => chunks.push(chunk))
  const ended = new Promise(resolve => document.on('end', resolve))
  for (let page = 1; page <= pages; page++) {
    document.addPage()
    document.fontSize(24).text(`Result for a synthetic patient, page ${page}`)
    document.rect(72, 72 + 40 * page, 200, 20).fill('#a03020')
  }
  document.end()
  await ended
  return Buffer.concat(chunks)
}

type Part = string | { readonly entries: string; readonly stream: Buffer }

/** Builds a PDF from the given objects; the first object is the catalog. */
export function rawPdf(parts: readonly Part[], trailer = ''): Buffer {
  const chunks: Buffer[] = [Buffer.from('%PDF-1.7\n')]
  const places: number[] = []
  let at = 9
  const add = (chunk: Buffer) => {
    chunks.push(chunk)
    at += chunk.length
  }
  for (const [index, part] of parts.entries()) {
    places.push(at)
    add(Buffer.from(`${index + 1} 0 obj\n`))
    if (typeof part === 'string') add(Buffer.from(part))
    else {
      add(Buffer.from(`<< ${part.entries} /Length ${part.stream.length} >>\nstream\n`))
      add(part.stream)
      add(Buffer.from('\nendstream'))
    }
    add(Buffer.from('\nendobj\n'))
  }
  const table = places.map(place => `${String(place).padStart(10, '0')} 00000 n \n`).join('')
  const start = at
  const size = parts.length + 1
  add(Buffer.from(`xref\n0 ${size}\n0000000000 65535 f \n${table}`))
  add(Buffer.from(`trailer\n<< /Size ${size} /Root 1 0 R ${trailer} >>\n`))
  add(Buffer.from(`startxref\n${start}\n%%EOF\n`))
  return Buffer.concat(chunks)
}

const onePage = (more = '', box = '0 0 612 792') => [
  `<< /Type /Catalog /Pages 2 0 R ${more} >>`,
  '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
  `<< /Type /Page /Parent 2 0 R /MediaBox [${box}] /Contents 4 0 R /Resources << /XObject << /X 5 0 R >> >> >>`,
]

const content = (text: string) => ({ entries: '', stream: Buffer.from(text) })
const fill = content('0.6 0.2 0.1 rg 100 100 200 200 re f')

const zeros = (megabytes: number) => deflateSync(Buffer.alloc(megabytes * 2 ** 20), { level: 9 })

const scriptAt = (
  url: string,
) => `/OpenAction << /S /JavaScript /JS (app.alert\\(1\\); this.submitForm\\('${url}'\\)) >>
  /AA << /WC << /S /URI /URI (${url}) >> /O << /S /Launch /F (/bin/sh) >> >>`

/** A picture stored by URL, which a reader must not fetch. */
const remoteAt = (
  url: string,
) => `<< /Type /XObject /Subtype /Image /Width 1 /Height 1 /BitsPerComponent 8
  /ColorSpace /DeviceGray /F << /FS /URL /F (${url}) >> /Length 0 >>\nstream\n\nendstream`

/** A one-page PDF, rotated by a quarter turn, with a thumbnail of a different picture. */
export const rotatedPdf = () => {
  const [catalog = '', pages = '', page = ''] = onePage()
  const turned = page.replace('/Parent', '/Rotate 90 /Thumb 5 0 R /Parent')
  return rawPdf([catalog, pages, turned, fill, remoteAt('')])
}

/** One page of forms that each draw the next one ten times. The page takes minutes to render. */
export const slowPdf = (): Buffer => {
  const depth = 8
  const first = 5
  const forms = Array.from({ length: depth }, (_, at) => ({
    entries: `/Type /XObject /Subtype /Form /BBox [0 0 612 792]
      /Resources << /XObject << /X ${first + at + 1} 0 R >> >>`,
    stream: Buffer.from('/X Do '.repeat(10)),
  }))
  const last = {
    entries: '/Type /XObject /Subtype /Form /BBox [0 0 612 792]',
    stream: Buffer.from('0.6 0.2 0.1 rg 100 100 200 200 re f'),
  }
  return rawPdf([...onePage(), content('/X Do'), ...forms, last])
}

/** Each PDF is generated on request, because some take a second. */
export const hostilePdfs = (url: string) => ({
  'with scripts and launches': () => rawPdf([...onePage(scriptAt(url)), fill]),
  'with a picture at an address': () =>
    rawPdf([...onePage(), content('100 0 0 100 0 0 cm /X Do'), remoteAt(url)]),
  'with a page of a mile': () => rawPdf([...onePage('', '0 0 1e9 1e9'), fill]),
  'with a page like a thread': () => rawPdf([...onePage('', '0 0 1 100000'), fill]),
  'with a page of no size': () => rawPdf([...onePage('', '0 0 0 0'), fill]),
  'whose pages contain themselves': () =>
    rawPdf([
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 2 >>',
    ]),
  'with a form that draws itself': () =>
    rawPdf([
      ...onePage(),
      content('/X Do'),
      {
        entries:
          '/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X 5 0 R >> >>',
        stream: Buffer.from('/X Do /X Do'),
      },
    ]),
  'that becomes gigabytes': () => {
    const part = zeros(64)
    const entries = '/Filter [/FlateDecode /FlateDecode]'
    const stream = deflateSync(Buffer.concat(Array.from({ length: 64 }, () => part)))
    return rawPdf([...onePage(), { entries, stream }])
  },
  'with a picture of a trillion pixels': () =>
    rawPdf([
      ...onePage(),
      content('600 0 0 600 0 0 cm /X Do'),
      {
        entries:
          '/Type /XObject /Subtype /Image /Width 1000000 /Height 1000000 /BitsPerComponent 8 /ColorSpace /DeviceRGB /Filter /FlateDecode',
        stream: zeros(16),
      },
    ]),
  'of noise': () =>
    Buffer.concat([
      Buffer.from('%PDF-1.7\n'),
      Buffer.from(Array.from({ length: 20_000 }, (_, at) => (at * 7919) % 251)),
      Buffer.from('\n%%EOF'),
    ]),
})

const pngHeader = (width: number, height: number) => {
  const png = Buffer.alloc(25)
  png.writeUInt32BE(13, 0)
  png.write('IHDR', 4, 'latin1')
  png.writeUInt32BE(width, 8)
  png.writeUInt32BE(height, 12)
  png.set([8, 2, 0, 0, 0], 16)
  png.writeUInt32BE(Bun.hash.crc32(png.subarray(4, 21)), 21)
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), png])
}

export const pngChunk = (type: string, data: Uint8Array) => {
  const chunk = Buffer.alloc(data.length + 12)
  chunk.writeUInt32BE(data.length, 0)
  chunk.write(type, 4, 'latin1')
  chunk.set(data, 8)
  chunk.writeUInt32BE(Bun.hash.crc32(chunk.subarray(4, data.length + 8)), data.length + 8)
  return chunk
}

/** All pixels are black, so the file is small. */
export const blackPng = (width: number, height: number): Buffer =>
  Buffer.concat([
    pngHeader(width, height),
    pngChunk('IDAT', deflateSync(Buffer.alloc(Math.min((width * 3 + 1) * height, 2 ** 29)))),
    pngChunk('IEND', new Uint8Array()),
  ])

export const svg = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><image href="file:///etc/passwd"/></svg>',
)

/** A photo as a phone writes it: rotated, and with the location where it was taken. */
export const phonePhoto = () =>
  sharp({ create: { width: 300, height: 200, channels: 3, background: '#a03020' } })
    .jpeg()
    .withMetadata({ orientation: 6 })
    .withExif({ IFD0: { Artist: 'of-the-exif' }, IFD3: { GPSLatitude: '37/1' } })
    .toBuffer()
