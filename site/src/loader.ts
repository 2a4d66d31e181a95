import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Loader, LoaderContext } from 'astro/loaders'
import { fill } from '#content/fill.ts'
import { type Content, type Entry, readContent } from '#content/read.ts'
import { changelog } from '#content/records.ts'
import { home, type Sample } from '#content/schema.ts'
import { expand } from './blocks/expand.ts'
import { finishHtml, tabForms } from './render/html.ts'
import { kept } from './render/kept.ts'
import { referencePages } from './reference/pages.ts'

/** A build reads the files once, and each of its collections takes its own from them. */
let reading: Promise<Content> | undefined
const read = (root: URL) => (reading ??= readContent(join(fileURLToPath(root), '../content')))

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
      const { store, parseData, generateDigest, config } = context
      const content = await read(config.root)
      store.clear()
      for (const entry of pick(content)) {
        const id = entry.name
        const data = await parseData({ id, data: filled(entry.data) })
        const body = expand(fill(entry.body), content)
        const rendered = await render(body, context)
        store.set({ id, data, body, rendered, digest: generateDigest(entry.source) })
      }
    },
  }
}

/** The home page's requests and answers, highlighted as an article's code is. */
export function samples(): Loader {
  return {
    name: 'content-samples',
    async load(context) {
      const { store, config } = context
      const content = await read(config.root)
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
      const { store, config } = context
      const content = await read(config.root)
      store.clear()
      for (const [order, { body: parts, ...made }] of referencePages().entries()) {
        const body = fill(parts.filter(Boolean).join('\n\n'))
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
