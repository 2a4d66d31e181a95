import { readdir, rename, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { z } from 'astro/zod'
import { check } from '#content/check.ts'
import { print } from '#content/checks/finding.ts'
import { readContent } from '#content/read.ts'
import { compress } from './compress.ts'
import { redirectsOf } from './redirects.ts'
import { published } from './src/drafts.ts'
import type { Measures, Quality } from './src/render/judge.ts'
import { hashSources, type Sources } from './sources.ts'

const room = import.meta.dir
const root = join(room, '..')
const dist = join(room, 'dist')

/** What builds keep for the next one, beside Astro's own; in here a folder for each code. */
const keep = join(root, 'node_modules', '.astro', 'kept')

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
  try {
    await stage(log, 'content checked', checkContent)
    await stage(log, 'pages rendered', () => render(fresh, before, sources))
    await Bun.write(
      join(fresh, '_redirects'),
      redirectsOf(published(await readContent(join(root, 'content')))),
    )
    log(`site: ${await qualityLine(fresh)}`)
    await stage(log, 'files compressed', () =>
      compress(fresh, old?.code === sources.code ? into : null),
    )
    await Bun.write(
      join(fresh, 'build.json'),
      `${JSON.stringify({ built_from: sources.all, built_by: sources.code })}\n`,
    )
    await stage(log, 'swapped in', () => swap(fresh, into))
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

/** What the build found when it asked `/ask` what its pages promise to answer. */
async function qualityLine(folder: string): Promise<string> {
  const { served, blind }: Pick<Quality, 'served' | 'blind'> = await Bun.file(
    join(folder, 'catalog/quality.json'),
  ).json()
  const numbers = ({ ndcg_at_5: ndcg, recall_at_5: recall }: Measures) =>
    `nDCG@5 ${ndcg.toFixed(3)}, recall@5 ${recall.toFixed(3)}`
  return `/ask judged by ${served.questions} questions: ${numbers(served)}; without their own words: ${numbers(blind)}`
}

/** A process of its own, because half a gigabyte of bundler should not stay in the caller's. */
async function render(outDir: string, before: string, sources: Sources): Promise<void> {
  const script = join(room, 'astro-build.ts')
  const ours = await keptFor(sources.code)
  const child = Bun.spawn([process.execPath, '--bun', script, outDir, before, ours], {
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

/** The folder of what this code keeps. Another code's is of no use any more. */
export async function keptFor(code: string): Promise<string> {
  const name = code.slice(0, 16)
  const others = (await readdir(keep).catch(() => [])).filter(other => other !== name)
  await Promise.all(others.map(other => rm(join(keep, other), { recursive: true, force: true })))
  return join(keep, name)
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
