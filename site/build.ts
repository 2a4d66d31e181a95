import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { check } from '#content/check.ts'
import { print } from '#content/checks/finding.ts'
import { compress } from './compress.ts'
import { hashSources } from './sources.ts'

const room = import.meta.dir
const root = join(room, '..')
const dist = join(room, 'dist')
const record = join(dist, 'build.json')

type Log = (line: string) => void

/** Whether `site/dist` was built from exactly the sources that lie here now. */
export async function isBuilt(): Promise<boolean> {
  return (await builtFrom()) === (await hashSources(root))
}

async function builtFrom(): Promise<unknown> {
  const file = Bun.file(record)
  if (!(await file.exists())) return undefined
  const written: unknown = await file.json()
  return typeof written === 'object' && written !== null && 'built_from' in written
    ? written.built_from
    : undefined
}

/**
 * Builds the site beside the one that is served and swaps the two, so a build that fails half-way leaves
 * the old site as it was. Does nothing where nothing changed.
 */
export async function buildSite(log: Log): Promise<void> {
  const sources = await hashSources(root)
  if ((await builtFrom()) === sources) {
    log('site: built already')
    return
  }
  const fresh = `${dist}.${process.pid}`
  try {
    await stage(log, 'content checked', checkContent)
    await stage(log, 'pages rendered', () => render(fresh))
    await stage(log, 'files compressed', () => compress(fresh))
    await Bun.write(join(fresh, 'build.json'), `${JSON.stringify({ built_from: sources })}\n`)
    await stage(log, 'swapped in', () => swap(fresh))
  } finally {
    await rm(fresh, { recursive: true, force: true })
  }
}

async function stage(log: Log, name: string, work: () => Promise<string | void>): Promise<void> {
  const began = performance.now()
  const detail = await work()
  const seconds = ((performance.now() - began) / 1000).toFixed(2)
  log(`site: ${name}${detail === undefined ? '' : ` (${detail})`} in ${seconds} s`)
}

async function checkContent(): Promise<void> {
  const found = await check(root)
  if (found.length > 0) throw new Error(`content has faults:\n${found.map(print).join('\n')}`)
}

/** A process of its own, because half a gigabyte of bundler should not stay in the caller's. */
async function render(outDir: string): Promise<void> {
  const child = Bun.spawn([process.execPath, '--bun', join(room, 'astro-build.ts'), outDir], {
    cwd: root,
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [out, error, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  if (code !== 0) throw new Error(`Astro could not build the site:\n${out}${error}`)
}

async function swap(fresh: string): Promise<void> {
  const old = `${dist}.old.${process.pid}`
  await rename(dist, old).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
  })
  await rename(fresh, dist)
  await rm(old, { recursive: true, force: true })
}

if (import.meta.main) {
  try {
    await buildSite(line => console.log(line))
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exit(1)
  }
}
