// The whole build of a site of many articles from nothing, again of the same words, and after one
// change, beside Eleventy rendering the same markdown and nothing else.
import { appendFile, mkdir, readdir, readlink, rm, symlink } from 'node:fs/promises'
import path from 'node:path'
import { copySources, removeCopy } from '#site/fixture-site.ts'
import type { Options } from './options.ts'
import { atMost, compact, interleave, median, type Proof, type Result, rowOf } from './rounds.ts'
import { withClosers, withFolder } from './server.ts'
import { makeMarkdown, type MarkdownFile } from './site-articles.ts'

/** Articles, and whether P13 says anything of so many. */
const sizes = [
  { articles: 100, isJudged: false },
  { articles: 1000, isJudged: true },
  { articles: 5000, isJudged: false },
] as const
const shortSize = { articles: 3, isJudged: false } as const

/** Rounds of minutes each: five would take the night, and the ratio is far from its bound. */
const roundsMax = 3

const root = path.dirname(import.meta.dir)

/**
 * One run of a build: how long it took, for how long it and its children had a processor, and the
 * most memory that one of them held.
 */
type Run = { seconds: number; busy: number; megabytes: number }

export async function siteBuild(options: Options): Promise<Result> {
  const results: Result[] = []
  for (const size of options.isShort ? [shortSize] : sizes)
    results.push(await measure(options, size))
  return {
    rows: results.flatMap(({ rows }) => rows),
    notes: results.flatMap(({ notes }) => notes),
    proofs: results.flatMap(({ proofs }) => proofs),
  }
}

const seconds = (all: readonly Run[]) => all.map(run => run.seconds)
const most = (all: readonly Run[]) => compact(median(all.map(run => run.megabytes)))
const busy = (all: readonly Run[]) =>
  all.length === 0 ? '–' : median(all.map(run => run.busy)).toFixed(1)

type Size = { articles: number; isJudged: boolean }

async function measure(options: Options, { articles, isJudged }: Size): Promise<Result> {
  return withClosers(async later =>
    withFolder(async folder => {
      const files = makeMarkdown(articles)
      const house = await writeHouse(files)
      later(() => removeCopy(house))
      const peer = await writePeer(folder, files)
      const out = path.join(folder, 'ours')
      const rounds = articles > 1000 ? 1 : Math.min(options.rounds, roundsMax)
      const again = path.join(folder, 'again')
      const sides = {
        whole: () => buildWhole(house, out),
        again: () => buildAgain(house, again),
        change: () => buildChange(house, out, files[0]?.slug ?? ''),
        peer: () => buildPeer(peer),
      }
      const runs = options.isShort ? await once(sides) : await interleave(rounds, sides)
      if (!options.isShort) for (const side of [sides.whole, sides.again]) await side()
      const { whole = [], again: same = [], change = [], peer: theirs = [] } = runs
      const job = `site build, ${compact(articles)} articles`
      const eleventy = { name: 'Eleventy, the same markdown alone', rounds: seconds(theirs) }
      const common = { id: 'P13', unit: 's' }
      return {
        rows: [
          rowOf({
            ...common,
            job: `${job}, everything`,
            ours: seconds(whole),
            peer: eleventy,
            target: isJudged ? atMost(3) : null,
          }),
          rowOf({
            ...common,
            job: '  the same words again, into another folder',
            ours: seconds(same),
            peer: eleventy,
            target: null,
          }),
          rowOf({
            ...common,
            job: '  after one changed article',
            ours: seconds(change),
            peer: null,
            target: isJudged ? atMost(2.5) : null,
          }),
        ].filter(({ ours }) => ours.length > 0),
        notes: [
          `${job}: ${most(whole)} MB, Eleventy ${most(theirs)} MB in its largest process`,
          `${job}: of a processor ${busy(whole)} s from nothing, ${busy(same)} s again, ${busy(change)} s after one change; Eleventy ${busy(theirs)} s`,
        ],
        proofs: [
          await counted(`${job}: pages of ours`, path.join(out, 'blog'), articles),
          await counted(`${job}: pages of Eleventy's`, path.join(peer, 'out'), articles),
          await compared(`${job}: files that differ from a build from nothing`, out, again),
        ],
      }
    }),
  )
}

