import { type Document, LineCounter, parseDocument } from 'yaml'

/** One content file, parsed once for the checks and the site. */
export type Entry = {
  /** The path from the repository's root. */
  path: string
  /** The file's name without its extension: an article's slug, a page's key. */
  name: string
  /** The file's text. */
  source: string
  data: unknown
  /** Whether the YAML is invalid, in which case `data` is empty. */
  isBroken: boolean
  /** The data with each value's position. Parsed on first use, because it's slow. */
  readonly yaml: Document
  readonly lines: LineCounter
  /** The number of lines before the YAML, to convert its positions to positions in the file. */
  yamlStart: number
  body: string
  /** The line where the body starts, counted from 1. */
  bodyStart: number
}

const fence = /^---\r?\n([\s\S]*?\r?\n)?---[ \t]*(\r?\n|$)/

/** Splits a Markdown file into frontmatter and body; a file without frontmatter is all body. */
export function parseMarkdown(path: string, text: string): Entry {
  const head = fence.exec(text)
  const body = head === null ? text : text.slice(head[0].length)
  const before = head === null ? '' : head[0]
  return makeEntry(path, head?.[1] ?? '', {
    source: text,
    yamlStart: head === null ? 0 : 1,
    body: body.replace(/\r\n/g, '\n'),
    bodyStart: before.split('\n').length,
  })
}

export const parseYaml = (path: string, text: string): Entry =>
  makeEntry(path, text, { source: text, yamlStart: 0, body: '', bodyStart: 0 })

type Rest = Pick<Entry, 'source' | 'yamlStart' | 'body' | 'bodyStart'>

/**
 * Reads the values with a parser that is ten times as fast as the parser that reports positions.
 * The slow parser parses a file again if a position is needed, or if the fast parser may accept
 * invalid YAML.
 */
function makeEntry(path: string, text: string, rest: Rest): Entry {
  const name = path.slice(path.lastIndexOf('/') + 1).replace(/\.[a-z]+$/, '')
  let placed: { yaml: Document; lines: LineCounter } | undefined
  const place = () => {
    if (placed === undefined) {
      const lines = new LineCounter()
      placed = { lines, yaml: parseDocument(text, { lineCounter: lines }) }
    }
    return placed
  }
  const valuesOf = (yaml: Document): unknown => (yaml.errors.length > 0 ? {} : (yaml.toJS() ?? {}))
  const quick = readQuickly(text)
  return {
    path,
    name,
    ...rest,
    data: quick === undefined ? valuesOf(place().yaml) : quick.values,
    isBroken: quick === undefined && place().yaml.errors.length > 0,
    get yaml() {
      return place().yaml
    },
    get lines() {
      return place().lines
    },
  }
}

/** The values, or undefined if the slow parser is needed. */
function readQuickly(text: string): { values: unknown } | undefined {
  if (mayRepeatKey(text) || /!!|\t/.test(text)) return undefined
  try {
    return { values: Bun.YAML.parse(text) ?? {} }
  } catch {
    return undefined
  }
}

/** Whether a mapping may contain a duplicate key, which the fast parser accepts silently. */
function mayRepeatKey(text: string): boolean {
  const open: { indent: number; keys: Set<string> }[] = []
  for (const line of text.split('\n')) {
    const found = /^( *)((?:- +)*)(?:"([^"]+)"|'([^']+)'|([^\s:#'"]+)) *:(?:\s|$)/.exec(line)
    if (found === null) {
      if (/\{.*:.*,.*:/.test(line)) return true
      continue
    }
    const [, spaces = '', dashes = '', ...names] = found
    const indent = spaces.length + dashes.length
    while ((open.at(-1)?.indent ?? -1) > indent) open.pop()
    if (dashes !== '' && open.at(-1)?.indent === indent) open.pop()
    if (open.at(-1)?.indent !== indent) open.push({ indent, keys: new Set() })
    const keys = open.at(-1)?.keys
    const key = names.find(name => name !== undefined) ?? ''
    if (keys?.has(key) === true) return true
    keys?.add(key)
  }
  return false
}

/** A top-level value in a file's data. */
export function valueOf({ data }: Entry, key: string): unknown {
  return typeof data === 'object' && data !== null
    ? Object.entries(data).find(([name]) => name === key)?.[1]
    : undefined
}
