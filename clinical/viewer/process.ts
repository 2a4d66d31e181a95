// The process that renders one page of one document (viewer.ts starts it). It loads its code, gives
// up what it does not need, and only then reads the document: whatever the document makes of a
// decoder finds no file, no network, no other process and no secret.

import { readSync, writeSync } from 'node:fs'
import { decodeImage, encodeShown, ofPixels } from './image.ts'
import { type PdfResources, readPdfResources, renderPdf } from './pdf.ts'
import { exits, type RenderHead, type RenderRequest } from './protocol.ts'
import { seal } from './seal.ts'

const chunkBytes = 1 << 20

function readInput(): Uint8Array {
  const chunks: Uint8Array[] = []
  for (;;) {
    const chunk = new Uint8Array(chunkBytes)
    const count = readSync(0, chunk)
    if (count === 0) return new Uint8Array(Buffer.concat(chunks))
    chunks.push(chunk.subarray(0, count))
  }
}

function writeOutput(head: RenderHead, image?: Uint8Array): void {
  const bytes = Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), image ?? new Uint8Array()])
  for (let at = 0; at < bytes.length;) at += writeSync(1, bytes, at)
}

async function main({ mime, page }: RenderRequest, resources: PdfResources): Promise<void> {
  const bytes = readInput()
  if (mime === 'application/pdf') {
    const rendered = await renderPdf(bytes, page, resources)
    if ('finding' in rendered) return writeOutput(rendered)
    const { pages, pixels, width, height } = rendered
    const { data } = await encodeShown(ofPixels(pixels, width, height))
    return writeOutput({ pages, width, height }, data)
  }
  const decoded = await decodeImage(bytes, mime)
  if ('finding' in decoded) return writeOutput(decoded)
  const { data, info } = await encodeShown(decoded.image)
  writeOutput({ pages: 1, width: info.width, height: info.height }, data)
}

function failed(failure: unknown, code: number): never {
  writeSync(2, failure instanceof Error ? failure.message : 'The render failed.')
  process.exit(code)
}

function prepare(mime: string | undefined): PdfResources {
  try {
    const resources = mime === 'application/pdf' ? readPdfResources() : new Map()
    seal()
    return resources
  } catch (failure) {
    return failed(failure, exits.unavailable)
  }
}

const [mime, page] = process.argv.slice(2)
const resources = prepare(mime)
try {
  await main({ mime: mime as RenderRequest['mime'], page: Number(page) }, resources)
} catch (failure) {
  failed(failure, exits.failed)
}
process.exit(0)
