import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { lapsedOn, today } from '#content/expiry.ts'
import { parseMarkdown } from '#content/read.ts'

const made = /^site\/(dist|dist\.[^/]+|\.astro|node_modules)(\/|$)/

/** Hashes of what a built site depends on. */
export type Sources = {
  /** Everything: the rooms that it reads, and the pinned packages. */
  all: string
  /** The same without the words that editors write: what turns words into pages. */
  code: string
}

const words = /^(content\/.*\.(md|ya?ml|json)|CHANGELOG\.md)$/

export async function hashSources(root: string): Promise<Sources> {
  const names = await Promise.all(['content', 'contract', 'site'].map(room => filesOf(root, room)))
  const paths = [...names.flat(), 'CHANGELOG.md'].sort()
  const day = today()
  const [all, code] = [new Bun.CryptoHasher('sha256'), new Bun.CryptoHasher('sha256')]
  const texts = await Promise.all(paths.map(path => Bun.file(join(root, path)).bytes()))
  for (const [index, text] of texts.entries()) {
    const path = paths[index] ?? ''
    for (const hash of words.test(path) ? [all] : [all, code])
      hash.update(`${path}\0${text.length}\0`).update(text)
    all.update(lapse(path, text, day))
  }
  const pinned = await packages(root)
  for (const hash of [all, code]) hash.update(pinned)
  return { all: all.digest('hex'), code: code.digest('hex') }
}

/** The same words are another site when the calendar has taken one of their pages down. */
function lapse(path: string, bytes: Uint8Array, day: string): string {
  if (!/^content\/(articles|comparisons)\/.*\.md$/.test(path)) return ''
  const text = new TextDecoder().decode(bytes)
  if (!/^checked_on:/m.test(text)) return ''
  return lapsedOn(parseMarkdown(path, text), day) ?? ''
}

async function filesOf(root: string, room: string): Promise<string[]> {
  const entries = await readdir(join(root, room), { withFileTypes: true })
  const found = await Promise.all(
    entries.map(async entry => {
      const path = `${room}/${entry.name}`
      if (made.test(path)) return []
      return entry.isDirectory() ? filesOf(root, path) : [path]
    }),
  )
  return found.flat().filter(path => !path.endsWith('.test.ts'))
}

/** A hash of some files and folders of the house, and of the pinned packages that they import. */
export async function hashFiles(root: string, paths: string[]): Promise<string> {
  const names = await Promise.all(
    paths.map(path => (path.endsWith('.ts') ? [path] : filesOf(root, path))),
  )
  const texts = await Promise.all(names.flat().map(path => Bun.file(join(root, path)).bytes()))
  const hash = new Bun.CryptoHasher('sha256').update(await packages(root))
  for (const text of texts) hash.update(text)
  return hash.digest('hex')
}

async function packages(root: string): Promise<string> {
  const manifest: unknown = await Bun.file(join(root, 'package.json')).json()
  const isManifest = typeof manifest === 'object' && manifest !== null
  return JSON.stringify(
    isManifest && 'dependencies' in manifest ? manifest.dependencies : undefined,
  )
}
