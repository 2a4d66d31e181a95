// The process that renders one page of one document (viewer.ts starts it). It loads the decoder for
// this type, gives up access it doesn't need, and only then reads the document. Whatever a document
// makes the decoder do, it can reach no file, network, other process or secret. Decided in
// docs/decisions/0146-show-documents-as-images-of-a-sealed-process.md.

import { readSync, writeSync } from 'node:fs'
import { decodeImage, encodeShown } from './image.ts'
import { exits, type RenderHead, type Renderer, type RenderRequest } from './protocol.ts'
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

/** Loads only this type's decoder, because loading the others would take most of the time until the
 *  page is shown. */
async function rendererOf(mime: RenderRequest['mime']): Promise<Renderer> {
  if (mime === 'application/pdf') return (await import('./pdf.ts')).pdfRenderer()
  if (mime === 'image/heic') return (await import('./heic.ts')).decodeHeic
  return decodeImage
}

async function main(render: Renderer, page: number): Promise<void> {
  const rendered = await render(readInput(), page)
  if ('finding' in rendered) return writeOutput(rendered)
  const { data, info } = await encodeShown(rendered.image)
  writeOutput({ pages: rendered.pages, width: info.width, height: info.height }, data)
}

function failed(failure: unknown, code: number): never {
  writeSync(2, failure instanceof Error ? failure.message : 'The render failed.')
  process.exit(code)
}

async function prepare(mime: RenderRequest['mime']): Promise<Renderer> {
  try {
    const renderer = await rendererOf(mime)
    seal()
    return renderer
  } catch (failure) {
    return failed(failure, exits.unavailable)
  }
}

const [mime, page] = process.argv.slice(2)
const renderer = await prepare(mime as RenderRequest['mime'])
try {
  await main(renderer, Number(page))
} catch (failure) {
  failed(failure, exits.failed)
}
process.exit(0)
