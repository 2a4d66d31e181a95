import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { satteri } from '@astrojs/markdown-satteri'

export type Heading = { depth: number; slug: string; text: string }

/** Markdown as HTML, and the headings in it. */
export type Rendered = { html: string; headings: Heading[] }

type Settings = Parameters<ReturnType<typeof satteri>['createRenderer']>[0]

const settings: Settings = {
  syntaxHighlight: 'shiki',
  shikiConfig: {
    // One theme of custom properties, which tokens.css gives a light and a dark value each.
    theme: 'css-variables',
    transformers: [
      {
        // The default leaves a line without colors after half a second, so that a page would
        // depend on how busy the machine was.
        preprocess(_code, options) {
          options.tokenizeTimeLimit = 0
        },
      },
    ],
  },
}

/** Renders Markdown with Astro's own engine. */
export async function toHtml(text: string): Promise<Rendered> {
  renderer ??= satteri().createRenderer(settings)
  const { code, metadata } = await (await renderer).render(text)
  return { html: code, headings: metadata.headings }
}

let renderer: ReturnType<ReturnType<typeof satteri>['createRenderer']> | undefined

const hash = (...parts: (string | Uint8Array)[]) =>
  parts.reduce((sum, part) => sum.update(part), new Bun.CryptoHasher('sha256')).digest('hex')

/**
 * Renders Markdown once for each text: the HTML of 1,000 articles is in one file between builds.
 * Astro's content store does the same, but a build after one change of 1,000 articles takes 13 s
 * with it and 9 s without, because the store becomes a module that is parsed and bundled.
 */
export class MarkdownCache {
  readonly #file: string
  readonly #maker: string
  readonly #used: Record<string, Rendered> = {}
  #known: Record<string, Rendered> = {}

  constructor(root: string) {
    this.#file = join(root, 'site', '.astro', 'markdown.json')
    this.#maker = hash(readFileSync(join(root, 'bun.lock')), readFileSync(import.meta.path))
    try {
      this.#known = JSON.parse(readFileSync(this.#file, 'utf8'))
    } catch {
      // The first build has none.
    }
  }

  async render(text: string): Promise<Rendered> {
    const key = hash(this.#maker, text)
    return (this.#used[key] ??= this.#known[key] ?? (await toHtml(text)))
  }

  /** Keeps what was used, in a rename, because two builds may save at once. */
  save(): void {
    const fresh = `${this.#file}.${process.pid}`
    mkdirSync(dirname(this.#file), { recursive: true })
    writeFileSync(fresh, JSON.stringify(this.#used))
    renameSync(fresh, this.#file)
  }
}
