// See docs/decisions/0074-build-the-site-with-astro-alone.md.
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Rendered } from './markdown.ts'
import { MarkdownThread } from './markdown-thread.ts'

const hash = (...parts: (string | Uint8Array)[]) =>
  parts.reduce((sum, part) => sum.update(part), new Bun.CryptoHasher('sha256')).digest('hex')

/**
 * Renders each Markdown text once, and stores the HTML in one file between builds. Astro's content
 * store does the same, but after one change in 1,000 articles a build takes 13 s with the content
 * store and 9 s without, because Astro parses and bundles the store as a module.
 */
export class MarkdownCache {
  readonly #file: string
  readonly #maker: string
  readonly #used: Record<string, Rendered> = {}
  #known: Record<string, Rendered> = {}
  readonly #thread = new MarkdownThread()

  constructor(root: string) {
    this.#file = join(root, 'site', '.astro', 'markdown.json')
    this.#maker = hash(
      readFileSync(join(root, 'bun.lock')),
      readFileSync(join(import.meta.dir, 'markdown.ts')),
    )
    try {
      this.#known = JSON.parse(readFileSync(this.#file, 'utf8'))
    } catch {
      // The first build has no cache file.
    }
  }

  async render(text: string): Promise<Rendered> {
    const key = hash(this.#maker, text)
    return (this.#used[key] ??= this.#known[key] ?? (await this.#thread.toHtml(text)))
  }

  /** Saves the used entries with a rename, because two builds may save at the same time. */
  save(): void {
    const fresh = `${this.#file}.${process.pid}`
    mkdirSync(dirname(this.#file), { recursive: true })
    writeFileSync(fresh, JSON.stringify(this.#used))
    renameSync(fresh, this.#file)
  }

  [Symbol.asyncDispose] = (): Promise<void> => this.#thread.stop()
}
