import { join } from 'node:path'
import { fill } from '#content/fill.ts'
import { statedDay } from '#content/fact-age.ts'
import type { Entry } from '#content/entry.ts'
import { type Content, folders, readContent, singles } from '#content/read.ts'
import { changelog } from '#content/records.ts'
import { home, type Sample } from '#content/schema.ts'
import { schemas } from '#content/schemas.ts'
import { expand } from './blocks/expand.ts'
import { linkScopes } from './blocks/scopes.ts'
import { blockedFiles } from './blocked-files.ts'
import { published, titleOf } from './drafts.ts'
import type { Rendered } from './markdown.ts'
import { MarkdownCache } from './markdown-cache.ts'
import { mapMarkdown, markdownOf, type Part } from './reference/parts.ts'
import { referencePages } from './reference/pages.ts'
import { finishHtml, nameCode, tabForms, tabPlaces } from './html.ts'
import { describePictures } from './render/pictures.ts'

type Name = keyof typeof schemas

/** A content file, or a page created from the contract, typed by its schema. */
export type Stored<Data = unknown> = Rendered & { id: string; data: Data; body: string }
export type Entries = ReadonlyMap<string, Stored>

const root = process.cwd()

let isPreview = false

/** Makes loads include drafts, and keep the last good version of a file with errors. */
export function usePreview(): void {
  isPreview = true
}

let last: Entries = new Map()
let loading: Promise<Entries> | undefined
let day = ''

/** The date the pages are built for. */
export const dayNow = (): string => day

/** Builds pages for this day instead of the content's newest day. */
export function useDay(given: string | undefined): void {
  day = given ?? day
}

/**
 * Starts loading the content while Vite bundles the pages, which wait for the content. A preview
 * reloads on each change.
 */
export function preload(): void {
  loading = loadEntries()
}

export const entriesNow = (): Promise<Entries> => loading ?? loadEntries()

/**
 * Loads the content check's files with the same parser. Fills in placeholders and blocks before
 * rendering the Markdown, so the page, Markdown version and feed have the same text.
 */
async function loadEntries(): Promise<Entries> {
  const all = await readContent(join(root, 'content'))
  const content = isPreview ? all : published(all)
  if (day === '') day = statedDay(all)
  const blocked = isPreview ? await blockedFiles(root) : new Set<string>()
  await using cache = new MarkdownCache(root)
  const entries = new Map<string, Stored>()
  const put = async (id: string, data: unknown, body: string, parts: readonly Part[] = [body]) => {
    const { html, headings } = await renderParts(cache, parts)
    entries.set(id, {
      id,
      data,
      body,
      html: tabPlaces(tabForms(nameCode(finishHtml(html)))),
      headings,
    })
  }
  for (const name of [...folders, ...singles]) {
    for (const entry of [content[name]].flat()) {
      const id = `${name}/${entry.name}`
      const lastGood = last.get(id)
      if (!blocked.has(entry.path)) await put(id, ...parse(name, entry, content))
      else if (lastGood !== undefined) entries.set(id, lastGood)
    }
  }
  for (const [id, { language, code }] of samplesOf(content.home)) {
    const { html, headings } = await cache.render(`\`\`\`${language}\n${code}\`\`\``)
    // The home page labels the sample itself.
    entries.set(`samples/${id}`, { id, data: {}, body: '', html: finishHtml(html), headings })
  }
  const updated = contractDay(content)
  for (const [order, { body: parts, ...page }] of referencePages().entries()) {
    const filled = parts.map(part => mapMarkdown(part, text => linkScopes(fill(text))))
    await put(`reference/${page.path}`, { ...page, order, updated }, markdownOf(filled), filled)
  }
  cache.save()
  last = entries
  return entries
}

/** Markdown between two HTML parts is rendered as one text. */
async function renderParts(cache: MarkdownCache, parts: readonly Part[]): Promise<Rendered> {
  const all: Rendered = { html: '', headings: [] }
  let text: string[] = []
  const renderText = async () => {
    if (text.length === 0) return
    const { html, headings } = await cache.render(text.join('\n\n'))
    all.html += html
    all.headings.push(...headings)
    text = []
  }
  for (const part of parts) {
    if (typeof part === 'string') text.push(part)
    else {
      await renderText()
      all.html += part.html
    }
  }
  await renderText()
  return all
}

function parse(name: Name, entry: Entry, content: Content): [data: unknown, body: string] {
  const read = schemas[name].safeParse(JSON.parse(fill(JSON.stringify(entry.data))))
  if (!read.success) throw new Error(`${entry.path}: ${read.error.message}`)
  const body = describePictures(linkScopes(expand(fill(entry.body), content)), read.data)
  return [withDraftTitle(read.data), body]
}

function withDraftTitle(data: unknown): unknown {
  if (typeof data !== 'object' || data === null) return data
  if (!('title' in data) || typeof data.title !== 'string') return data
  const draft = 'draft' in data && data.draft === true
  return { ...data, title: titleOf({ title: data.title, draft }) }
}

/** The home page's requests and responses, highlighted like an article's code. */
function samplesOf(entry: Entry): [string, Sample][] {
  const { hero, loop, start } = home.parse(JSON.parse(fill(JSON.stringify(entry.data))))
  return [
    ['hero.request', hero.request],
    ['hero.answer', hero.answer],
    ...loop.steps.flatMap((step, index): [string, Sample][] => [
      [`loop.${index}.sample`, step.sample],
      [`loop.${index}.result`, step.result],
    ]),
    ['start.sample', start.sample],
    ['start.result', start.result],
  ]
}

/** The day the clinical API last changed for its callers. */
function contractDay({ changelog: entry }: Content): string {
  const days = changelog.parse(entry.data).filter(({ surface }) => surface === 'api')
  return (
    days
      .map(({ date }) => date)
      .sort()
      .at(-1) ?? ''
  )
}
