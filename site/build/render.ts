// Renders the site into a folder with Astro, with compressed versions of each file: `bun --bun
// site/build/render.ts <folder> <build before> [day]`, which `build.ts` starts.
import { Database } from 'bun:sqlite'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type AstroIntegration, build } from 'astro'
import type { ReaderMeasures } from '#content/ranking/judged.ts'
import type { Quality, Measures } from '../src/machine/evaluate.ts'
import { type Change, changesSince } from '../src/machine/machine.ts'
import { preload, useDay } from '../src/load.ts'
import { beginBuild, finishBuild, outDir, removeVersions } from './keep.ts'
import { compress, compressRest } from './write.ts'

const site = join(import.meta.dir, '..')

/** Prevents concurrent builds from sharing the cache. The kernel releases a dead process's lock. */
async function lockCache(): Promise<Database> {
  await mkdir(join(site, '.astro'), { recursive: true })
  const lock = new Database(join(site, '.astro', 'build.lock'), { create: true })
  lock.run('pragma busy_timeout = 600000')
  lock.run('begin exclusive')
  return lock
}

let began = performance.now()
function report(stage: string): void {
  console.log(`site: ${stage} in ${((performance.now() - began) / 1000).toFixed(2)} s`)
  began = performance.now()
}

const read = async <Data>(folder: string, file: string): Promise<Data | undefined> => {
  const found = Bun.file(join(folder, file))
  return (await found.exists()) ? found.json() : undefined
}

const changesFile = 'changes.json'

async function writeChanges(before: string): Promise<void> {
  const [old, now] = await Promise.all(
    [before, outDir].map(folder => read<{ changes: Change[] }>(folder, changesFile)),
  )
  const changes = changesSince(old?.changes ?? [], now?.changes ?? [])
  await Bun.write(join(outDir, changesFile), `${JSON.stringify({ changes }, null, 2)}\n`)
}

/** Prints how well `/ask` answers the questions that pages list. */
async function reportQuality(): Promise<void> {
  const quality = await read<Quality>(outDir, 'catalog/quality.json')
  if (quality === undefined) throw new Error('catalog/quality.json was not built')
  const numbers = ({ ndcg_at_5: ndcg, recall_at_5: recall }: Measures) =>
    `nDCG@5 ${ndcg.toFixed(3)}, recall@5 ${recall.toFixed(3)}`
  const { served, blind, readers } = quality
  const share = (value: number) => `${Math.round(value * 100)} %`
  const half = ({ first, among_5: five }: ReaderMeasures) =>
    `right page first ${share(first)}, among five ${share(five)}`
  console.log(
    `site: /ask, asked by readers: ${half(readers.independent)}; held out: ${half(readers.held_out)}; earlier set: ${half(readers.earlier)}; improved with: ${half(readers.development)}`,
  )
  console.log(
    `site: /ask answers ${served.questions} questions: ${numbers(served)}; without their own words: ${numbers(blind)}`,
  )
}

/**
 * Compresses each file as soon as it's rendered, so compression uses the second processor while
 * the next page renders.
 */
const compressing = (before: string): AstroIntegration => ({
  name: 'compressing',
  hooks: {
    'astro:build:start': ({ setPrerenderer }) =>
      setPrerenderer(astro => ({
        ...astro,
        async render(request, options) {
          const file = decodeURI(new URL(request.url).pathname.slice(1))
          removeVersions(file)
          const rendered = await astro.render(request, options)
          const found = rendered instanceof Response ? { response: rendered } : rendered
          if (found.response.body === null) return rendered
          const bytes = Buffer.from(await found.response.arrayBuffer())
          // The build completes this file afterward.
          if (file !== changesFile) await compress(file, bytes, outDir, before)
          return { ...found, response: new Response(bytes, found.response) }
        },
      })),
  },
})

const [into, before, today] = process.argv.slice(2)
if (into === undefined || before === undefined) {
  throw new Error('Pass the output folder and the previous build.')
}

const lock = await lockCache()
const kept = beginBuild()
useDay(today)
preload()
await build({ root: site, outDir, logLevel: 'warn', integrations: [compressing(before)] })
report('pages rendered')
await writeChanges(before)
await reportQuality()
await compressRest(outDir, before)
await finishBuild(into, kept)
lock.close()
report('files written')
