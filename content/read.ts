import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Document, LineCounter, parseDocument } from 'yaml'

/** One file of content, parsed once for the checker and the site alike. */
export type Entry = {
  /** As an editor would type it from the repository's root. */
  path: string
  /** The file's name without its ending: the slug of an article, the key of a page. */
  name: string
  /** The whole file, as it lies on the disk. */
  source: string
  data: unknown
  yaml: Document
  lines: LineCounter
  /** Lines before the YAML begins, so that a place in it becomes a place in the file. */
  yamlStart: number
  body: string
  /** The line of the file on which the body begins, counted from 1. */
  bodyStart: number
}

/** Folders of markdown, one file a page. */
export const folders = ['articles', 'comparisons', 'docs', 'legal', 'pages', 'skills'] as const

const files = {
  home: 'home.yaml',
  people: 'people.yaml',
  tags: 'tags.yaml',
  changelog: 'changelog.yaml',
  gone: 'gone.yaml',
  pricing: 'pricing.json',
  overview: 'overview.json',
  consent: 'consent.json',
} as const

export type Folder = (typeof folders)[number]
export type Single = keyof typeof files
export const singles = Object.keys(files) as Single[]
export type Content = Record<Folder, Entry[]> & Record<Single, Entry>

const fence = /^---\r?\n([\s\S]*?\r?\n)?---[ \t]*(\r?\n|$)/

/** Splits a markdown file into frontmatter and body; a file without frontmatter is all body. */
export function parseMarkdown(path: string, text: string): Entry {
  const head = fence.exec(text)
  const body = head === null ? text : text.slice(head[0].length)
  const before = head === null ? '' : head[0]
  return {
    ...parseYaml(path, head?.[1] ?? ''),
    source: text,
    yamlStart: head === null ? 0 : 1,
    body: body.replace(/\r\n/g, '\n'),
    bodyStart: before.split('\n').length,
  }
}

export function parseYaml(path: string, text: string): Entry {
  const lines = new LineCounter()
  const yaml = parseDocument(text, { lineCounter: lines })
  const name = path.slice(path.lastIndexOf('/') + 1).replace(/\.[a-z]+$/, '')
  const data: unknown = yaml.errors.length > 0 ? {} : (yaml.toJS() ?? {})
  return { path, name, source: text, data, yaml, lines, yamlStart: 0, body: '', bodyStart: 0 }
}

async function folder(root: string, name: string): Promise<Entry[]> {
  const names = (await readdir(join(root, name)).catch(() => [])).filter(file =>
    file.endsWith('.md'),
  )
  return Promise.all(
    names.sort().map(async file => {
      const path = `content/${name}/${file}`
      return parseMarkdown(path, await Bun.file(join(root, name, file)).text())
    }),
  )
}

async function one(root: string, file: string): Promise<Entry> {
  return parseYaml(`content/${file}`, await Bun.file(join(root, file)).text())
}

/**
 * Everything editors wrote, from the folder `content/`. JSON is YAML too, so one parser reads all.
 */
export async function readContent(root: string): Promise<Content> {
  const [many, single] = await Promise.all([
    Promise.all(folders.map(async name => [name, await folder(root, name)] as const)),
    Promise.all(singles.map(async name => [name, await one(root, files[name])] as const)),
  ])
  return Object.fromEntries([...many, ...single]) as Content
}
