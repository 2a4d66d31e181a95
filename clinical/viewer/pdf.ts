// Renders one page of a PDF as an image, in the sealed process. pdf.js runs none of the document's
// scripts; the fonts and decoders it needs are in memory before the seal.

import { type Canvas, createCanvas } from '@napi-rs/canvas'
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { getDocument, VerbosityLevel } from 'pdfjs-dist/legacy/build/pdf.mjs'
// Runs in this thread, because a sealed process can't start a worker that loads code.
import * as pdfWorker from 'pdfjs-dist/legacy/build/pdf.worker.mjs'
import { fileLimits } from '#contract/console/files.ts'
import { ofPixels } from './image.ts'
import { type Rendered, type Renderer, viewerLimits } from './protocol.ts'

type PdfResources = ReadonlyMap<string, Uint8Array>

/** Everything pdf.js may request while it renders, by the name it uses. */
function readPdfResources(): PdfResources {
  const root = path.dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'))
  const resources = new Map<string, Uint8Array>()
  for (const folder of ['cmaps', 'standard_fonts', 'wasm', 'iccs']) {
    for (const name of readdirSync(path.join(root, folder))) {
      if (!/\.(bcmap|pfb|ttf|wasm|icc)$/.test(name)) continue
      resources.set(`/${folder}/${name}`, readFileSync(path.join(root, folder, name)))
    }
  }
  return resources
}

const factoryOf = (resources: PdfResources) =>
  class {
    readonly fetch = async ({ kind, filename }: { kind: string; filename: string }) => {
      const found = resources.get(`${folders[kind] ?? ''}${filename}`)
      if (found === undefined) throw new Error('pdf.js requested an unknown resource')
      // pdf.js may keep or change the bytes it gets.
      return new Uint8Array(found)
    }
  }

const folders: Readonly<Record<string, string>> = {
  cMapUrl: '/cmaps/',
  standardFontDataUrl: '/standard_fonts/',
  wasmUrl: '/wasm/',
  iccUrl: '/iccs/',
}

const pointsPerInch = 72
const pixelsPerInch = 150

export function pdfRenderer(): Renderer {
  const resources = readPdfResources()
  return (bytes, page) => renderPdf(bytes, page, resources)
}

async function renderPdf(
  bytes: Uint8Array,
  number: number,
  resources: PdfResources,
): Promise<Rendered> {
  Object.assign(globalThis, { pdfjsWorker: pdfWorker })
  const opened = await open(bytes, resources)
  if (typeof opened === 'string') return { finding: opened }
  const { numPages: pages } = opened
  if (pages > fileLimits.pagesMax) return { finding: 'too_many_pages' }
  if (number > pages) return { finding: 'damaged' }
  const page = await opened.getPage(number)
  const plain = page.getViewport({ scale: 1 })
  const longest = Math.max(plain.width, plain.height)
  const scale = Math.min(pixelsPerInch / pointsPerInch, viewerLimits.shownSideMax / longest)
  const viewport = page.getViewport({ scale })
  const [width, height] = [Math.round(viewport.width), Math.round(viewport.height)]
  // A page may be a thousand times as tall as it is wide, or have no size at all.
  if (!(width >= 1 && height >= 1)) return { finding: 'damaged' }
  const canvas: Canvas = createCanvas(width, height)
  await page.render({
    canvas: canvas as unknown as HTMLCanvasElement,
    viewport,
    background: '#ffffff',
    intent: 'display',
  }).promise
  return { pages, image: ofPixels(canvas.data(), width, height) }
}

async function open(bytes: Uint8Array, resources: PdfResources) {
  try {
    return await getDocument({
      data: bytes,
      BinaryDataFactory: factoryOf(resources),
      cMapUrl: '/cmaps/',
      standardFontDataUrl: '/standard_fonts/',
      wasmUrl: '/wasm/',
      iccUrl: '/iccs/',
      useWorkerFetch: false,
      useSystemFonts: false,
      disableFontFace: true,
      enableXfa: false,
      maxImageSize: viewerLimits.pixelsMax / 2,
      verbosity: VerbosityLevel.ERRORS,
    }).promise
  } catch (failure) {
    return failure instanceof Error && failure.name === 'PasswordException' ? 'password' : 'damaged'
  }
}
