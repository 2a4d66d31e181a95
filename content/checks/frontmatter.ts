import { isMap, isNode, isScalar } from 'yaml'
import { type Entry, valueOf } from '../entry.ts'
import type { Edit, Finding } from '../finding.ts'

export type Path = readonly PropertyKey[]

/** The position of a frontmatter value, or of the nearest existing value around it. */
export function at(entry: Entry, path: Path) {
  for (let depth = path.length; depth >= 0; depth -= 1) {
    const node = entry.yaml.getIn(path.slice(0, depth), true)
    if (isNode(node) && node.range) return position(entry, node.range[0])
  }
  return { line: 1, column: 1 }
}

/** The edit that replaces a value, in the file's quotation marks. */
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

/** A slug must be the file's name, so a URL identifies its file. */
export function checkSlug(entry: Entry): Finding[] {
  const slug = valueOf(entry, 'slug')
  if (typeof slug !== 'string' || slug === entry.name) return []
  const message = `slug must match the file name, ${entry.name}, not ${slug}`
  const fix = `write slug: ${entry.name}`
  const edit = instead(entry, ['slug'], entry.name)
  return [{ path: entry.path, ...at(entry, ['slug']), rule: 'F-slug', message, fix, edit }]
}

/** Two pages with the same title can't be distinguished in search results or in the sidebar. */
export function checkUnique(entries: Entry[], key: 'title' | 'description' | 'nav'): Finding[] {
  const first = new Map<string, Entry>()
  return entries.flatMap(entry => {
    const value = valueOf(entry, key)
    if (typeof value !== 'string') return []
    const earlier = first.get(value)
    if (earlier === undefined) {
      first.set(value, entry)
      return []
    }
    const message = `${key} must differ from the one on ${earlier.path}`
    const fix = "describe what's specific to this page"
    return [{ path: entry.path, ...at(entry, [key]), rule: 'F-duplicate', message, fix }]
  })
}

/** Checks names that another file must define: an author, a tag, a related article. */
export function checkReference(entry: Entry, key: string, known: Set<string>): Finding[] {
  const value = valueOf(entry, key)
  const names: unknown[] = Array.isArray(value) ? value : [value]
  return names.flatMap((name, index) => {
    if (typeof name !== 'string' || known.has(name)) return []
    const path = Array.isArray(value) ? [key, index] : [key]
    const message = `${key} must not name ${name}, which does not exist`
    const fix = `one of: ${[...known].sort().join(', ')}`
    return [{ path: entry.path, ...at(entry, path), rule: 'F-reference', message, fix }]
  })
}
