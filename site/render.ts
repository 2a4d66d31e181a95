// The words of a build as files: `site/build.ts` starts this process, because what it holds should
// not stay in the caller's. The pages' code is compiled only when it changed; while it is, the
// markdown is rendered, on the other processor.
import { mkdirSync, writeFileSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { z } from 'astro/zod'
import { today } from '#content/lapse.ts'
import { readContent } from '#content/read.ts'
import { type Packed, Packer } from './compress.ts'
import { type Kept, openKept } from './kept.ts'
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

/** A build's folder: what is put in is written, and packed while the next page is made. */
class Folder {
  readonly #packer: Packer
  readonly #made = new Set<string>()
  readonly #waiting = new Set<Promise<unknown>>()
  readonly done: Packed[] = []

  constructor(
    readonly path: string,
    kept: Pick<Kept, 'packed'>,
  ) {
    this.#packer = new Packer(kept.packed)
  }

  async put(name: string, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    const path = join(this.path, name)
    this.#make(path)
    writeFileSync(path, bytes)
    const packing = this.#packer.pack(path, bytes).then(how => this.done.push(how))
    this.#waiting.add(packing)
    void packing.finally(() => this.#waiting.delete(packing))
    if (this.#waiting.size >= packedAtOnce) await Promise.race(this.#waiting)
  }

  #make(path: string): void {
    const folder = dirname(path)
    if (this.#made.has(folder)) return
    mkdirSync(folder, { recursive: true })
    this.#made.add(folder)
  }

  async close(): Promise<void> {
    await Promise.all(this.#waiting)
  }
}

const packedAtOnce = 8

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
  const folder = new Folder(into, kept)
  for (const name of await readdir(pages.client, { recursive: true })) {
    const path = join(pages.client, name)
    if ((await stat(path)).isFile()) await folder.put(name, await Bun.file(path).bytes())
  }
  for (const address of await renderer.addresses()) {
    const { cacheKey, pathname } = address
    const make = async () => (await renderer.render(address)).bytes()
    const bytes = cacheKey === undefined ? make() : kept.rendered.bytes(pathname + cacheKey, make)
    await folder.put(renderer.fileOf(address), await bytes)
  }
  await folder.put('_redirects', new TextEncoder().encode(redirectsOf(content)))
  stage('pages rendered')
  say(qualityLine(await Bun.file(join(into, 'catalog/quality.json')).json()))
  await folder.close()
  const count = (how: Packed) => folder.done.filter(each => each === how).length
  stage(`files compressed (${count('packed')}, ${count('linked')} as before)`)
  kept.tidy()
}

if (import.meta.main) {
  const [into, before, code] = process.argv.slice(2)
  if (into === undefined || before === undefined || code === undefined)
    throw new Error('name the folder to build into, the build before, and the code')
  await main(into, before, code)
}
