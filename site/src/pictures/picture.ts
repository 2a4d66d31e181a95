import { join } from 'node:path'
import sharp from 'sharp'
import config from '#content/site.config.ts'
import type { Kind, Listed } from '../every-page.ts'
import { faces, outline, wrap } from './type.ts'

/** What a link to a page shows where links have pictures: its title, set as the page sets it. */
const [width, height, margin] = [1200, 630, 72]
const paint = {
  paper: '#fbfaf6',
  ink: '#1b1f1a',
  quiet: '#5c6459',
  brand: '#1f5b41',
  line: '#dedcd2',
}

const kinds: Record<Kind, string> = {
  home: '',
  page: '',
  guide: 'Guide',
  comparison: 'Comparison',
  article: 'Note',
}

/** The largest size at which a title fills no more than four lines. */
function setTitle(title: string): { size: number; lines: string[] } {
  for (const size of [84, 76, 68]) {
    const lines = wrap(title, faces.display, size, width - 2 * margin - 40)
    if (lines.length <= 3) return { size, lines }
  }
  return { size: 60, lines: wrap(title, faces.display, 60, width - 2 * margin) }
}

export function drawPicture({
  kind,
  path,
  title,
}: Pick<Listed, 'kind' | 'path' | 'title'>): string {
  const { size, lines } = setTitle(title)
  const step = size * 1.14
  const top = 330 - ((lines.length - 1) * step) / 2 + size * 0.3
  const label = [kinds[kind], new URL(config.site).host + path].filter(Boolean).join('  ·  ')
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">`,
    `<rect width="${width}" height="${height}" fill="${paint.paper}"/>`,
    `<rect width="16" height="${height}" fill="${paint.brand}"/>`,
    `<g transform="translate(${margin} 60) scale(1.9)" fill="none" stroke="${paint.brand}">`,
    `<path d="M18.9 15.2A8 8 0 1 1 18.9 8.8" stroke-width="2.6"/>`,
    `<circle cx="19.6" cy="12" r="3" fill="${paint.brand}" stroke="none"/></g>`,
    `<g fill="${paint.ink}">${outline(config.name, faces.display, 38, margin + 60, 95)}</g>`,
    `<g fill="${paint.ink}">`,
    ...lines.map((line, at) => outline(line, faces.display, size, margin, top + at * step)),
    `</g><rect x="${margin}" y="520" width="${width - 2 * margin}" height="2" fill="${paint.line}"/>`,
    `<g fill="${paint.quiet}">${outline(label, faces.mono, 24, margin, 570)}</g></svg>`,
  ].join('')
}

const kept = join(process.cwd(), 'node_modules/.astro/pictures')

/**
 * Drawn once: rasterizing takes a tenth of a second, and the next build asks for the same pictures.
 */
export async function picture(page: Listed): Promise<Uint8Array<ArrayBuffer>> {
  const svg = drawPicture(page)
  const hash = new Bun.CryptoHasher('sha256').update(svg).digest('hex').slice(0, 32)
  const file = Bun.file(join(kept, `${hash}.png`))
  if (await file.exists()) return new Uint8Array(await file.arrayBuffer())
  const made = sharp(Buffer.from(svg)).png({ palette: true, colours: 32, compressionLevel: 9 })
  const bytes = new Uint8Array(await made.toBuffer())
  await Bun.write(file, bytes)
  return bytes
}
