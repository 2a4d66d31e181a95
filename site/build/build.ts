// Builds the site: `bun site/build/build.ts [folder] [build before] [--today=2026-11-21]`. The
// build doesn't read the clock: without --today, it uses the newest day in the content.
import { rename, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { check } from '#content/checks/check.ts'
import { print } from '#content/finding.ts'
import { hashSources } from './sources.ts'

const root = join(import.meta.dir, '..', '..')
const dist = join(root, 'site', 'dist')

type Log = (line: string) => void

export type Options = {
  into?: string | undefined
  /** The build that `changes.json` compares this build with. */
  before?: string | undefined
  /** Skips the content check, because it has already run. */
  isChecked?: boolean
  /** The date from which pages compute the age of their facts. */
  today?: string | undefined
}

/** Whether `site/dist` is up to date with its sources for the day. */
export async function isBuilt(today?: string): Promise<boolean> {
  return (await builtFrom(dist)) === (await hashSources(root, today))
}

async function builtFrom(folder: string): Promise<string | undefined> {
  const file = Bun.file(join(folder, 'build.json'))
  if (!(await file.exists())) return undefined
  const { built_from }: { built_from?: string } = await file.json()
  return built_from
}

/**
 * Builds the site next to the served one and swaps the two, so a failed build leaves the old site
 * as it was. Does nothing if no source changed.
 */
export async function buildSite(log: Log, options: Options = {}): Promise<void> {
  const { into = dist, before = into, isChecked = false, today } = options
  const [sources, old] = await Promise.all([hashSources(root, today), builtFrom(into)])
  if (old === sources) {
    log('site: already built')
    return
  }
  const fresh = `${into}.${process.pid}`
  const rendering = startRendering(fresh, before, today)
  try {
    if (!isChecked) await checkContent(log)
    for (const line of await rendering.done()) log(line)
    await Bun.write(join(fresh, 'build.json'), `${JSON.stringify({ built_from: sources })}\n`)
    await swap(fresh, into)
  } finally {
    await rendering.stop()
    await rm(fresh, { recursive: true, force: true })
  }
}

async function checkContent(log: Log): Promise<void> {
  const began = performance.now()
  const found = await check(root)
  if (found.length > 0) throw new Error(`The content has errors:\n${found.map(print).join('\n')}`)
  log(`site: content checked in ${((performance.now() - began) / 1000).toFixed(2)} s`)
}

/** Renders pages in a separate process while the content is checked, so a gateway that builds on
 *  start doesn't keep the memory. Errors from the check are reported first. */
function startRendering(into: string, before: string, today?: string) {
  const command = [process.execPath, '--bun', join(import.meta.dir, 'render.ts'), into, before]
  const day = today === undefined ? [] : [today]
  const child = Bun.spawn([...command, ...day], { cwd: root, stdout: 'pipe', stderr: 'pipe' })
  const ended = Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  return {
    async done(): Promise<string[]> {
      const [out, error, status] = await ended
      if (status !== 0) throw new Error(`The pages could not be rendered:\n${out}${error}`)
      return out.split('\n').filter(line => line.startsWith('site: '))
    },
    async stop() {
      child.kill()
      await ended
    },
  }
}

async function swap(fresh: string, into: string): Promise<void> {
  const old = `${into}.old.${process.pid}`
  await rename(into, old).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
  })
  await rename(fresh, into)
  await rm(old, { recursive: true, force: true })
}

if (import.meta.main) {
  const words = process.argv.slice(2)
  const [into, before] = words.filter(word => !word.startsWith('--')).map(each => resolve(each))
  try {
    await buildSite(line => console.log(line), {
      into,
      before,
      isChecked: words.includes('--checked'),
      today: words.find(word => word.startsWith('--today='))?.slice('--today='.length),
    })
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exit(1)
  }
}
