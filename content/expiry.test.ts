import { afterAll, describe, expect, test } from 'bun:test'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { dueOn, issueOf } from './due.ts'
import { asOf, dayAfter, lapsedOn, rulesOf } from './expiry.ts'
import { parseMarkdown, parseYaml, valueOf } from './entry.ts'
import type { Content } from './read.ts'
import { gone } from './records.ts'
import { content, copy } from './testing/article-copies.ts'

// Pages whose facts age: their owners get an issue, and then the page is removed.

const law = (name: string, checked: string, more = '') =>
  parseMarkdown(
    `content/articles/${name}.md`,
    copy(0).text.replace('class: [E]', `${more}checked_on: '${checked}'\nclass: [O, L]`),
  )
const alone = (articles: Content['articles'], comparisons: Content['comparisons'] = []) => ({
  ...content,
  articles,
  comparisons,
})

const none = new Map<string, never>()

describe('a page about law', () => {
  const all = alone([law('law', '2026-01-01', 'redirect_from: [/blog/before]\n')])

  test('expires a year after its check, at each of its addresses, with the reason', () => {
    expect(asOf(all, '2027-01-01').articles).toEqual(all.articles)
    const after = asOf(all, '2027-01-02')
    expect(after.articles).toEqual([])
    const down = gone.parse(after.gone.data)
    const title = 'Article 0 of many that differ'
    const on = { title, on: '2027-01-02', instead: null, lapsed: true as const }
    const why = expect.stringContaining('last checked on 2026-01-01. After 365 days')
    expect(down).toEqual([
      { ...on, path: '/blog/law', why },
      { ...on, path: '/blog/before', why },
    ])
    expect(asOf(all, '2027-06-01').gone.data).toEqual(after.gone.data)
  })

  test('gets one issue for its owners two weeks before it is due', () => {
    const issuesOn = (day: string) =>
      dueOn(all, day).map(({ due, down, isDown }) => [due, down, isDown])
    expect(dayAfter('2026-01-01', 180)).toBe('2026-06-30')
    expect(issuesOn('2026-06-15')).toEqual([])
    expect(issuesOn('2026-06-16')).toEqual([['2026-06-30', '2027-01-02', false]])
    expect(issuesOn('2027-01-02')).toEqual([['2026-06-30', '2027-01-02', true]])
    const [first, later] = ['2026-06-16', '2027-01-02'].map(day => dueOn(all, day).map(issueOf)[0])
    expect(first?.title).toBe('Check the facts of /blog/law, last checked on 2026-01-01')
    expect(first?.title).toBe(later?.title ?? '')
    expect(first?.body).toContain('counsel@example.com')
    expect(later?.body).toContain('answers 410 since 2027-01-02')
  })
})

test('a comparison with a named company expires after ninety days, any other never', () => {
  const [sample] = content.comparisons
  const source = sample?.source.replace(/^checked_on: .*$/m, "checked_on: '2026-01-01'") ?? ''
  const named = parseMarkdown(
    'content/comparisons/a.md',
    source.replace('checked_on', 'vendor: true\nchecked_on'),
  )
  const other = parseMarkdown('content/comparisons/b.md', source)
  expect([lapsedOn(named, '2026-04-01', none), lapsedOn(named, '2026-04-02', none)]).toEqual([
    undefined,
    '2026-04-02',
  ])
  expect(lapsedOn(other, '2029-01-01', none)).toBeUndefined()
  expect(asOf(alone([], [named, other]), '2026-04-02').comparisons).toEqual([other])
  expect(dueOn(alone([], [named, other]), '2026-02-16').map(({ path }) => path)).toEqual([
    named.path,
  ])
})

test('no published page has expired, and each shows the day of its check', () => {
  const dated = content.articles.filter(entry => valueOf(entry, 'checked_on') !== undefined)
  expect(dated.length).toBeGreaterThan(3)
  const rules = rulesOf(content.rules)
  for (const entry of [...content.articles, ...content.comparisons]) {
    expect(lapsedOn(entry, '2026-11-23', rules)).toBeUndefined()
  }
})