/** A build takes long even when it is tiny: the short form builds once, and changes nothing. */
async function once({
  whole,
  again,
  peer,
}: Record<'whole' | 'again' | 'peer', () => Promise<Run>>) {
  const runs: Record<string, Run[]> = {
    whole: [await whole()],
    again: [await again()],
    peer: [await peer()],
  }
  return runs
}

/** What is kept for the next build must not be seen in it: both are the same, byte for byte. */
async function compared(what: string, cold: string, warm: string): Promise<Proof> {
  const listed = await Promise.all([cold, warm].map(each => readdir(each, { recursive: true })))
  const files = [...new Set(listed.flat())]
  const hashesOf = (folder: string) =>
    Promise.all(files.map(async name => Bun.hash(await readOf(path.join(folder, name)))))
  const [ours, theirs] = [await hashesOf(cold), await hashesOf(warm)]
  return { what, expected: 0, found: ours.filter((hash, at) => hash !== theirs[at]).length }
}

const readOf = async (file: string) => {
  const bytes = Bun.file(file)
  return (await bytes.exists()) ? bytes.bytes() : ''
}

/** The house's own rooms, with these articles for its own, and a cache that nobody else writes. */
async function writeHouse(files: readonly MarkdownFile[]): Promise<string> {
  const house = await copySources()
  const packages = path.join(house, 'node_modules')
  const real = await readlink(packages)
  await rm(packages)
  await mkdir(packages)
  for (const name of await readdir(real)) {
    if (/^\.(astro|vite)/.test(name)) continue
    await symlink(path.join(real, name), path.join(packages, name))
  }
  for (const { slug, head, body } of files) {
    await Bun.write(articleOf(house, slug), `---\n${head}\n---\n\n${body}`)
  }
  return house
}

const articleOf = (house: string, slug: string) =>
  path.join(house, 'content', 'articles', `${slug}.md`)

/** A build from nothing: no output and no cache of the build before. */
async function buildWhole(house: string, out: string): Promise<Run> {
  await rm(out, { recursive: true, force: true })
  await rm(path.join(house, 'node_modules', '.astro'), { recursive: true, force: true })
  return run([process.execPath, 'site/build.ts', out], house)
}

/** Of the same words, as a deploy does it: into a folder that is new. */
async function buildAgain(house: string, out: string): Promise<Run> {
  await rm(out, { recursive: true, force: true })
  return run([process.execPath, 'site/build.ts', out], house)
}

/** With a sentence more in one article, on top of a build of what was before. */
async function buildChange(house: string, out: string, slug: string): Promise<Run> {
  await appendFile(articleOf(house, slug), '\nOne sentence more.\n')
  return run([process.execPath, 'site/build.ts', out], house)
}

/** A layout of one line, so that nothing but the markdown is rendered. */
async function writePeer(folder: string, files: readonly MarkdownFile[]): Promise<string> {
  const peer = path.join(folder, 'eleventy')
  for (const { slug, head, body } of files) {
    const text = `---\nlayout: page.njk\npermalink: ${slug}.html\n${head}\n---\n\n${body}`
    await Bun.write(path.join(peer, 'in', `${slug}.md`), text)
  }
  const layout = '<!doctype html><title>{{ title }}</title><h1>{{ title }}</h1>{{ content | safe }}'
  await Bun.write(path.join(peer, 'in', '_includes', 'page.njk'), layout)
  return peer
}

/** Under Node, for which Eleventy is made. */
async function buildPeer(peer: string): Promise<Run> {
  await rm(path.join(peer, 'out'), { recursive: true, force: true })
  const cli = path.join(root, 'node_modules', '@11ty', 'eleventy', 'cmd.cjs')
  return run(['node', cli, '--input=in', '--output=out', '--quiet'], peer)
}

async function run(command: string[], cwd: string): Promise<Run> {
  const from = performance.now()
  const child = Bun.spawn(command, { cwd, stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' })
  const [out, error, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  if (code !== 0) throw new Error(`${command.join(' ')} failed:\n${out}${error}`.slice(0, 4000))
  const seconds = (performance.now() - from) / 1000
  const used = child.resourceUsage()
  const busy = Number(used?.cpuTime.total ?? 0) / 1e6
  return { seconds, busy, megabytes: (used?.maxRSS ?? 0) / 1e6 }
}

/** Pages of the articles that were made; the house has articles of its own. */
async function counted(what: string, folder: string, expected: number): Promise<Proof> {
  const made = (await readdir(folder)).filter(name => /^article-\d+\.html$/.test(name))
  return { what, expected, found: made.length }
}
