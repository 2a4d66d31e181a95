import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { lapsedOn, type Rules, rulesOf, today } from '#content/expiry.ts'
import { parseMarkdown, parseYaml } from '#content/entry.ts'

const made = /^site\/(dist|dist\.[^/]+|\.astro|node_modules)(\/|$)/

const rulesPath = 'content/rules.yaml'

/** A hash of everything that a built site depends on: its folders, and the pinned packages. */
export async function hashSources(root: string): Promise<string> {
  const names = await Promise.all(['content', 'contract', 'site'].map(name => filesOf(root, name)))
  const paths = [...names.flat(), 'CHANGELOG.md', 'bun.lock'].sort()
  const day = today()
  const rules = rulesOf(parseYaml(rulesPath, await Bun.file(join(root, rulesPath)).text()))
  const hash = new Bun.CryptoHasher('sha256')
  const texts = await Promise.all(paths.map(path => Bun.file(join(root, path)).bytes()))
  for (const [index, text] of texts.entries()) {
    const path = paths[index] ?? ''
    hash
      .update(`${path}\0${text.length}\0`)
      .update(text)
      .update(lapse(path, text, { day, rules }))
  }
  return hash.digest('hex')
}

type Calendar = { day: string; rules: Rules }

/** The same text is another site once the calendar has taken one of its pages down. */
function lapse(path: string, bytes: Uint8Array, { day, rules }: Calendar): string {
  if (!/^content\/(articles|comparisons)\/.*\.md$/.test(path)) return ''
  const text = new TextDecoder().decode(bytes)
  if (!/^(checked_on|rules):/m.test(text)) return ''
  return lapsedOn(parseMarkdown(path, text), day, rules) ?? ''
}

async function filesOf(root: string, folder: string): Promise<string[]> {
  const entries = await readdir(join(root, folder), { withFileTypes: true })
  const found = await Promise.all(
    entries.map(async entry => {
      const path = `${folder}/${entry.name}`
      if (made.test(path)) return []
      return entry.isDirectory() ? filesOf(root, path) : [path]
    }),
  )
  return found.flat().filter(path => !path.endsWith('.test.ts'))
}