describe('a page that rests on rules with an end', () => {
  const rule = (until: string) =>
    `{ title: A rule until ${until}, url: 'https://rules.example.com/${until}', accessed: '2026-06-01', until: '${until}', end: Then the term of the rule ends. }`
  const rules = parseYaml(
    'content/rules.yaml',
    `term: ${rule('2026-12-31')}\nsession: ${rule('2026-10-01')}\n`,
  )
  const page = (keys: string) =>
    law('ruled', '2026-06-01', `rules: [${keys}]\nredirect_from: [/blog/before]\n`)
  const all = { ...alone([page('term, session')]), rules }

  test('expires with the first of them, at each of its addresses, and says which', () => {
    expect(asOf(all, '2026-10-01').articles).toEqual(all.articles)
    const after = asOf(all, '2026-10-02')
    expect(after.articles).toEqual([])
    const down = gone.parse(after.gone.data)
    expect(down.map(({ path, on }) => [path, on])).toEqual([
      ['/blog/ruled', '2026-10-02'],
      ['/blog/before', '2026-10-02'],
    ])
    for (const { why, lapsed } of down) {
      expect(lapsed).toBe(true)
      expect(why).toContain('“A rule until 2026-10-01” as it held until 2026-10-01')
      expect(why).toContain('Then the term of the rule ends.')
    }
  })

  test('expires with its check where that is sooner, and a comparison with its rule', () => {
    const early = law('early', '2025-09-01', 'rules: [session]\n')
    expect(lapsedOn(early, '2026-09-02', rulesOf(rules))).toBe('2026-09-02')
    const source = content.comparisons[0]?.source.replace(/^rules: .*\n/m, '') ?? ''
    const ruled = source.replace('checked_on', 'rules: [term]\nchecked_on')
    const comparison = parseMarkdown('content/comparisons/a.md', ruled)
    expect(lapsedOn(comparison, '2027-01-01', rulesOf(rules))).toBe('2027-01-01')
    expect(lapsedOn(comparison, '2026-12-31', rulesOf(rules))).toBeUndefined()
  })

  test('gets one issue two weeks before the first of them ends, which names the rule', () => {
    expect(dueOn(all, '2026-09-16')).toEqual([])
    const [due] = dueOn(all, '2026-09-17')
    expect([due?.due, due?.down, due?.isDown]).toEqual(['2026-10-01', '2026-10-02', false])
    expect(due && issueOf(due)).toMatchObject({
      title: 'Write /blog/ruled for what holds after 2026-10-01',
      body: expect.stringContaining('It rests on “A rule until 2026-10-01”'),
    })
    expect(dueOn(all, '2026-10-02').map(({ isDown }) => isDown)).toEqual([true])
  })
})

describe('bun deploy/issues.ts', () => {
  const folder = mkdtempSync(join(tmpdir(), 'issues-'))
  afterAll(() => rmSync(folder, { recursive: true }))

  test('opens missing issues only, and calls no program if nothing is due', async () => {
    const [program, log] = [join(folder, 'gh'), join(folder, 'log')]
    const list = `case "$2" in list) echo '[{"title":"Known"}]' ;; esac`
    writeFileSync(program, `#!/bin/sh\nprintf '%s\\n' "$*" | head -n 1 >> ${log}\n${list}\n`)
    chmodSync(program, 0o755)
    const open = async (...titles: string[]) => {
      writeFileSync(log, '')
      const issues = titles.map(title => ({ title, body: 'Read it again.' }))
      const script = join(import.meta.dir, '../deploy/issues.ts')
      const child = Bun.spawn([process.execPath, script, program], {
        stdin: Buffer.from(JSON.stringify(issues)),
        stdout: 'pipe',
      })
      expect(await child.exited).toBe(0)
      const done = readFileSync(log, 'utf8').split('\n').filter(Boolean)
      return done.map(line => line.split(' ').slice(0, 4).join(' '))
    }
    expect(await open()).toEqual([])
    expect(await open('Known')).toEqual(['issue list --state all'])
    expect(await open('Known', 'Fresh')).toEqual([
      'issue list --state all',
      'label create content --force',
      'issue create --title Fresh',
    ])
  })
})
