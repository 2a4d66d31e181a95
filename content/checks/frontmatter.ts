import { isMap, isNode, isScalar } from 'yaml'
import type { z } from 'astro/zod'
import { type Entry, valueOf } from '../read.ts'
import type { Finding } from './finding.ts'

type Path = readonly PropertyKey[]
type Issue = z.core.$ZodIssue

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

function keyAt(entry: Entry, path: Path, key: string) {
  const map = path.length === 0 ? entry.yaml.contents : entry.yaml.getIn(path, true)
  if (!isMap(map)) return at(entry, path)
  const pair = map.items.find(item => isScalar(item.key) && item.key.value === key)
  return pair && isScalar(pair.key) && pair.key.range
    ? position(entry, pair.key.range[0])
    : at(entry, path)
}

function position(entry: Entry, offset: number) {
  const { line, col } = entry.lines.linePos(offset)
  return { line: line + entry.yamlStart, column: col }
}

/** Finds what the closed schema refuses, each with its own line. */
export function checkSchema(entry: Entry, schema: z.ZodType): Finding[] {
  const broken = entry.isBroken ? entry.yaml.errors[0] : undefined
  if (broken !== undefined) {
    const where = position(entry, broken.pos[0])
    const message = broken.message.split('\n')[0] ?? 'the YAML cannot be read'
    return [{ path: entry.path, ...where, rule: 'F-yaml', message, fix: 'quote the value' }]
  }
  const result = schema.safeParse(entry.data)
  return result.success ? [] : result.error.issues.flatMap(issue => findings(entry, issue))
}

function findings(entry: Entry, issue: Issue): Finding[] {
  const { path } = entry
  const name = issue.path.map(String).join('.')
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map(key => ({
      path,
      ...keyAt(entry, issue.path, key),
      rule: 'F-unknown-key',
      message: `${key} is not a key of this collection`,
      fix: 'remove it, or mend its spelling (content/schema.ts lists the keys)',
    }))
  }
  if (issue.code === 'invalid_type' && !entry.yaml.hasIn(issue.path)) {
    const message = `${name} is missing`
    const where = at(entry, issue.path)
    return [{ path, ...where, rule: 'F-missing-key', message, fix: `add ${name}` }]
  }
  const bounds = issue.code === 'too_small' || issue.code === 'too_big'
  return [
    {
      path,
      ...at(entry, issue.path),
      rule: bounds ? 'F-length' : issue.path.at(-1) === 'updated' ? 'F-date' : 'F-value',
      message: `${name}: ${issue.message}`,
      fix: bounds ? 'say it in the length allowed' : 'write it as content/schema.ts describes it',
    },
  ]
}

/** A slug is its file's name, so that an address can be found without searching. */
export function checkSlug(entry: Entry): Finding[] {
  const slug = valueOf(entry, 'slug')
  if (typeof slug !== 'string' || slug === entry.name) return []
  const message = `slug is ${slug}, the file is ${entry.name}.md`
  const fix = `write slug: ${entry.name}`
  return [{ path: entry.path, ...at(entry, ['slug']), rule: 'F-slug', message, fix }]
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
