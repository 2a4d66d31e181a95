import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkBrand } from './brand.ts'
import { fixAll, sarif } from '../finding.ts'
import { checkMedia, pictureSizes } from './pictures.ts'
import { checkOwners, ownersFile, ownersPath } from './owners.ts'
import { checkChangelog, parseChangelog } from '../changelog.ts'
import { checkContent } from './check.ts'
import { create, slugOf } from '../new.ts'
import { parseMarkdown } from '../entry.ts'
import { changelog } from '../records.ts'
import { content, contract, copy, findingsOf, today } from '../testing/article-copies.ts'
import config from '../site.config.ts'

/** Editor commands: new files, and the content check with its fixes. */
let root = ''

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'editor-'))
  await cp(join(import.meta.dir, '../changelog.md'), join(root, 'content/changelog.md'))
})

afterAll(() => rm(root, { recursive: true }))

/** The findings for a file, checked together with its whole folder. */
function foundIn(path: string, text: string) {
  const [, folder = ''] = path.split('/')
  if (folder !== 'articles' && folder !== 'comparisons' && folder !== 'docs') throw new Error(path)
  const all = { ...content, [folder]: [...content[folder], parseMarkdown(path, text)] }
  const calendar = { today, committed: new Map() }
  return checkContent(all, contract, calendar).filter(found => found.path === path)
}

