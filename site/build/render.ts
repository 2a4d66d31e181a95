// Renders the site with Astro into a folder, with compressed versions of each file:
// `bun --bun site/build/render.ts <folder> <build before>`, which `build.ts` starts.
import { Database } from 'bun:sqlite'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'astro'
import type { Quality, Measures } from '../src/render/evaluate.ts'
import { type Change, changesSince } from '../src/render/machine.ts'
import { compressAll, move } from './write.ts'

const site = join(import.meta.dir, '..')

/** Always the same, because Astro's cache is only good for one output folder. */
const outDir = join(site, 'dist.astro')

/**
 * Two builds at once would write into one cache. The kernel releases the lock of a dead process.
 */
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

async function writeChanges(before: string): Promise<void> {
  const file = 'changes.json'
  const [old, now] = await Promise.all(
    [before, outDir].map(folder => read<{ changes: Change[] }>(folder, file)),
  )
  const changes = changesSince(old?.changes ?? [], now?.changes ?? [])
  await Bun.write(join(outDir, file), `${JSON.stringify({ changes }, null, 2)}\n`)
}

/** How well `/ask` finds the questions that the pages promise to answer. */
async function reportQuality(): Promise<void> {
  const quality = await read<Quality>(outDir, 'catalog/quality.json')
  if (quality === undefined) throw new Error('catalog/quality.json was not built')
  const numbers = ({ ndcg_at_5: ndcg, recall_at_5: recall }: Measures) =>
    `nDCG@5 ${ndcg.toFixed(3)}, recall@5 ${recall.toFixed(3)}`
  const { served, blind } = quality
  console.log(
    `site: /ask answers ${served.questions} questions: ${numbers(served)}; without their own words: ${numbers(blind)}`,
  )
}

const [into, before] = process.argv.slice(2)
if (into === undefined || before === undefined)
  throw new Error('Name the folder to build into and the build before.')
const lock = await lockCache()
await rm(outDir, { recursive: true, force: true })
await build({ root: site, outDir, logLevel: 'warn' })
report('pages rendered')
await writeChanges(before)
await reportQuality()
await move(outDir, into)
lock.close()
const { compressed, reused } = await compressAll(into, before)
report(`files written (${compressed} compressed, ${reused} as before)`)
