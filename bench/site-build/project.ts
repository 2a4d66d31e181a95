// A copy of the site with generated articles, to be edited and built.
import { appendFile, readdir, rename, rm, unlink } from 'node:fs/promises'
import path from 'node:path'
import { copySources } from '#site/testing/site-copy.ts'
import type { Proof } from '../harness/rounds.ts'
import { makeMarkdown, type MarkdownFile } from './articles.ts'

/**
 * One build run: its duration, the CPU time of the build and its children, and the highest memory
 * use of any one of those processes.
 */
export type Run = { seconds: number; busy: number; megabytes: number }

/** A copy of the sources, plus these articles. */
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

/** Builds from scratch, without an earlier build's output or cache. */
export async function buildWhole(environment: string, out: string): Promise<Run> {
  await rm(path.join(environment, 'site', '.astro'), { recursive: true, force: true })
  return buildAgain(environment, out)
}

/** Builds the same content into a new folder, as in a deployment. */
export async function buildAgain(environment: string, out: string): Promise<Run> {
  await rm(out, { recursive: true, force: true })
  return build(environment, out)
}

/** Builds into a folder that may contain an earlier build. */
export const build = (environment: string, out: string): Promise<Run> =>
  run([process.execPath, 'site/build/build.ts', out], environment)

/** Adds a sentence to an article. */
export const changeOne = (environment: string, slug: string) =>
  appendFile(articleOf(environment, slug), '\nOne sentence more.\n')

/**
 * Makes every kind of edit, each to a different article: changes one article's text and another's
 * title, deletes one, renames one and adds one.
 */
export async function changeMany(
  environment: string,
  files: readonly MarkdownFile[],
): Promise<void> {
  const [first, retitled, , removed, , renamed] = files
  if (!first || !retitled || !removed || !renamed) throw new Error('changeMany needs six articles')
  await changeOne(environment, first.slug)
  const head = retitled.head.replace(/^title: .*$/m, 'title: "Quite another title of it"')
  await writeArticle(environment, { ...retitled, head })
  await unlink(articleOf(environment, removed.slug))
  await rename(
    articleOf(environment, renamed.slug),
    articleOf(environment, 'article-by-another-name'),
  )
  const moved = renamed.head.replace(/^slug: .*$/m, 'slug: "article-by-another-name"')
  const from = `redirect_from: [/blog/${renamed.slug}]`
  await writeArticle(environment, {
    ...renamed,
    slug: 'article-by-another-name',
    head: `${moved}\n${from}`,
  })
  const added = makeMarkdown(files.length + 1).at(-1)
  if (added) await writeArticle(environment, added)
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

/** Counts only the generated articles' pages, because the site also has its own articles. */
export async function countProof(what: string, folder: string, expected: number): Promise<Proof> {
  const made = (await readdir(folder)).filter(name => /^article-[^.]+\.html$/.test(name))
  return { what, expected, found: made.length }
}

/**
 * Checks that a cached build is byte-for-byte equal to a build from scratch, except for
 * changes.json, which compares a build with the previous build.
 */
export async function compareProof(what: string, cold: string, warm: string): Promise<Proof> {
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
