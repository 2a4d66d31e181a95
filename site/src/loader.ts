import type { z } from 'astro/zod'
import { fill } from '#content/fill.ts'
import { type Content, type Entry, folders, singles } from '#content/read.ts'
import { changelog } from '#content/records.ts'
import { home, type Sample } from '#content/schema.ts'
import { schemas } from '#content/schemas.ts'
import { expand } from './blocks/expand.ts'
import { linkScopes } from './blocks/scopes.ts'
import type { Collections, Rendered, Stored } from './given.ts'
import { toHtml } from './markdown.ts'
import { finishHtml, tabForms } from './render/html.ts'
import { tellPictures } from './render/pictures.ts'
import { titleOf } from './drafts.ts'
import { referencePages } from './reference/pages.ts'

/** What was made of the same words before, or is made now and kept. */
export type KeepText = (words: string, make: () => Promise<string>) => Promise<string>

export type Loading = {
  /** For what the engine makes of markdown. */
  keep: KeepText
  /** Files that no page can be made from, as the check of the content found them. */
  faulty?: ReadonlySet<string>
  /**
   * What the same code loaded before: of a faulty file, its last good entry stays, and what has the
   * same words looks the same.
   */
  before?: Collections | undefined
}

/**
 * Makes what pages are made of from the files that the checker reads, by the same parser, with the
 * company's name filled in before the markdown is rendered, so that page, twin and feed start from
 * one text.
 */
export async function load(content: Content, loading: Loading): Promise<Collections> {
  const collections = new Map<string, ReadonlyMap<string, Stored>>()
  for (const name of folders) {
    collections.set(name, await loadEntries(name, content[name], content, loading))
  }
  for (const name of singles) {
    collections.set(name, await loadEntries(name, [content[name]], content, loading))
  }
  collections.set('samples', await loadSamples(collections, loading))
  collections.set('reference', await loadReference(content, loading))
  return collections
}

type Name = keyof typeof schemas

async function loadEntries(name: Name, all: Entry[], content: Content, loading: Loading) {
  const stored = new Map<string, Stored>()
  for (const entry of all) {
    const before = loading.before?.get(name)?.get(entry.name)
    if (loading.faulty?.has(entry.path) !== true) {
      stored.set(
        entry.name,
        await make(schemas[name], entry, content, { ...loading, last: before }),
      )
    } else if (before !== undefined) stored.set(entry.name, before)
  }
  return stored
}

/** An entry as pages find it. */
async function make(
  schema: z.ZodType,
  entry: Entry,
  content: Content,
  { keep, last }: Loading & { last: Stored | undefined },
): Promise<Stored> {
  const read = schema.safeParse(filled(entry.data))
  if (!read.success) throw new Error(`${entry.path}: ${read.error.message}`)
  const body = tellPictures(linkScopes(expand(fill(entry.body), content)), read.data)
  const { html, headings } = last?.body === body ? last : await render(body, keep)
  return { id: entry.name, data: marked(read.data), body, html, headings }
}

function marked(data: unknown): unknown {
  if (typeof data !== 'object' || data === null || !('title' in data)) return data
  const { title } = data
  const isDraft = 'draft' in data && data.draft === true
  return typeof title === 'string' ? { ...data, title: titleOf({ title, draft: isDraft }) } : data
}

const filled = (data: unknown): unknown => JSON.parse(fill(JSON.stringify(data)))

/** Markdown as the pages show it. What the engine made of the same words before is kept. */
async function render(body: string, keep: KeepText): Promise<Rendered> {
  if (body === '') return { html: '', headings: [] }
  const made: Rendered = JSON.parse(
    await keep(body, async () => JSON.stringify(await toHtml(body))),
  )
  return { ...made, html: finishHtml(made.html) }
}

/** The home page's requests and answers, highlighted as an article's code is. */
async function loadSamples(collections: Collections, { keep }: Loading) {
  const stored = new Map<string, Stored>()
  const page = collections.get('home')?.get('home')
  for (const [id, sample] of page === undefined ? [] : samplesOf(home.parse(page.data))) {
    const rendered = await render(`\`\`\`${sample.language}\n${sample.code}\`\`\``, keep)
    stored.set(id, { id, data: {}, body: sample.code, ...rendered })
  }
  return stored
}

function samplesOf({ hero, loop, start }: ReturnType<typeof home.parse>): [string, Sample][] {
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

/** The pages of the reference, made from the contract and rendered as any other markdown is. */
async function loadReference(content: Content, { keep, before }: Loading) {
  const stored = new Map<string, Stored>()
  const updated = contractDay(content)
  // The day alone is an editor's, all else is code.
  for (const [id, page] of before?.get('reference') ?? [])
    stored.set(id, { ...page, data: Object.assign({}, page.data, { updated }) })
  if (stored.size > 0) return stored
  for (const [order, { body: parts, ...made }] of referencePages().entries()) {
    const body = linkScopes(fill(parts.filter(Boolean).join('\n\n')))
    const { html, headings } = await render(body, keep)
    const data = { ...made, order, updated }
    stored.set(made.path, { id: made.path, data, body, html: tabForms(html), headings })
  }
  return stored
}

/** The day on which the clinical API last changed for those who call it. */
function contractDay({ changelog: entry }: Content): string {
  const days = changelog.parse(entry.data).filter(({ surface }) => surface === 'api')
  return (
    days
      .map(({ date }) => date)
      .sort()
      .at(-1) ?? ''
  )
}
