// Astro's own server over the sources as they lie, drafts among them, for `bun run site`, which
// starts this process and speaks with it: `deploy/site.ts` is what an editor's browser meets.
import { join, relative } from 'node:path'
import { type AstroIntegration, dev } from 'astro'
import { inspect } from '#content/check.ts'
import type { Finding } from '#content/checks/finding.ts'
import { basePaths, pagePaths } from '#content/known.ts'
import { keptFor } from './build.ts'
import { folders, singles } from '#content/read.ts'
import { hashSources } from './sources.ts'
import { previewName } from './src/drafts.ts'

const room = import.meta.dir
const root = join(room, '..')

type Hooks = Required<AstroIntegration['hooks']>
type Setup = Parameters<Hooks['astro:server:setup']>[0]

/** Editors save several files at once, and some write one file in two steps. */
const quietMilliseconds = 15

/** What a page cannot be made from, or cannot be left from; all else shows beside the page. */
const isGrave = ({ rule, level }: Finding) => level !== 'warning' && /^[FK]-/.test(rule)

const isWords = (path: string) => /^(content\/.*\.(md|ya?ml|json)|CHANGELOG\.md)$/.test(path)
/** The words were rendered by this: what is kept of them is of no use any more. */
const isCode = (path: string) => /^(content|contract|site)\/.*\.ts$/.test(path)
const isOurs = (path: string) => !/(^|\/)(dist[^/]*|node_modules|\.astro)\/|\.test\.ts$/.test(path)

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
}

function tellFound(found: Finding[]): void {
  const findings = found.map(each => ({ ...each, page: pageOf(each.path), grave: isGrave(each) }))
  tell({ findings })
}

const loaders = [...folders, ...singles].map(name => `content-${name}`)
/** The home page's code, and the day on which the reference changed, are of these. */
const isOfAll = (path: string) => /^content\/(home|changelog)\.yaml$/.test(path)

/** Brings the words up to date, but for the files at fault: of those, the last good ones stay. */
async function refresh({ refreshContent, server }: Setup, changed: string[]): Promise<void> {
  const began = performance.now()
  const found = await inspect(root)
  const faulty = new Set(found.filter(isGrave).map(({ path }) => path))
  if (changed.every(path => faulty.has(path))) return tellFound(found)
  const which = changed.some(isOfAll) ? {} : { loaders }
  await refreshContent?.({ ...which, context: { faulty: [...faulty] } })
  forgetGathered(server)
  const milliseconds = Math.round(performance.now() - began)
  tell({ changed, milliseconds })
  await look()
}

/** `everyPage` remembers what it gathered, and that was of the words before. */
function forgetGathered({ environments }: Setup['server']): void {
  for (const environment of Object.values(environments)) {
    if (!('runner' in environment)) continue
    const { evaluatedModules } = environment.runner as Runner
    const stale = new Set(
      environment.moduleGraph.getModulesByFile(join(room, 'src', 'every-page.ts')),
    )
    for (const each of stale) {
      const evaluated = each.id === null ? undefined : evaluatedModules.getModuleById(each.id)
      if (evaluated !== undefined) evaluatedModules.invalidateModule(evaluated)
      for (const importer of each.importers) stale.add(importer)
    }
  }
}

type Runner = {
  evaluatedModules: {
    getModuleById(id: string): object | undefined
    invalidateModule(module: object): void
  }
}

/** One refresh at a time; what changes meanwhile is the next one's. */
function follow(setup: Setup): void {
  let changed = new Set<string>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let isBusy = false
  const settle = async () => {
    if (isBusy || changed.size === 0) return
    isBusy = true
    const now = changed
    changed = new Set()
    const words = [...now].filter(isWords)
    if (words.length === 0) tell({ changed: [...now], milliseconds: 0 })
    else await refresh(setup, words).catch(fault => tell({ fault: String(fault) }))
    isBusy = false
    await settle()
  }
  const { watcher } = setup.server
  watcher.add(['content', 'contract', 'CHANGELOG.md'].map(name => join(root, name)))
  watcher.on('all', (_event, file) => {
    const path = relative(root, file)
    if (!isOurs(path)) return
    if (isCode(path)) tell({ restart: path })
    if (!isWords(path) && !path.startsWith('site/src/')) return
    changed.add(path)
    clearTimeout(timer)
    timer = setTimeout(() => void settle(), quietMilliseconds)
  })
}

if (import.meta.main) {
  process.on('disconnect', () => process.exit())
  const { code } = await hashSources(root)
  // As `site/build.ts` starts `astro-build.ts`, so that a preview renders nothing that is kept.
  process.argv.splice(2, 3, 'dist', join(room, 'dist'), await keptFor(code))
  const ready = Promise.withResolvers<Setup>()
  const preview: AstroIntegration = {
    name: previewName,
    hooks: { 'astro:server:setup': setup => ready.resolve(setup) },
  }
  const { address } = await dev({
    root: room,
    logLevel: 'error',
    integrations: [preview],
    server: { host: '127.0.0.1', port: 0 },
  })
  await look()
  follow(await ready.promise)
  tell({ url: `http://127.0.0.1:${address.port}` })
}
