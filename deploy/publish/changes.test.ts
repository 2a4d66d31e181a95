// A publication's report about its changes, for the pusher and for a reviewer.
import { afterAll, describe, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { assert, constantFrom, array, property } from 'fast-check'
import { changesBetween, describeChanges } from './changes.ts'
import { changedParagraphs, countWords, differ } from './difference.ts'
import { reportOf } from './report.ts'

const home = mkdtempSync(path.join(tmpdir(), 'changes-'))
afterAll(() => rmSync(home, { recursive: true }))

function build(name: string, files: Record<string, string>): string {
  for (const [file, text] of Object.entries(files)) {
    const place = path.join(home, name, file)
    mkdirSync(path.dirname(place), { recursive: true })
    writeFileSync(place, text)
  }
  return path.join(home, name)
}

const page = (text: string, title = 'Page') =>
  `<title>${title}</title><link href="/site.${text.length}.css"><main>${text}</main>`
const markdown = (text: string) =>
  `---\ntitle: "A"\nlast-updated: "${text.length}"\n---\n\n${text}\n`
const quality = (ndcg: number, places: Record<string, number | null>) =>
  JSON.stringify({
    served: { ndcg_at_5: ndcg, recall_at_5: 1 },
    judged: Object.entries(places).map(([question, place]) => ({ question, place })),
  })

const before = build('before', {
  'index.html': page('Home'),
  'blog/a.html': page('A case waits two days.'),
  'blog/a.md': markdown('# A\n\nA case waits two days.\n\nIt ends.'),
  'blog/old.html': page('Old'),
  'llms.txt': '# Site\n- [A](/blog/a)\n- [Old](/blog/old)\n',
  'catalog/quality.json': quality(0.9, { 'How long?': 2, 'Who decides?': 1, 'Gone?': 1 }),
})
const after = build('after', {
  'index.html': page('Home', 'Consults &amp; more').replace('site', 'style'),
  'blog/a.html': page('A case waits one day.'),
  'blog/a.md': markdown('# A\n\nA case waits one day at <most>.\n\nIt ends.'),
  'blog/new.html': page('New'),
  'llms.txt': '# Site\n- [A](/blog/a)\n- [New](/blog/new)\n',
  'catalog/quality.json': quality(0.95, { 'How long?': 1, 'Who decides?': null }),
})
const changes = await changesBetween(before, after)

test('changes: the report for the pusher lists changed pages with word counts, and changes to /ask', () => {
  expect(describeChanges(changes)).toEqual([
    'new      /blog/new',
    'changed  /blog/a  +4 −2 words',
    'changed  /  title “Page” → “Consults & more”',
    'removed  /blog/old',
    'llms.txt +1 −1 lines',
    '/ask nDCG@5 0.900 → 0.950, recall@5 1.000 → 1.000',
    '/ask now returns it first for: How long?',
    '/ask no longer returns it first for: Who decides?',
  ])
})

test('changes: identical builds are reported as such', async () => {
  expect(describeChanges(await changesBetween(after, after))).toEqual(['no page changed'])
})

test('report: has the findings for changed pages, their text, llms.txt and /ask', () => {
  const found = (name: string) => ({
    path: `content/articles/${name}.md`,
    line: 7,
    rule: 'P-sentence',
    message: 'a sentence of 40 words',
    fix: 'make two',
    level: 'warning',
  })
  const report = reportOf(['site built in 1 s', 'live: b'], [found('a'), found('other')], changes)
  expect(report).toStartWith('### Ready to publish\n\n``````text\nsite built in 1 s\n')
  expect(report).toContain(
    '- `content/articles/a.md:7` P-sentence: a sentence of 40 words → make two',
  )
  expect(report).not.toContain('other.md')
  expect(report).toContain('**/blog/a** changed')
  expect(report).toContain('**/** changed\n\n> title “Page” → “Consults & more”')
  expect(report).toContain('> A case waits ~~two days.~~**one day at \\<most\\>.**')
  expect(report).toContain('``````diff\n- - [Old](/blog/old)\n+ - [New](/blog/new)\n``````')
  expect(report).toContain('- /ask no longer returns it first for: Who decides?')
})

test('report: a failed publication’s report has its errors and no comparison', () => {
  const log = ['The content has errors:', 'content/a.md:1:1  F-date', 'FAILED; nothing is live']
  const report = reportOf(log, [])
  expect(report).toStartWith('### Can’t be published yet')
  expect(report).toContain('F-date')
  expect(report).not.toContain('#### Pages')
})

describe('difference', () => {
  const words = array(constantFrom('a', 'b', 'c', 'd'), { maxLength: 30 })

  test('without additions is the old text, and without removals the new text', () => {
    assert(
      property(words, words, (old, now) => {
        const parts = differ(old, now)
        const without = (dropped: string) => parts.filter(({ kind }) => kind !== dropped)
        expect(without('added').map(({ text }) => text)).toEqual(old)
        expect(without('removed').map(({ text }) => text)).toEqual(now)
      }),
    )
  })

  test('compares words within a paragraph', () => {
    const paragraphs = changedParagraphs('one two\n\nthree\n', 'one 2 two\n\nthree\n\nfour five\n')
    expect(countWords(paragraphs)).toEqual({ added: 3, removed: 0 })
    expect(paragraphs.map(parts => parts.map(({ kind }) => kind))).toEqual([
      ['same', 'added', 'same'],
      ['added'],
    ])
    expect(changedParagraphs('a\n', 'a\n\n\n')).toEqual([])
  })
})
