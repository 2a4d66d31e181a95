import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Loader, LoaderContext } from 'astro/loaders'
import { fill } from '#content/fill.ts'
import { type Content, type Entry, readContent } from '#content/read.ts'
import { changelog } from '#content/records.ts'
import { home, type Sample } from '#content/schema.ts'
import { expand } from './blocks/expand.ts'
import { linkScopes } from './blocks/scopes.ts'
import { finishHtml, tabForms } from './render/html.ts'
import { kept } from './render/kept.ts'
import { previewName, published, titleOf } from './drafts.ts'
import { referencePages } from './reference/pages.ts'

/**
 * A build reads the files once, and each of its collections takes its own from them; a preview
 * reads them anew when it is told of a change, and then once again.
 */
let reading: { change: unknown; content: Promise<Content> } | undefined
function read(context: LoaderContext): Promise<Content> {
  const { config, refreshContextData: change } = context
  if (reading === undefined || reading.change !== change) {
    const content = readContent(join(fileURLToPath(config.root), '../content'))
    reading = { change, content: isPreview(context) ? content : content.then(published) }
  }
  return reading.content
}

/** Whether `site/dev.ts` asks. No build can be mistaken for it, whatever its environment says. */
const isPreview = ({ config }: LoaderContext) =>
  config.integrations.some(({ name }) => name === previewName)

type Stored = Parameters<LoaderContext['store']['set']>[0]
type Rendered = Awaited<ReturnType<LoaderContext['renderMarkdown']>>

/** Markdown as the pages show it, with what the engine found in it. */
async function render(body: string, { renderMarkdown }: LoaderContext): Promise<Rendered> {
  const text = await kept(
    `markdown ${body}`,
    file => file.text(),
    async () => {
      const rendered = await renderMarkdown(body)
      return JSON.stringify({ ...rendered, html: finishHtml(rendered.html) })
    },
  )
  return JSON.parse(text)
}

/**
 * Hands Astro what the checker reads: the same files by the same parser, with the company's name
 * filled in before the markdown is rendered, so that page, twin and feed start from one text.
 */
export function entries(name: string, pick: (content: Content) => Entry[]): Loader {
  return {
    name: `content-${name}`,
    async load(context) {
      const { store } = context
      const content = await read(context)
      const before = new Map(store.entries())
      store.clear()
      for (const entry of pick(content)) {
        const made = await make(entry, content, context).catch(fault => {
          if (!isPreview(context)) throw fault
          return before.get(entry.name)
        })
        if (made !== undefined) store.set(made)
      }
    },
  }
}

/** An entry as pages find it. */
async function make(entry: Entry, content: Content, context: LoaderContext): Promise<Stored> {
  const id = entry.name
  if (isFaulty(entry, context)) throw new Error(`${entry.path} waits until it is mended`)
  const data = await context.parseData({ id, data: filled(entry.data) })
  const body = linkScopes(expand(fill(entry.body), content))
  const rendered = await render(body, context)
  const digest = context.generateDigest(entry.source)
  return { id, data: marked(data), body, rendered, digest }
}

/** Named by the preview, which has read the whole content: a link that leads nowhere, say. */
function isFaulty({ path }: Entry, { refreshContextData: change }: LoaderContext): boolean {
  return Array.isArray(change?.faulty) && change.faulty.includes(path)
}

function marked(data: Record<string, unknown>): Record<string, unknown> {
  const { title, draft } = data
  return typeof title === 'string'
    ? { ...data, title: titleOf({ title, draft: draft === true }) }
    : data
}

/** The home page's requests and answers, highlighted as an article's code is. */
export function samples(): Loader {
  return {
    name: 'content-samples',
    async load(context) {
      const { store } = context
      const content = await read(context)
      store.clear()
      for (const [id, sample] of samplesOf(home.parse(filled(content.home.data)))) {
        const rendered = await render(`\`\`\`${sample.language}\n${sample.code}\`\`\``, context)
        store.set({ id, data: {}, body: sample.code, rendered })
      }
    },
  }
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

function filled(data: unknown): Record<string, unknown> {
  return JSON.parse(fill(JSON.stringify(data)))
}

/** The pages of the reference, made from the contract and rendered as any other markdown is. */
export function reference(): Loader {
  return {
    name: 'contract-reference',
    async load(context) {
      const { store } = context
      const content = await read(context)
      store.clear()
      for (const [order, { body: parts, ...made }] of referencePages().entries()) {
        const body = linkScopes(fill(parts.filter(Boolean).join('\n\n')))
        const rendered = await render(body, context)
        rendered.html = tabForms(rendered.html)
        const data = { ...made, order, updated: contractDay(content) }
        store.set({ id: made.path, data, body, rendered })
      }
    },
  }
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
