import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { parseChangelog } from './changelog.ts'
import { type Entry, parseMarkdown, parseYaml } from './entry.ts'

/** Markdown folders with one page per file. */
export const folders = ['articles', 'comparisons', 'docs', 'legal', 'pages', 'skills'] as const

const files = {
  home: 'home.yaml',
  people: 'people.yaml',
  tags: 'tags.yaml',
  changelog: 'changelog.md',
  gone: 'gone.yaml',
  rules: 'rules.yaml',
  related: 'related.yaml',
  pricing: 'pricing.json',
  overview: 'overview.json',
  consent: 'consent.json',
} as const

export type Folder = (typeof folders)[number]
export type Single = keyof typeof files
export const singles = Object.keys(files) as Single[]
export type Content = Record<Folder, Entry[]> & Record<Single, Entry>

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
  const text = await Bun.file(join(root, file)).text()
  return file === files.changelog
    ? parseChangelog(`content/${file}`, text)
    : parseYaml(`content/${file}`, text)
}

/** Reads the folder `content/`. JSON is YAML too, so one parser reads all files. */
export async function readContent(root: string): Promise<Content> {
  const [many, single] = await Promise.all([
    Promise.all(folders.map(async name => [name, await folder(root, name)] as const)),
    Promise.all(singles.map(async name => [name, await one(root, files[name])] as const)),
  ])
  return Object.fromEntries([...many, ...single]) as Content
}
