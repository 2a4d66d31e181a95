import { join } from 'node:path'
import { checkBody } from './checks/body.ts'
import { checkBrand } from './checks/brand.ts'
import { type Finding, print } from './checks/finding.ts'
import { checkReference, checkSchema, checkSlug, checkUnique } from './checks/frontmatter.ts'
import { addresses, checkLinks } from './checks/links.ts'
import { type Content, type Entry, readContent } from './read.ts'
import { article, home, page, people, tags } from './schema.ts'

/** Everything an editor has to mend, in the order of files and lines. `root` is the repository. */
export async function check(root: string): Promise<Finding[]> {
  const content = await readContent(join(root, 'content'))
  const brand = await Promise.all(['content', 'site'].map(room => checkBrand(root, room)))
  const found = [...checkContent(content), ...brand.flat()]
  return found.sort(
    (a, b) => a.path.localeCompare(b.path) || a.line - b.line || a.column - b.column,
  )
}

export function checkContent(content: Content): Finding[] {
  const { articles, pages } = content
  const known = addresses(content)
  const slugs = new Set(articles.map(entry => entry.name))
  const listed = [content.home, ...pages, ...articles]
  return [
    ...articles.flatMap(entry => [
      ...checkSchema(entry, article),
      ...checkSlug(entry),
      ...checkReference(entry, 'author', keys(content.people)),
      ...checkReference(entry, 'tags', keys(content.tags)),
      ...checkReference(entry, 'related', slugs),
    ]),
    ...pages.flatMap(entry => checkSchema(entry, page)),
    ...checkSchema(content.home, home),
    ...checkSchema(content.people, people),
    ...checkSchema(content.tags, tags),
    ...checkUnique(listed, 'title'),
    ...checkUnique(listed, 'description'),
    ...listed.flatMap(checkBody),
    ...listed.flatMap(entry => checkLinks(entry, known)),
  ]
}

function keys(entry: Entry): Set<string> {
  const data = entry.data
  return new Set(typeof data === 'object' && data !== null ? Object.keys(data) : [])
}

if (import.meta.main) {
  const began = performance.now()
  const found = await check(join(import.meta.dir, '..'))
  for (const finding of found) console.log(print(finding))
  const milliseconds = Math.round(performance.now() - began)
  console.log(`content: ${found.length} to mend, read in ${milliseconds} ms`)
  process.exit(found.length > 0 ? 1 : 0)
}
