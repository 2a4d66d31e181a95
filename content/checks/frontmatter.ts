import { isMap, isNode, isScalar } from 'yaml'
import { type Entry, valueOf } from '../read.ts'
import type { Edit, Finding } from './finding.ts'

export type Path = readonly PropertyKey[]

/**
 * The place in the file of a frontmatter value, or of the nearest value around it that is there.
 */
export function at(entry: Entry, path: Path) {
  for (let depth = path.length; depth >= 0; depth -= 1) {
    const node = entry.yaml.getIn(path.slice(0, depth), true)
    if (isNode(node) && node.range) return position(entry, node.range[0])
  }
  return { line: 1, column: 1 }
}

/** What `--fix` types in the place of a value, in the quotes that the file is written with. */
export function instead(entry: Entry, path: Path, text: string): Edit | undefined {
  const node = entry.yaml.getIn(path, true)
  if (!isScalar(node) || !node.range) return undefined
  const [start, end] = node.range
  const quote = entry.path.endsWith('.json') ? '"' : "'"
  const isPlain = /^[a-z][a-z0-9-]*$/.test(text) && quote === "'"
  const written = isPlain ? text : `${quote}${text}${quote}`
  return { ...position(entry, start), length: end - start, text: written }
}

export function keyAt(entry: Entry, path: Path, key: string) {
  const map = path.length === 0 ? entry.yaml.contents : entry.yaml.getIn(path, true)
  if (!isMap(map)) return at(entry, path)
  const pair = map.items.find(item => isScalar(item.key) && item.key.value === key)
  return pair && isScalar(pair.key) && pair.key.range
    ? position(entry, pair.key.range[0])
    : at(entry, path)
}

export function position(entry: Entry, offset: number) {
  const { line, col } = entry.lines.linePos(offset)
  return { line: line + entry.yamlStart, column: col }
}

/** A slug is its file's name, so that an address can be found without searching. */
export function checkSlug(entry: Entry): Finding[] {
  const slug = valueOf(entry, 'slug')
  if (typeof slug !== 'string' || slug === entry.name) return []
  const message = `slug is ${slug}, the file is ${entry.name}.md`
  const fix = `write slug: ${entry.name}`
  const edit = instead(entry, ['slug'], entry.name)
  return [{ path: entry.path, ...at(entry, ['slug']), rule: 'F-slug', message, fix, edit }]
}

/** Two pages that look alike in a list of results cannot be told apart. */
export function checkUnique(entries: Entry[], key: 'title' | 'description'): Finding[] {
  const first = new Map<string, Entry>()
  return entries.flatMap(entry => {
    const value = valueOf(entry, key)
    if (typeof value !== 'string') return []
    const earlier = first.get(value)
    if (earlier === undefined) {
      first.set(value, entry)
      return []
    }
    const message = `${key} is also that of ${earlier.path}`
    const fix = 'say what only this page says'
    return [{ path: entry.path, ...at(entry, [key]), rule: 'F-duplicate', message, fix }]
  })
}

/** Names in one file that must stand in another: an author, a tag, a related article. */
export function checkReference(entry: Entry, key: string, known: Set<string>): Finding[] {
  const value = valueOf(entry, key)
  const names: unknown[] = Array.isArray(value) ? value : [value]
  return names.flatMap((name, index) => {
    if (typeof name !== 'string' || known.has(name)) return []
    const path = Array.isArray(value) ? [key, index] : [key]
    const message = `${key} names ${name}, which does not exist`
    const fix = `one of: ${[...known].sort().join(', ')}`
    return [{ path: entry.path, ...at(entry, path), rule: 'F-reference', message, fix }]
  })
}
