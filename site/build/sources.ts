import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { ageNotice, factsOf, rulesOf, statedDay } from '#content/fact-age.ts'
import { readContent } from '#content/read.ts'

const made = /^site\/(dist|dist\.[^/]+|\.astro|node_modules)(\/|$)/

/**
 * A hash of everything a built site depends on: its folders, the pinned packages, and the notices
 * that pages show about their age on the day.
 */
export async function hashSources(root: string, day: string | undefined): Promise<string> {
  const names = await Promise.all(['content', 'contract', 'site'].map(name => filesOf(root, name)))
  const paths = [...names.flat(), 'bun.lock'].sort()
  const hash = new Bun.CryptoHasher('sha256')
  const texts = await Promise.all(paths.map(path => Bun.file(join(root, path)).bytes()))
  for (const [index, text] of texts.entries()) {
    hash.update(`${paths[index] ?? ''}\0${text.length}\0`).update(text)
  }
  return hash.update(await agesOn(root, day)).digest('hex')
}

async function agesOn(root: string, given: string | undefined): Promise<string> {
  const content = await readContent(join(root, 'content'))
  const [day, rules] = [given ?? statedDay(content), rulesOf(content.rules)]
  const pages = [...content.articles, ...content.comparisons]
  return JSON.stringify(pages.map(entry => ageNotice(factsOf(entry, rules), day)))
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
  // Leaves out tests, because a packed platform has none but builds the same site.
  return found.flat().filter(path => !/\.(test|suite)\.tsx?$|\/testing\//.test(path))
}
