// What a build keeps from the previous build: a built copy is built again, into folders next to it.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import config from '#content/site.config.ts'
import { article as added, day, prepare, slug } from '../derived.suite.ts'
import { buildCopy, copySources, removeCopy } from '../testing/site-copy.ts'

const [article, other] = ['live-video-when', 'sandbox-before-live']
/** An article that no other page links to. */
const removed = slug
let root = ''

beforeAll(async () => {
  root = await copySources()
  await prepare(root)
  const { code, output } = await buildCopy(root)
  if (code !== 0) throw new Error(output)
}, 400_000)

afterAll(() => removeCopy(root))

async function build(into: string, before = into): Promise<{ code: number; output: string }> {
  const script = join(root, 'site', 'build', 'build.ts')
  const folders = [into, before].map(each => join(root, each))
  const command = [process.execPath, '--bun', script, ...folders, '--checked', `--today=${day}`]
  const child = Bun.spawn(command, { cwd: root, stdout: 'pipe', stderr: 'pipe' })
  const output = await Promise.all(
    [child.stdout, child.stderr].map(each => new Response(each).text()),
  )
  return { code: await child.exited, output: output.join('') }
}

async function edit(
  path: string,
  change: (text: string) => string,
): Promise<() => Promise<number>> {
  const file = join(root, path)
  const text = await Bun.file(file).text()
  await Bun.write(file, change(text))
  return () => Bun.write(file, text)
}

/** Each file with its hash. `changes.json` compares a build with the previous build. */
async function hashes(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(join(root, folder), { recursive: true, withFileTypes: true })
  const files = entries.filter(entry => entry.isFile() && !entry.name.startsWith('changes.json'))
  const found: Record<string, string> = {}
  for (const { parentPath, name } of files) {
    const path = join(parentPath, name)
    found[path.slice(join(root, folder).length)] = `${Bun.hash(await Bun.file(path).bytes())}`
  }
  return found
}

const read = (path: string) => Bun.file(join(root, 'site', 'dist', path)).text()
const more = '\nOne sentence more.\n'

const inode = async (path: string) => (await stat(join(root, path))).ino
const sentence = (text: string) => `${text}\nA sentence that is in one build only.\n`

test('build: changes.json has exactly the pages that changed since the previous build', async () => {
  type Changes = { changes: { page: string; old_hash: string | null; new_hash: string }[] }
  const before: Changes = JSON.parse(await read('changes.json'))
  expect(before.changes.every(({ old_hash }) => old_hash === null)).toBe(true)
  const file = join(root, `content/articles/${slug}.md`)
  await Bun.write(file, `${added}${more}`)
  expect((await buildCopy(root, `--today=${day}`)).code).toBe(0)
  expect(await read('blog/an-old-law.html')).not.toContain('Last checked')
  const after: Changes = JSON.parse(await read('changes.json'))
  // The search quality page measures all other pages, so any change may alter its numbers.
  const moved = after.changes.filter(
    ({ page, old_hash }) => old_hash !== null && !page.endsWith('/ask/quality'),
  )
  expect(moved.map(({ page }) => page).sort()).toEqual(
    [slug, 'an-old-law'].map(name => `${config.site}/blog/${name}`),
  )
  const was = before.changes.find(({ page }) => page === moved[0]?.page)
  expect(moved[0]?.old_hash).toBe(was?.new_hash ?? '')
}, 400_000)

test('build: an error in the content is reported and keeps the existing site', async () => {
  const file = join(root, `content/articles/${slug}.md`)
  await Bun.write(file, added.replace("'2026-11-21'", "'2026-02-30'"))
  const { code, output } = await buildCopy(root)
  expect(code).toBe(1)
  expect(output).toContain(`content/articles/${slug}.md:7:10  F-date  updated: the day must exist`)
  expect(await read(`blog/${slug}.md`)).toContain('One sentence more')
  await Bun.write(file, `${added}${more}`)
}, 400_000)

test("build: a failed build's pages are not mistaken for the previous build's", async () => {
  const before = await hashes('site/dist')
  expect(Object.keys(before).length).toBeGreaterThan(200)
  const undo = [
    await edit(`content/articles/${article}.md`, sentence),
    await edit('site/src/pages/sitemap.xml.ts', text =>
      text.replace(
        'GET = () =>',
        'GET = () => { throw new Error("in a test") }; export const none = () =>',
      ),
    ),
  ]
  expect(await build('failed')).toMatchObject({
    code: 1,
    output: expect.stringContaining('in a test'),
  })
  for (const each of undo) await each()
  expect(await build('second')).toMatchObject({ code: 0 })
  expect(await hashes('second')).toEqual(before)
}, 400_000)

// bench/site-build compares builds after changes with builds from scratch, byte for byte.
test('build: a changed page leaves earlier builds unchanged', async () => {
  const before = await hashes('second')
  await edit(`content/articles/${article}.md`, sentence)
  await rm(join(root, `content/articles/${removed}.md`))
  expect(await build('third', 'second')).toMatchObject({ code: 0 })
  expect(await hashes('second')).toEqual(before)
  for (const ending of ['.html', '.html.br', '.md', '.md.gz']) {
    const [changed, kept] = [article, other].map(name => `blog/${name}${ending}`)
    expect(await inode(`third/${kept}`)).toBe(await inode(`second/${kept}`))
    expect(await inode(`third/${changed}`)).not.toBe(await inode(`second/${changed}`))
  }
  const left = Object.keys(await hashes('third')).filter(path =>
    path.startsWith(`/blog/${removed}.`),
  )
  expect(left).toEqual([])
}, 400_000)
