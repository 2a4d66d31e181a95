// A built site with known sizes: a 20 KB page and its Markdown version, both with compressed
// copies, and an index with a given number of articles.
import { mkdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { sampleCatalog } from '#gateway/testing/catalog.ts'
import { searchIndexes } from '#site/src/machine/search.ts'
import { makeArticles } from './articles.ts'
import { dataDir } from './server.ts'

export type BenchSite = { folder: string; remove(): Promise<void> }

const pageBytes = 20 * 1024
const markdownBytes = 8 * 1024

let made = 0

export async function writeSite(articles: number): Promise<BenchSite> {
  const folder = path.join(dataDir, `site-${process.pid}-${++made}`)
  await mkdir(path.join(folder, 'catalog'), { recursive: true })
  const prose = makeArticles(60)
    .map(({ title, text }) => `## ${title}\n\n${text}\n`)
    .join('\n')
  const files: Record<string, string> = {
    'index.html': html('Home', ''),
    'page.html': sized(html('A page', paragraphs(prose)), pageBytes),
    'page.md': sized(`# A page\n\n${prose}`, markdownBytes),
    'catalog/search.json': JSON.stringify(searchIndexes(makeArticles(articles)).index),
    ...sampleCatalog(articles),
  }
  for (const [name, text] of Object.entries(files)) await writeCompressed(folder, name, text)
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) }
}

const html = (title: string, body: string) =>
  `<!doctype html><html lang="en"><head><title>${title}</title></head><body>${body}</body></html>`

const paragraphs = (prose: string) =>
  prose.replace(/^## (.*)$/gm, '<h2>$1</h2>').replace(/^([^<\n].*)$/gm, '<p>$1</p>')

/** Truncates or pads to this many bytes. Every character of the text is one byte. */
const sized = (text: string, bytes: number) => text.slice(0, bytes).padEnd(bytes)

async function writeCompressed(folder: string, name: string, text: string): Promise<void> {
  const file = path.join(folder, name)
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }
  await Bun.write(file, text)
  if (!name.includes('.html') && !name.startsWith('page.')) return
  await Bun.write(`${file}.br`, brotliCompressSync(text, quality))
  await Bun.write(`${file}.gz`, gzipSync(text, { level: 9 }))
}
