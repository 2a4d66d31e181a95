// A copy of the house with articles that nobody wrote, which is edited and built, and Eleventy's
// project of the same markdown.
import { appendFile, readdir, rename, rm, unlink } from 'node:fs/promises'
import path from 'node:path'
import { copySources } from '#site/testing/site-copy.ts'
import type { Proof } from '../harness/rounds.ts'
import { makeMarkdown, type MarkdownFile } from './articles.ts'

const root = path.join(import.meta.dir, '../..')

/**
 * One run of a build: how long it took, for how long it and its children had a processor, and the
 * most memory that one of them held.
 */
export type Run = { seconds: number; busy: number; megabytes: number }

/** The house's own rooms, with these articles beside its own. */
export async function writeProject(files: readonly MarkdownFile[]): Promise<string> {
  const environment = await copySources()
  for (const file of files) await writeArticle(environment, file)
  return environment
}

const articleOf = (environment: string, slug: string) =>
  path.join(environment, 'content', 'articles', `${slug}.md`)

const textOf = ({ head, body }: MarkdownFile) => `---\n${head}\n---\n\n${body}`

const writeArticle = (environment: string, file: MarkdownFile) =>
  Bun.write(articleOf(environment, file.slug), textOf(file))

/** A build from nothing: no output and no cache of the build before. */
export async function buildWhole(environment: string, out: string): Promise<Run> {
  await rm(path.join(environment, 'site', '.astro'), { recursive: true, force: true })
  return buildAgain(environment, out)
}

/** Of the same words, as a deploy does it: into a folder that is new. */
export async function buildAgain(environment: string, out: string): Promise<Run> {
  await rm(out, { recursive: true, force: true })
  return build(environment, out)
}

/** On top of what lies there. */
export const build = (environment: string, out: string): Promise<Run> =>
  run([process.execPath, 'site/build/build.ts', out], environment)

/** One sentence more in one article. */
export const changeOne = (environment: string, slug: string) =>
  appendFile(articleOf(environment, slug), '\nOne sentence more.\n')

/**
 * All that editors do to articles, each to another one with others between: the words of one, the
 * title of one, one taken away, one under another name, and one that is new.
 */
export async function changeMany(
  environment: string,
  files: readonly MarkdownFile[],
): Promise<void> {
  const [first, titled, , taken, , named] = files
  if (!first || !titled || !taken || !named) throw new Error('it takes six articles')
  await changeOne(environment, first.slug)
  const head = titled.head.replace(/^title: .*$/m, 'title: "Quite another title of it"')
  await writeArticle(environment, { ...titled, head })
  await unlink(articleOf(environment, taken.slug))
  await rename(
    articleOf(environment, named.slug),
    articleOf(environment, 'article-by-another-name'),
  )
  const moved = named.head.replace(/^slug: .*$/m, 'slug: "article-by-another-name"')
  const from = `redirect_from: [/blog/${named.slug}]`
  await writeArticle(environment, {
    ...named,
    slug: 'article-by-another-name',
    head: `${moved}\n${from}`,
  })
  const fresh = makeMarkdown(files.length + 1).at(-1)
  if (fresh) await writeArticle(environment, fresh)
}

/** A layout of one line, so that nothing but the markdown is rendered. */
export async function writePeer(folder: string, files: readonly MarkdownFile[]): Promise<string> {
  const peer = path.join(folder, 'eleventy')
  for (const { slug, head, body } of files) {
    const text = textOf({ slug, head: `layout: page.njk\npermalink: ${slug}.html\n${head}`, body })
    await Bun.write(path.join(peer, 'in', `${slug}.md`), text)
  }
  const layout = '<!doctype html><title>{{ title }}</title><h1>{{ title }}</h1>{{ content | safe }}'
  await Bun.write(path.join(peer, 'in', '_includes', 'page.njk'), layout)
  return peer
}

/** Under Node, for which Eleventy is made. */
export async function buildPeer(peer: string): Promise<Run> {
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
export async function counted(what: string, folder: string, expected: number): Promise<Proof> {
  const made = (await readdir(folder)).filter(name => /^article-[^.]+\.html$/.test(name))
  return { what, expected, found: made.length }
}

/**
 * What is kept for the next build must not be seen in it: both are the same, byte for byte. What a
 * build tells of the one before it is not of its words.
 */
export async function compared(what: string, cold: string, warm: string): Promise<Proof> {
  const listed = await Promise.all([cold, warm].map(each => readdir(each, { recursive: true })))
  const files = [...new Set(listed.flat())].filter(name => !name.startsWith('changes.json'))
  const differing = await Promise.all(
    files.map(async name => {
      const [ours, theirs] = await Promise.all([cold, warm].map(each => hashOf(each, name)))
      return ours !== theirs
    }),
  )
  return { what, expected: 0, found: differing.filter(Boolean).length }
}

async function hashOf(folder: string, name: string): Promise<string> {
  const file = Bun.file(path.join(folder, name))
  return (await file.exists()) ? String(Bun.hash(await file.bytes())) : ''
}
