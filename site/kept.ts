// What builds and previews keep for the next one: compiled pages, rendered markdown, drawn pictures
// and compressed files, each under the hash of everything that it is made of. What is taken from
// here is therefore what would be made anew, and nothing is thrown away when code changes. Files
// are read and written at once: to wait for thousands of small ones takes longer than to do it.
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { compilePages, type Pages } from './compile.ts'
import { hashFiles } from './sources.ts'

const root = join(import.meta.dir, '..')

/**
 * Beside the packages, so that no copy of the house has to begin from nothing. Those of a push lie
 * a folder higher than its checkout, which is gone after it.
 */
const folder = join(packagesOf(root), '.astro', 'kept')

function packagesOf(place: string): string {
  const packages = join(place, 'node_modules')
  const above = dirname(place)
  return existsSync(packages) || above === place ? packages : packagesOf(above)
}

const hashLength = 40

/** What no build took for that long is given up. */
const idleDaysMax = 7

export type Kept = {
  markdown: Shelf
  pictures: Shelf
  packed: Shelf
  /** Pages that say themselves what they are made of. */
  rendered: Shelf
  /** The pages as functions; compiled first, where this code never was. */
  pages(): Promise<Pages>
  /** The names of all that was taken. */
  taken(): string[]
  /** Gives up what nobody took for a week, neither here nor in another thread. */
  tidy(takenElsewhere: string[]): void
}

/** Files and folders that make what is kept, with all that they import. */
export const makers = {
  markdown: ['site/src/markdown.ts'],
  pictures: ['site/src/pictures', 'site/src/render/picture-path.ts', 'content/site.config.ts'],
  packed: ['site/compress.ts'],
}

export async function openKept(code: string): Promise<Kept> {
  const [markdown, pictures, packed] = await Promise.all([
    hashFiles(root, makers.markdown),
    hashFiles(root, makers.pictures),
    hashFiles(root, makers.packed),
  ])
  const shelves = {
    markdown: new Shelf('markdown', markdown),
    pictures: new Shelf('pictures', pictures),
    packed: new Shelf('packed', packed),
    rendered: new Shelf('rendered', code),
  }
  const pages = new Shelf('pages', '')
  return {
    ...shelves,
    pages: () => compilePages(pages.place(code)),
    taken: () => [...Object.values(shelves), pages].flatMap(shelf => [...shelf.taken]),
    tidy(takenElsewhere) {
      const elsewhere = new Set(takenElsewhere)
      for (const shelf of [...Object.values(shelves), pages]) shelf.tidy(elsewhere)
    },
  }
}

/** A folder of things by the hash of what each is made of, and of what makes it. */
export class Shelf {
  readonly #path: string
  readonly taken = new Set<string>()

  constructor(
    name: string,
    readonly maker: string,
  ) {
    this.#path = join(folder, name)
    mkdirSync(this.#path, { recursive: true })
  }

  /** Where the thing lies, or would lie, that is made of these words. */
  place(words: string | Uint8Array): string {
    const hash = new Bun.CryptoHasher('sha256').update(this.maker).update(words).digest('hex')
    const name = hash.slice(0, hashLength)
    this.taken.add(name)
    return join(this.#path, name)
  }

  async text(words: string, make: () => Promise<string>): Promise<string> {
    const place = this.place(words)
    return existsSync(place) ? readFileSync(place, 'utf8') : keep(place, await make())
  }

  /** Where the thing lies; it is made first, where it does not. */
  async path(words: string, make: () => Promise<Uint8Array<ArrayBuffer>>): Promise<string> {
    const place = this.place(words)
    if (!existsSync(place)) keep(place, await make())
    return place
  }

  async bytes(
    words: string,
    make: () => Promise<Uint8Array<ArrayBuffer>>,
  ): Promise<Uint8Array<ArrayBuffer>> {
    const place = this.place(words)
    return existsSync(place) ? readFileSync(place) : keep(place, await make())
  }

  tidy(takenElsewhere: ReadonlySet<string>): void {
    const oldest = performance.timeOrigin - idleDaysMax * 24 * 3600 * 1000
    for (const name of readdirSync(this.#path)) {
      const hash = name.slice(0, hashLength)
      if (this.taken.has(hash) || takenElsewhere.has(hash)) continue
      const path = join(this.#path, name)
      const found = statSync(path, { throwIfNoEntry: false })
      if (found !== undefined && found.mtimeMs < oldest) rmSync(path, { recursive: true })
    }
  }
}

/** Whole or not at all: two builds may keep the same at one time. */
function keep<Made extends string | Uint8Array<ArrayBuffer>>(place: string, made: Made): Made {
  const fresh = `${place}.${process.pid}`
  writeFileSync(fresh, made)
  renameSync(fresh, place)
  return made
}
