import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { checkFormer, type FormerPage, pagesOfBuild, pagesOfHistory } from './former-pages.ts'
import { addresses } from './links.ts'
import { fixAll } from '../finding.ts'
import { parseMarkdown, parseYaml } from '../entry.ts'
import type { Content } from '../read.ts'
import { content, copy } from '../testing/article-copies.ts'

// Pages' former URLs, from the published branch's history and the live build.

let root = ''
const write = async (path: string, text: string) => {
  await mkdir(dirname(join(root, path)), { recursive: true })
  await Bun.write(join(root, path), text)
}
const git = (...words: string[]) => {
  const who = ['-c', 'user.name=Editor', '-c', 'user.email=editor@example.com']
  const done = Bun.spawnSync(['git', ...who, ...words], { cwd: root, stderr: 'pipe' })
  if (!done.success) throw new Error(done.stderr.toString())
}
const at = (name: string) => `content/articles/${name}.md`

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'former-'))
  git('init', '--quiet', '--initial-branch=main')
  await write(at('copy-0'), copy(0).text)
  const [, head = ''] = copy(1).text.split('---\n')
  await write(at('copy-1'), `---\n${head}---\n\nA text about something else.\n`)
  await write(at('draft'), copy(2).text.replace('class: [E]', 'draft: true\nclass: [E]'))
  git('add', '.')
  git('commit', '--quiet', '-m', 'Two articles and a draft')
})

afterAll(() => rm(root, { recursive: true }))

/** The findings when the repository has these articles. */
async function found(names: string[], former?: FormerPage[], change: Partial<Content> = {}) {
  const articles = await Promise.all(
    names.map(async name => parseMarkdown(at(name), await Bun.file(join(root, at(name))).text())),
  )
  const all = { ...content, articles, comparisons: [], docs: [], ...change }
  return checkFormer(former ?? (await pagesOfHistory(root)), all, addresses(all))
}

const said = async (...asked: Parameters<typeof found>) =>
  (await found(...asked)).map(({ path, line, rule, level, fix }) => [path, line, rule, level, fix])

test('a renamed page must redirect from its former URL', async () => {
  expect(await said(['copy-0', 'copy-1', 'draft'])).toEqual([])
  const text = await Bun.file(join(root, at('copy-0'))).text()
  await rename(join(root, at('copy-0')), join(root, at('better')))
  await write(at('better'), text.replace('slug: copy-0', 'slug: better'))
  await rm(join(root, at('draft')))
  const wanted = [at('better'), 3, 'F-renamed', undefined, 'add redirect_from: [/blog/copy-0]']
  expect(await said(['better', 'copy-1'])).toEqual([wanted])
  git('add', '.')
  git('commit', '--quiet', '-m', 'A better name, and no draft')
  expect(await said(['better', 'copy-1'])).toEqual([wanted])
  await fixAll(root, await found(['better', 'copy-1']))
  expect(await Bun.file(join(root, at('better'))).text()).toContain(
    'slug: better\nredirect_from: [/blog/copy-0]\n',
  )
  expect(await said(['better', 'copy-1'])).toEqual([])
})

test('a page with a new title counts as the same if half of its lines match', async () => {
  const line = (at: number) => `Line ${at}, with more than twenty characters.`
  const textOf = (slug: string, lines: number[]) =>
    `---\ntitle: The title of ${slug}\nslug: ${slug}\n---\n\n${lines.map(line).join('\n')}\n`
  const numbers = (first: number, last: number) =>
    Array.from({ length: last - first + 1 }, (_, at) => first + at)
  const text = async () => textOf('before', numbers(1, 20))
  const former = [{ address: '/blog/before', text, former: async () => [] }]
  for (const [lines, rule] of [
    [numbers(11, 30), 'F-renamed'],
    [numbers(12, 31), 'F-gone'],
  ] as const) {
    await write(at('after'), textOf('after', lines))
    expect((await said(['after'], former)).map(finding => finding[2])).toEqual([rule])
  }
})

test('a removed page is reported until gone.yaml lists it', async () => {
  const wanted = ['content/gone.yaml', 1, 'F-gone', 'warning', expect.any(String)]
  await rm(join(root, at('copy-1')))
  expect(await said(['better'])).toEqual([wanted])
  const gone = { ...content.gone, data: [{ path: '/blog/copy-1' }] }
  expect(await said(['better'], undefined, { gone })).toEqual([])
})

test('a removed page’s record includes its former URLs, and --fix adds them', async () => {
  // By the history alone, copy-0 would be the better match.
  git('add', '.')
  git('commit', '--quiet', '-m', 'With a redirect')
  await rm(join(root, at('better')))
  const record = '- path: /blog/better\n  title: This article was taken down\n'
  await write('content/gone.yaml', `${record}- path: /blog/copy-1\n`)
  const down = async () => ({
    gone: parseYaml('content/gone.yaml', await Bun.file(join(root, 'content/gone.yaml')).text()),
  })
  const wanted = ['content/gone.yaml', 1, 'F-gone', undefined, 'add redirect_from: [/blog/copy-0]']
  expect(await said([], undefined, await down())).toEqual([wanted])
  await fixAll(root, await found([], undefined, await down()))
  expect(await Bun.file(join(root, 'content/gone.yaml')).text()).toContain(
    '- path: /blog/better\n  redirect_from: [/blog/copy-0]\n',
  )
  expect(await said([], undefined, await down())).toEqual([])
  git('checkout', '--quiet', 'HEAD', at('better'))
})

test('a page that was renamed on another branch was never published', async () => {
  git('checkout', '--quiet', '-b', 'draft')
  await write(at('early'), copy(3).text)
  git('add', '.')
  git('commit', '--quiet', '-m', 'An article')
  git('mv', at('early'), at('later'))
  git('commit', '--quiet', '-m', 'Under another name')
  const rules = (await found(['better', 'later'])).map(({ message }) => message)
  expect(rules.filter(text => text.includes('early'))).toEqual([])
})

test('without a history, the live build yields the same findings', async () => {
  await write('live/blog/known.md', copy(4).text)
  const storedFields = {
    0: { url: '/blog/known', title: 'Known', description: '' },
    1: { url: '/docs/api/removed', title: 'Of the reference', description: '' },
    2: { url: '/pricing', title: 'No file of a collection', description: '' },
  }
  await write('live/_redirects', '/blog/older /blog/known 301\n/blog/older.md /blog/known.md 301\n')
  await write('live/catalog/search.json', JSON.stringify({ storedFields }))
  await write(at('known-better'), copy(4).text.replace('slug: copy-4', 'slug: known-better'))
  const live = await pagesOfBuild(join(root, 'live'))
  expect(await said(['known-better'], live)).toEqual([
    [at('known-better'), 3, 'F-renamed', undefined, 'add redirect_from: [/blog/known]'],
  ])
  expect((await said([], live)).map(([path, , rule]) => [path, rule])).toEqual([
    ['content/gone.yaml', 'F-gone'],
  ])
  const gone = parseYaml('content/gone.yaml', '- path: /blog/known\n')
  expect((await found([], live, { gone })).map(({ message }) => message)).toEqual([
    '/blog/older led to /blog/known and must still redirect there',
  ])
})
