// The pages from the sources as they lie, drafts among them, for `bun run site`, which starts this
// process and speaks with it: `deploy/site.ts` is what an editor's browser meets. The pages are the
// build's own, compiled by the same code; only the words are read anew after each save.
import { watch } from 'node:fs'
import { join } from 'node:path'
import { inspect } from '#content/checks/check.ts'
import type { Finding } from '#content/checks/finding.ts'
import { measuresOf } from '#content/checks/readability.ts'
import { basePaths, pagePaths } from '#content/paths.ts'
import { readContent } from '#content/read.ts'
import { type Kept, openKept } from './kept.ts'
import { hashSources } from './sources.ts'
import type { Collections } from './src/given.ts'
import { load } from './src/loader.ts'

const room = import.meta.dir
const root = join(room, '..')

/** Editors save several files at once, and some write one file in two steps. */
const quietMilliseconds = 15

/** What a page cannot be made from, or cannot be left from; all else shows beside the page. */
const isGrave = ({ rule, level }: Finding) =>
  level !== 'warning' && /^[FK]-(?!renamed|owners|future|stale)/.test(rule)

const isWords = (path: string) => /^(content\/.*\.(md|ya?ml|json)|CHANGELOG\.md)$/.test(path)
/** What the pages are compiled from, and what renders their words. */
const isCode = (path: string) => /^(contract|site)\/|^content\/.*\.ts$/.test(path)
const isOurs = (path: string) =>
  !/(^|\/)(dist[^/]*|node_modules|\.astro)(\/|$)|\.test\.ts$/.test(path)

/** `--today=2026-11-21`, as `bun run lint:content` is told it. */
const today = process.argv.find(word => word.startsWith('--today='))?.slice('--today='.length)

const tell = (message: object) => process.send?.(message)

/** The address at which a file of content is read, where it has one of its own. */
function pageOf(path: string): string | undefined {
  if (path === 'content/home.yaml') return '/'
  const [, folder = '', file = ''] = path.split('/')
  const name = file.replace(/\.md$/, '')
  if (folder === 'pages') return pagePaths[name]
  const base = Object.entries(basePaths).find(([key]) => key === folder)?.[1]
  return base && `${base}/${name}`
}

/** What the content lacks, the calendar's findings included. */
async function look(): Promise<void> {
  tellFound(await inspect(root, { today }))
  const { articles, comparisons, docs, pages } = await readContent(join(root, 'content'))
  const written = [...articles, ...comparisons, ...docs, ...pages]
  tell({ measures: Object.fromEntries(written.map(each => [pageOf(each.path), measuresOf(each)])) })
}

function tellFound(found: Finding[]): void {
  const findings = found.map(each => ({ ...each, page: pageOf(each.path), grave: isGrave(each) }))
  tell({ findings })
}

const faultyOf = (found: Finding[]) => new Set(found.filter(isGrave).map(({ path }) => path))

type Pages = Awaited<ReturnType<Kept['pages']>>
type Renderer = Awaited<ReturnType<Pages['renderer']>>

/** What is shown now, and how it is brought up to date. */
class Preview {
  #shown: Collections | undefined

  constructor(
    readonly kept: Kept,
    readonly client: string,
    readonly renderer: Renderer,
  ) {}

  /** Reads the words, but for the files at fault: of those, the last good ones stay. */
  async read(faulty: ReadonlySet<string>): Promise<void> {
    const content = await readContent(join(root, 'content'))
    const keep = this.kept.markdown.text.bind(this.kept.markdown)
    this.#shown = await load(content, { keep, faulty, before: this.#shown })
    const keepPicture = this.kept.pictures.bytes.bind(this.kept.pictures)
    this.renderer.give({ collections: this.#shown, changesBefore: [], keepPicture })
  }

  async refresh(changed: string[]): Promise<void> {
    const began = performance.now()
    const found = await inspect(root)
    const faulty = faultyOf(found)
    if (changed.every(path => faulty.has(path))) return tellFound(found)
    await this.read(faulty)
    const milliseconds = Math.round(performance.now() - began)
    tell({ changed, milliseconds })
    await look()
  }

  /** A file that browsers load with a page, or a page as it would be published now. */
  async answer(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url)
    const hasEnding = /\.[a-z0-9]+$/.test(pathname)
    const file = Bun.file(join(this.client, pathname))
    if (hasEnding && (await file.exists())) return new Response(file)
    const found = await this.renderer.answerAt(decodeURI(pathname))
    if (found !== undefined && hasEnding) found.headers.set('content-type', file.type)
    if (found !== undefined) return found
    const lost = await this.renderer.answerAt('/404')
    return new Response(lost?.body ?? null, { status: 404, headers: lost?.headers ?? {} })
  }
}

/** One refresh at a time; what changes meanwhile is the next one's. */
function follow(preview: Preview): void {
  let changed = new Set<string>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let isBusy = false
  const settle = async () => {
    if (isBusy || changed.size === 0) return
    isBusy = true
    const now = [...changed]
    changed = new Set()
    await preview.refresh(now).catch(fault => tell({ fault: String(fault) }))
    isBusy = false
    await settle()
  }
  const hear = (path: string) => {
    if (!isOurs(path)) return
    if (!isWords(path)) return isCode(path) ? tell({ restart: path }) : undefined
    changed.add(path)
    clearTimeout(timer)
    timer = setTimeout(() => void settle(), quietMilliseconds)
  }
  for (const name of ['content', 'contract', 'site']) {
    watch(join(root, name), { recursive: true }, (_event, file) => hear(join(name, file ?? '')))
  }
  // An editor may put a new file in its place, so the folder is watched and not the file.
  watch(root, (_event, file) => hear(file ?? ''))
}

if (import.meta.main) {
  process.on('disconnect', () => process.exit())
  const { code } = await hashSources(root)
  const kept = await openKept(code)
  const pages = await kept.pages()
  const preview = new Preview(kept, pages.client, await pages.renderer())
  await preview.read(faultyOf(await inspect(root)))
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: request => preview.answer(request),
    error: fault => new Response(fault.message, { status: 500 }),
  })
  await look()
  follow(preview)
  tell({ url: `http://127.0.0.1:${server.port}` })
}
