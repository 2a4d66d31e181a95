import { rename, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { z } from 'astro/zod'
import { check } from '#content/checks/check.ts'
import { print } from '#content/checks/finding.ts'
import { hashSources, type Sources } from './sources.ts'

const room = import.meta.dir
const root = join(room, '..')
const dist = join(room, 'dist')

const written = z.object({ built_from: z.string(), built_by: z.string() })

type Log = (line: string) => void

/** Whether `site/dist` was built from exactly the sources that lie here now. */
export async function isBuilt(): Promise<boolean> {
  return (await builtFrom(dist))?.all === (await hashSources(root)).all
}

/** What a folder says that it was built from; nothing where there is none. */
async function builtFrom(folder: string): Promise<Sources | undefined> {
  const file = Bun.file(join(folder, 'build.json'))
  if (!(await file.exists())) return undefined
  const read = written.safeParse(await file.json())
  return read.success ? { all: read.data.built_from, code: read.data.built_by } : undefined
}

/**
 * Builds the site beside the one that is served and swaps the two, so a build that fails half-way
 * leaves the old site as it was. Does nothing where nothing changed. A deploy names a folder of its
 * own, and the build before it, against which `changes.json` tells what moved.
 */
export async function buildSite(log: Log, into = dist, before = into): Promise<void> {
  const [sources, old] = await Promise.all([hashSources(root), builtFrom(into)])
  if (old?.all === sources.all) {
    log('site: built already')
    return
  }
  const fresh = `${into}.${process.pid}`
  const rendering = startRendering(log, fresh, before, sources)
  try {
    await stage(log, 'content checked', checkContent)
    await rendering.done()
    await Bun.write(
      join(fresh, 'build.json'),
      `${JSON.stringify({ built_from: sources.all, built_by: sources.code })}\n`,
    )
    await stage(log, 'swapped in', () => swap(fresh, into))
  } finally {
    await rendering.stop()
    await rm(fresh, { recursive: true, force: true })
  }
}

async function stage(log: Log, name: string, work: () => Promise<void>): Promise<void> {
  const began = performance.now()
  await work()
  log(`site: ${name} in ${((performance.now() - began) / 1000).toFixed(2)} s`)
}

async function checkContent(): Promise<void> {
  const found = await check(root)
  if (found.length > 0) throw new Error(`content has faults:\n${found.map(print).join('\n')}`)
}

/**
 * Pages are rendered while the content is checked, in a process of its own. What the check finds is
 * said first: of content with faults nothing is rendered, or it fails in some way of its own.
 */
function startRendering(log: Log, into: string, before: string, { code }: Sources) {
  const command = [process.execPath, '--bun', join(room, 'render.ts'), into, before, code]
  const child = Bun.spawn(command, { cwd: root, stdout: 'pipe', stderr: 'pipe' })
  const ended = Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  return {
    async done() {
      const [out, error, status] = await ended
      if (status !== 0) throw new Error(`The pages could not be rendered:\n${out}${error}`)
      for (const line of out.trimEnd().split('\n')) log(line)
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
  try {
    const [into, before] = process.argv.slice(2).map(folder => resolve(folder))
    await buildSite(line => console.log(line), into, before)
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exit(1)
  }
}
