import { join } from 'node:path'
import type { z } from 'astro/zod'
import { checkBody } from './checks/body.ts'
import { checkBrand } from './checks/brand.ts'
import { type Finding, print } from './checks/finding.ts'
import { checkReference, checkSchema, checkSlug, checkUnique } from './checks/frontmatter.ts'
import { addresses, checkLinks } from './checks/links.ts'
import { type Content, type Entry, type Folder, readContent, type Single, singles } from './read.ts'
import { schemas } from './schemas.ts'

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
  const known = addresses(content)
  const { articles, comparisons, docs, pages } = content
  const named = [...articles, ...comparisons, ...docs]
  const listed = [content.home, ...pages, ...named]
  const alone = singles.map(name => content[name])
  const written = [...new Set([...listed, ...content.legal, ...content.skills, ...alone])]
  return [
    ...written.flatMap(entry => checkSchema(entry, schemaOf(entry))),
    ...named.flatMap(checkSlug),
    ...articles.flatMap(entry => checkArticle(entry, content)),
    ...checkUnique(listed, 'title'),
    ...checkUnique(listed, 'description'),
    ...written.flatMap(checkBody),
    ...written.flatMap(entry => checkLinks(entry, known)),
  ]
}

/** By its folder, or by its own name where it stands alone. */
function schemaOf(entry: Entry): z.ZodType {
  const [, folder = '', file] = entry.path.split('/')
  const key = file === undefined ? entry.name : folder
  return schemas[key as Folder | Single]
}

function checkArticle(entry: Entry, content: Content): Finding[] {
  return [
    ...checkReference(entry, 'author', keys(content.people)),
    ...checkReference(entry, 'reviewed_by', keys(content.people)),
    ...checkReference(entry, 'tags', keys(content.tags)),
    ...checkReference(entry, 'related', new Set(content.articles.map(other => other.name))),
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
