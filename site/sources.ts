import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

const made = /^site\/(dist|dist\.[^/]+|\.astro|node_modules)(\/|$)/

/**
 * One hash over everything the built site depends on: the rooms it reads and the pinned packages.
 */
export async function hashSources(root: string): Promise<string> {
  const names = await Promise.all(['content', 'contract', 'site'].map(room => filesOf(root, room)))
  const paths = names.flat().sort()
  const hash = new Bun.CryptoHasher('sha256')
  const texts = await Promise.all(paths.map(path => Bun.file(join(root, path)).bytes()))
  for (const [index, text] of texts.entries()) {
    hash.update(`${paths[index] ?? ''}\0${text.length}\0`)
    hash.update(text)
  }
  const manifest: unknown = await Bun.file(join(root, 'package.json')).json()
  hash.update(JSON.stringify(dependencies(manifest)))
  return hash.digest('hex')
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

function dependencies(manifest: unknown): unknown {
  return typeof manifest === 'object' && manifest !== null && 'dependencies' in manifest
    ? manifest.dependencies
    : {}
}