describe('npm run new', () => {
  for (const kind of ['article', 'comparison', 'doc']) {
    test(`${kind}: writes an unpublished draft with one warning that counts its placeholders`, async () => {
      const made = await create(root, kind, `A new ${kind} that is not written yet`, { today })
      if ('refused' in made) throw new Error(made.refused)
      const text = await Bun.file(join(root, made.path)).text()
      const [unwritten, ...others] = foundIn(made.path, text)
      expect([unwritten?.rule, unwritten?.level, others]).toEqual(['P-unwritten', 'warning', []])
      const count = text.match(/WRITE: /g)?.length ?? 0
      expect(unwritten?.message).toStartWith(`${count} WRITE: placeholders must be replaced`)
      const shown = foundIn(made.path, text.replace('draft: true', 'draft: false'))
      expect([...new Set(shown.map(({ rule }) => rule))]).toEqual(['P-unwritten'])
    })
  }

  test('article: has its class’s fields and outline', async () => {
    const classes = ['O', 'C', 'L', 'CL', 'C,O']
    const texts = await Promise.all(
      classes.map(async each => {
        const title = `This one is not written, of class ${each.replace(',', '')}`
        const made = await create(root, 'article', title, { today, classes: each })
        if ('refused' in made) throw new Error(made.refused)
        return { path: made.path, text: await Bun.file(join(root, made.path)).text() }
      }),
    )
    const drafts = findingsOf(texts.map(({ path, text }) => parseMarkdown(path, text)))
    expect(drafts.flat().map(({ rule, level }) => `${rule} ${level}`)).toEqual(
      classes.map(() => 'P-unwritten warning'),
    )
    const shown = findingsOf(
      texts.map(({ path, text }) =>
        parseMarkdown(path, text.replace('draft: true', 'draft: false')),
      ),
    )
    const owed = shown.map(found => [...new Set(found.map(({ rule }) => rule))].sort())
    expect(owed).toEqual([
      ['P-unwritten'],
      ['F-sources', 'P-unwritten'],
      ['F-checked', 'P-unwritten'],
      ['F-checked', 'P-unwritten'],
      ['F-sources', 'P-unwritten'],
    ])
  })

  test('changelog: adds a line under its day, which is published when it has a label', async () => {
    const file = Bun.file(join(root, 'content/changelog.md'))
    const read = async () => parseChangelog('content/changelog.md', await file.text())
    const found = async () => checkChangelog(await read()).map(({ rule }) => rule)
    const titles = async () => changelog.parse((await read()).data).map(each => each.title)
    for (const day of [today, '2026-11-23']) {
      const text = `A change of ${day} with a name of its own.`
      expect(await create(root, 'changelog', text, { today: day })).toEqual({
        path: 'content/changelog.md',
      })
      expect(await titles()).not.toContain(text)
      const asking = `WRITE: one of site, api, sdk, cli, mcp: ${text}`
      await Bun.write(file, (await file.text()).replace(asking, `mcp, until 2027-11-22: ${text}`))
      expect(await found()).toEqual([])
      expect(await titles()).toContain(text)
      await Bun.write(file, (await file.text()).replace('mcp, until 2027-11-22:', 'poem:'))
      expect(await found()).toEqual(['F-surface'])
      expect(await titles()).not.toContain(text)
      await Bun.write(file, (await file.text()).replace('poem:', 'cli:'))
      expect(await titles()).toContain(text)
    }
    const days = [...(await file.text()).matchAll(/^## (.+)$/gm)].map(hit => hit[1])
    expect(days.slice(0, 2)).toEqual(['2026-11-23', '2026-11-22'])
  })

  test('changelog: a line must be under a day and a kind of change', () => {
    const findingsIn = (text: string) =>
      checkChangelog(parseChangelog('content/changelog.md', text))
    const rules = (text: string) => findingsIn(text).map(({ line, rule }) => `${rule} ${line}`)
    expect(rules('# Changes\n\n## Soon\n\n### Added\n\n- site: A page.\n')).toEqual(['F-date 7'])
    expect(rules('# Changes\n\n## 2026-11-21\n\n### Poems\n\n- site: A page.\n')).toEqual([
      'F-kind 7',
    ])
  })

  test('a refused command returns the reason', async () => {
    const title = 'A title long enough'
    expect(await create(root, 'poem', title, { today })).toHaveProperty('refused')
    expect(await create(root, 'article', 'Short', { today })).toHaveProperty('refused')
    expect(await create(root, 'article', title, { today, classes: 'EX' })).toHaveProperty('refused')
    expect(await create(root, 'doc', title, { today })).toHaveProperty('path')
    expect(await create(root, 'doc', title, { today })).toHaveProperty('refused')
    expect(slugOf('What’s “next”, in 2 steps?')).toBe('whats-next-in-2-steps')
  })
})

const article = 'content/articles/copy-0.md'

describe('npm run check -- content', () => {
  test('the company name must be a placeholder', async () => {
    const path = 'content/articles/named.md'
    await Bun.write(join(root, path), `Welcome to ${config.name}.\n`)
    await Bun.write(join(root, 'content/code.ts'), `const name = '${config.name}'\n`)
    const found = await checkBrand(root, 'content')
    expect(found.map(each => [each.path, each.column, each.rule])).toEqual([
      [path, 12, 'B-brand'],
      ['content/code.ts', 15, 'B-brand'],
    ])
    expect(await fixAll(root, found)).toBe(1)
    expect(await Bun.file(join(root, path)).text()).toBe('Welcome to {brand}.\n')
  })

  test('a former company name is reported everywhere', async () => {
    const path = 'content/articles/named.md'
    await Bun.write(join(root, path), 'Before, we were Sample Care. Now we are not.\n')
    const found = await checkBrand(root, 'content', ['Sample Care'])
    const own = found.filter(each => each.path === path)
    expect(own.map(each => [each.column, each.rule])).toEqual([[17, 'B-old']])
    expect(await checkBrand(root, 'content')).not.toContainEqual(own[0])
  })

  test('an oversized picture is reported', async () => {
    await Bun.write(join(root, 'content/large.png'), new Uint8Array(400_000))
    const found = await checkMedia(root)
    expect(found.map(({ path, rule }) => [path, rule])).toEqual([['content/large.png', 'M-size']])
  })

  test('a picture’s size is read from its file', async () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="64" height="48"/>'
    await Bun.write(join(root, 'site/public/pictures/loop.svg'), svg)
    await Bun.write(join(root, 'site/public/pictures/torn.png'), new Uint8Array(400_000))
    expect(Object.fromEntries(await pictureSizes(root))).toEqual({
      '/pictures/loop.svg': '64x48',
      '/pictures/torn.png': 'broken',
    })
    const large = (await checkMedia(root)).map(({ path }) => path)
    expect(large).toContain('site/public/pictures/torn.png')
    expect([...(await pictureSizes(join(root, 'content')))]).toEqual([])
  })

  test('CODEOWNERS is generated from the articles’ classes', async () => {
    const own = ownersFile(content)
    const lines = own.split('\n').filter(line => line !== '' && !line.startsWith('#'))
    const ownersOf = (path: string) =>
      lines
        .findLast(line => `/${path} `.startsWith(line.split(' ')[0] ?? ''))
        ?.split(' ')
        .slice(1)
    const { editors, clinicians, counsel, security, finance } = config.owners
    expect(ownersOf('content/articles/webhooks-you-can-trust.md')).toEqual([editors])
    expect(ownersOf('content/articles/intake-questions-that-work.md')).toEqual([clinicians])
    expect(ownersOf('content/articles/live-video-when.md')).toEqual([clinicians, counsel])
    expect(ownersOf('content/legal/terms-2026-11-21.md')).toEqual([counsel, security])
    expect(ownersOf('content/pricing.json')).toEqual([finance])
    await Bun.write(join(root, ownersPath), own.replace(/^.*live-video-when.*\n/m, ''))
    const [found, ...others] = await checkOwners(root, content)
    const line = own.split('\n').findIndex(text => text.includes('live-video-when')) + 1
    expect([found?.path, found?.line, found?.rule, others]).toEqual([
      ownersPath,
      line,
      'F-owners',
      [],
    ])
    await Bun.write(join(root, ownersPath), own)
    expect(await checkOwners(root, content)).toEqual([])
  })

  test('SARIF has each position, each rule and each edit', () => {
    const key = {
      path: article,
      line: 3,
      column: 5,
      rule: 'S-key',
      message: 'a key',
      fix: 'cut it',
    }
    const edit = { line: 3, column: 7, length: 4, text: '…' }
    const { version, runs } = JSON.parse(
      sarif([
        { ...key, edit },
        { ...key, rule: 'P-word', level: 'warning' },
      ]),
    )
    expect(version).toBe('2.1.0')
    const { rules } = runs[0].tool.driver
    expect(rules.map(({ id }: { id: string }) => id)).toEqual(['P-word', 'S-key'])
    expect(runs[0].results[0]).toMatchObject({
      ruleId: 'S-key',
      ruleIndex: 1,
      level: 'error',
      locations: [{ physicalLocation: { region: { startLine: 3, startColumn: 5 } } }],
      fixes: [
        {
          artifactChanges: [
            {
              artifactLocation: { uri: article },
              replacements: [
                {
                  deletedRegion: { startLine: 3, startColumn: 7, endLine: 3, endColumn: 11 },
                  insertedContent: { text: '…' },
                },
              ],
            },
          ],
        },
      ],
    })
    expect(runs[0].results[1]).not.toHaveProperty('fixes')
  })

  test('--fix applies all edits, even several on one line, and leaves the rest', async () => {
    const faults = [
      '# A second title',
      '#### Ends with a stop.',
      '```\ncode\n```',
      'A seamless [a](http://example.com/), [b](http://example.com/), [c](/blog.md)',
    ]
    const text = copy(0)
      .text.replace('slug: copy-0', 'slug: x-you')
      .replace("published: '2026-11-21'", 'published: 5 Nov 2026 # the first day')
      .replace('tags:', 'autor: ada-rivera\ntags:')
      .concat(`\n${faults.join('\n\n')}\n`)
    await Bun.write(join(root, article), text)
    const [found = []] = findingsOf([parseMarkdown(article, text)])
    expect(await fixAll(root, found)).toBe(found.length - 1)
    const fixed = await Bun.file(join(root, article)).text()
    expect(fixed).toContain('slug: copy-0\n')
    expect(fixed).toContain("published: '2026-11-05' # the first day\n")
    expect(fixed).toContain('author: ada-rivera\n')
    expect(fixed).toEndWith(
      [
        '## A second title',
        '### Ends with a stop.',
        '```text\ncode\n```',
        'A seamless [a](https://example.com/), [b](https://example.com/), [c](/blog)\n',
      ].join('\n\n'),
    )
    const [left = []] = findingsOf([parseMarkdown(article, fixed)])
    expect(left.map(({ rule }) => rule).sort()).toEqual(['P-heading-stop', 'P-word'])
  })
})
