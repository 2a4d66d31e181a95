import { afterAll, describe, expect, test } from 'bun:test'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkContent } from './checks/check.ts'
import { dueOn, dueSecurityTxt, issueOf } from './due.ts'
import config from './site.config.ts'
import { ageNotice, dayAfter, factsOf, rulesOf, statedDay } from './fact-age.ts'
import { type Entry, parseMarkdown, parseYaml } from './entry.ts'
import type { Content } from './read.ts'
import { content, contract, copy } from './testing/article-copies.ts'

// As a page's facts age, its owners get an issue, and later the page says how old the facts are.

const law = (name: string, checked: string, more = '') =>
  parseMarkdown(
    `content/articles/${name}.md`,
    copy(0).text.replace('class: [E]', `${more}checked_on: '${checked}'\nclass: [O, L]`),
  )
const alone = (articles: Entry[], comparisons: Entry[] = []): Content => ({
  ...content,
  articles,
  comparisons,
  docs: [],
})
const noticeOn = (entry: Entry, day: string, { rules }: Pick<Content, 'rules'> = content) =>
  ageNotice(factsOf(entry, rulesOf(rules)), day)

describe('a page about law', () => {
  const page = law('law', '2026-01-01')
  const text = 'Last checked Jan 1, 2026. Rules may have changed since.'

  test('shows its last check after 180 days and is noindex after a year', () => {
    expect(noticeOn(page, '2026-06-30')).toBeNull()
    expect(noticeOn(page, '2026-07-01')).toEqual({ text, isPastLimit: false })
    expect(noticeOn(page, '2027-01-01')).toEqual({ text, isPastLimit: false })
    expect(noticeOn(page, '2027-01-02')).toEqual({ text, isPastLimit: true })
  })

  test('gets one issue for its owners two weeks before it is due', () => {
    const all = alone([page])
    const duesOn = (day: string) =>
      dueOn(all, day).map(({ due, notice }) => [due, notice?.isPastLimit])
    expect(dayAfter('2026-01-01', 180)).toBe('2026-06-30')
    expect(duesOn('2026-06-15')).toEqual([])
    expect(duesOn('2026-06-16')).toEqual([['2026-06-30', undefined]])
    expect(duesOn('2027-01-02')).toEqual([['2026-06-30', true]])
    const [first, later] = ['2026-06-16', '2027-01-02'].map(day => dueOn(all, day).map(issueOf)[0])
    expect(first?.title).toBe('Check the facts of /blog/law, last checked on 2026-01-01')
    expect(first?.title).toBe(later?.title ?? '')
    expect(first?.body).toContain('counsel@example.com')
    expect(later?.body).toContain(text)
  })
})

test('a comparison states its age after 60 days, but only if it names a company', () => {
  const [sample] = content.comparisons
  const source = sample?.source.replace(/^checked_on: .*$/m, "checked_on: '2026-01-01'") ?? ''
  const named = parseMarkdown(
    'content/comparisons/a.md',
    source.replace('checked_on', 'vendor: true\nchecked_on'),
  )
  const other = parseMarkdown('content/comparisons/b.md', source.replace(/^rules: .*\n/m, ''))
  const text = 'Last checked Jan 1, 2026. Facts may have changed since.'
  expect(noticeOn(named, '2026-03-02')).toBeNull()
  expect(noticeOn(named, '2026-03-03')).toEqual({ text, isPastLimit: false })
  expect(noticeOn(named, '2026-04-02')).toEqual({ text, isPastLimit: true })
  expect(noticeOn(other, '2029-01-01')).toBeNull()
  expect(dueOn(alone([], [named, other]), '2026-02-16').map(({ path }) => path)).toEqual([
    named.path,
  ])
  expect(dueOn(alone([], [named, other]), '2029-01-01')).toHaveLength(2)
})

test('a page with sources but no check is due 180 days after its oldest source was read', () => {
  const days = ['2026-03-01', '2026-01-01']
  const sources = days.map(
    day => `  - { title: Law, url: https://a.example.com, accessed: '${day}' }`,
  )
  const text = copy(0).text.replace(/^sources:\n(?: .*\n)+/m, `sources:\n${sources.join('\n')}\n`)
  const page = parseMarkdown('content/docs/a.md', text)
  const dues = (day: string) => dueOn({ ...alone([]), docs: [page] }, day).map(({ due }) => due)
  expect(dues('2026-06-15')).toEqual([])
  expect(dues('2026-06-16')).toEqual(['2026-06-30'])
  expect(noticeOn(page, '2029-01-01')).toBeNull()
})

describe('a page based on expiring rules', () => {
  const rule = (until: string) =>
    `{ title: A rule until ${until}, url: 'https://rules.example.com/${until}', accessed: '2026-06-01', until: '${until}', end: Then the term of the rule ends. }`
  const rules = parseYaml(
    'content/rules.yaml',
    `term: ${rule('2026-12-31')}\nsession: ${rule('2026-10-01')}\n`,
  )
  const page = law('ruled', '2026-06-01', 'rules: [term, session]\n')
  const all = { ...alone([page]), rules }

  test('says so and is noindex from the day after its first rule expires', () => {
    expect(noticeOn(page, '2026-10-01', all)).toBeNull()
    expect(noticeOn(page, '2026-10-02', all)).toEqual({
      text: 'Last checked Jun 1, 2026. Rules may have changed since. “A rule until 2026-10-01” held until Oct 1, 2026.',
      isPastLimit: true,
    })
  })

  test('gets one issue two weeks before its first rule expires, naming the rule', () => {
    expect(dueOn(all, '2026-09-16')).toEqual([])
    const [due] = dueOn(all, '2026-09-17')
    expect([due?.due, due?.notice]).toEqual(['2026-10-01', null])
    expect(due && issueOf(due)).toMatchObject({
      title: 'Update /blog/ruled for what applies after 2026-10-01',
      body: expect.stringContaining('It relies on “A rule until 2026-10-01”'),
    })
    expect(dueOn(all, '2026-10-02')[0]?.notice?.isPastLimit).toBe(true)
  })
})

test('security.txt gets one issue two weeks before it expires', () => {
  const expires = config.securityTxtExpires
  expect(dueSecurityTxt(dayAfter(expires, -15))).toEqual([])
  const [due] = dueSecurityTxt(dayAfter(expires, -14))
  expect(due && issueOf(due)).toEqual({
    title: `Renew /.well-known/security.txt, which expires on ${expires}`,
    body: expect.stringContaining('security@example.com'),
  })
})

test('content without errors has no errors on later days either', () => {
  const day = statedDay(content)
  expect(day).toMatch(/^20\d\d-\d\d-\d\d$/)
  const errorsOn = (today: string) =>
    checkContent(content, contract, { today, committed: new Map() }).filter(
      ({ level }) => level !== 'warning',
    )
  const own = errorsOn(day)
  for (const days of [400, 8000]) expect(errorsOn(dayAfter(day, days))).toEqual(own)
})

describe('issues for due pages', () => {
  const folder = mkdtempSync(join(tmpdir(), 'issues-'))
  afterAll(() => rmSync(folder, { recursive: true }))

  test('are opened if missing; no program runs if nothing is due', async () => {
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
