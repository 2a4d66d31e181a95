// The words of a build as files: `site/build.ts` starts this process, because what it holds should
// not stay in the caller's. The pages' code is compiled only when it changed; while it is, the
// markdown is rendered, on the other processor.
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'astro/zod'
import { today } from '#content/expiry.ts'
import { readContent } from '#content/read.ts'
import { openKept } from './kept.ts'
import { Press } from './press.ts'
import { redirectsOf } from './redirects.ts'
import { published } from './src/drafts.ts'
import { load } from './src/loader.ts'
import type { Change } from './src/render/machine.ts'
import type { Measures, Quality } from './src/render/judge.ts'

const root = join(import.meta.dir, '..')

const written = z.object({
  changes: z.array(
    z.object({
      page: z.string(),
      old_hash: z.string().nullable(),
      new_hash: z.string(),
      time: z.string(),
    }),
  ),
})

/** What the build before says of itself; nothing, when there is none. */
async function changesOf(before: string): Promise<Change[]> {
  const file = Bun.file(join(before, 'changes.json'))
  if (!(await file.exists())) return []
  const read = written.safeParse(await file.json())
  return read.success ? read.data.changes : []
}

const say = (line: string) => console.log(`site: ${line}`)
let began = performance.now()
function stage(name: string): void {
  const seconds = ((performance.now() - began) / 1000).toFixed(2)
  say(`${name} in ${seconds} s`)
  began = performance.now()
}

/** What the build found when it asked `/ask` what its pages promise to answer. */
function qualityLine({ served, blind }: Pick<Quality, 'served' | 'blind'>): string {
  const numbers = ({ ndcg_at_5: ndcg, recall_at_5: recall }: Measures) =>
    `nDCG@5 ${ndcg.toFixed(3)}, recall@5 ${recall.toFixed(3)}`
  return `/ask judged by ${served.questions} questions: ${numbers(served)}; without their own words: ${numbers(blind)}`
}

async function main(into: string, before: string, code: string): Promise<void> {
  const press = new Press(into, code)
  const kept = await openKept(code)
  const content = published(await readContent(join(root, 'content')), today())
  const [pages, collections] = await Promise.all([
    kept.pages(),
    load(content, { keep: kept.markdown.text.bind(kept.markdown) }),
  ])
  stage('markdown rendered, pages compiled')
  const renderer = await pages.renderer()
  const keepPicture = kept.pictures.bytes.bind(kept.pictures)
  renderer.give({ collections, changesBefore: await changesOf(before), keepPicture })
  for (const name of await readdir(pages.client, { recursive: true })) {
    const path = join(pages.client, name)
    if ((await stat(path)).isFile()) await press.put(name, { bytes: await Bun.file(path).bytes() })
  }
  const encoder = new TextEncoder()
  const addresses = await renderer.addresses()
  // What is made each time comes first: all articles in one file take longest to compress.
  for (const address of addresses.filter(({ cacheKey }) => cacheKey === undefined)) {
    const bytes = await (await renderer.render(address)).bytes()
    await press.put(renderer.fileOf(address), { bytes })
  }
  for (const { file, twin } of renderer.twins())
    await press.put(file, { bytes: encoder.encode(twin) })
  for (const { file, drawing } of renderer.drawings()) await press.put(file, { drawing })
  for (const address of addresses) {
    const { cacheKey, pathname } = address
    if (cacheKey === undefined) continue
    const make = async () => (await renderer.render(address)).bytes()
    const place = await kept.rendered.path(pathname + cacheKey, make)
    await press.put(renderer.fileOf(address), { kept: place })
  }
  await press.put('_redirects', { bytes: encoder.encode(redirectsOf(content)) })
  stage('pages rendered')
  say(qualityLine(renderer.quality()))
  const taken = await press.close()
  const { packed, linked } = press.counts
  stage(`files written and compressed (${packed}, ${linked} as before)`)
  kept.tidy(taken)
}

if (import.meta.main) {
  const [into, before, code] = process.argv.slice(2)
  if (into === undefined || before === undefined || code === undefined)
    throw new Error('name the folder to build into, the build before, and the code')
  await main(into, before, code)
}
