// Serves the pages from the current sources, including drafts. `npm run site` starts this process
// and receives its messages; an editor's browser connects to `deploy/preview/site.ts`.
import { watch } from 'node:fs'
import { join } from 'node:path'
import { type AstroIntegration, dev } from 'astro'
import { inspect } from '#content/checks/check.ts'
import { measuresOf } from '#content/checks/readability.ts'
import { basePaths, pagePaths } from '#content/paths.ts'
import { readContent } from '#content/read.ts'
import { blockedFiles, isBlocking } from '../src/blocked-files.ts'
import { useDay, usePreview } from '../src/load.ts'

const site = join(import.meta.dir, '..')
const root = join(site, '..')

/** Waits for a pause, because editors save several files at once or one file in two steps. */
const quietMilliseconds = 15

const isContent = (path: string) => /^content\/.*\.(md|ya?ml|json)$/.test(path)
const isCode = (path: string) => /^(contract|site)\/|^content\/.*\.ts$/.test(path)
const isSource = (path: string) =>
  !/(^|\/)(dist[^/]*|node_modules|\.astro)(\/|$)|\.test\.ts$/.test(path)

/** `--today=2026-11-21`, as in `npm run check -- content`. */
const today = process.argv.find(word => word.startsWith('--today='))?.slice('--today='.length)

const send = (message: object) => process.send?.(message)

/** The URL of the page built from a content file, if there is one. */
function pageOf(path: string): string | undefined {
  if (path === 'content/home.yaml') return '/'
  const [, folder = '', file = ''] = path.split('/')
  const name = file.replace(/\.md$/, '')
  if (folder === 'pages') return pagePaths[name]
  const base = Object.entries(basePaths).find(([key]) => key === folder)?.[1]
  return base && `${base}/${name}`
}

/** Sends the content check's findings, including findings about dates. */
async function sendFindings(): Promise<void> {
  const found = await inspect(root, { today })
  send({
    findings: found.map(each => ({
      ...each,
      page: pageOf(each.path),
      isBlocking: isBlocking(each),
    })),
  })
  const { articles, comparisons, docs, pages } = await readContent(join(root, 'content'))
  const written = [...articles, ...comparisons, ...docs, ...pages]
  send({ measures: Object.fromEntries(written.map(each => [pageOf(each.path), measuresOf(each)])) })
}

/** Makes the pages reread the content by re-evaluating the module that loaded it. */
let reload = (): void => {}
const reloading: AstroIntegration = {
  name: 'content-reload',
  hooks: {
    'astro:server:setup': ({ server }) => {
      reload = () => {
        for (const { moduleGraph } of Object.values(server.environments))
          for (const loaded of moduleGraph.getModulesByFile(join(site, 'src', 'catalog.ts')) ?? [])
            moduleGraph.invalidateModule(loaded)
      }
    },
  },
}

async function refresh(changed: string[]): Promise<void> {
  const began = performance.now()
  const blocked = await blockedFiles(root)
  if (!changed.every(path => blocked.has(path))) {
    reload()
    send({ changed, milliseconds: Math.round(performance.now() - began) })
  }
  await sendFindings()
}

/** Runs one refresh at a time. Changes during a refresh are part of the next refresh. */
function watchSources(): void {
  let changed = new Set<string>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let isBusy = false
  const refreshAll = async () => {
    if (isBusy || changed.size === 0) return
    isBusy = true
    const now = [...changed]
    changed = new Set()
    await refresh(now).catch(error => send({ error: String(error) }))
    isBusy = false
    await refreshAll()
  }
  const onChange = (path: string) => {
    if (!isSource(path)) return
    if (!isContent(path)) return isCode(path) ? send({ restart: path }) : undefined
    changed.add(path)
    clearTimeout(timer)
    timer = setTimeout(() => void refreshAll(), quietMilliseconds)
  }
  for (const name of ['content', 'contract', 'site']) {
    watch(join(root, name), { recursive: true }, (_event, file) => onChange(join(name, file ?? '')))
  }
  // An editor may replace the file with a new file, so this watches the folder instead.
  watch(root, (_event, file) => onChange(file ?? ''))
}

if (import.meta.main) {
  usePreview()
  useDay(today)
  process.on('disconnect', () => process.exit())
  const server = await dev({
    root: site,
    logLevel: 'error',
    integrations: [reloading],
    server: { host: '127.0.0.1', port: 0 },
    vite: { server: { hmr: false, watch: null } },
  })
  watchSources()
  send({ url: `http://127.0.0.1:${server.address.port}` })
  await sendFindings()
}
