import { expect, test } from 'bun:test'
import { checkContent } from './check.ts'
import { parseMarkdown, parseYaml } from '../entry.ts'
import { content, contract, copy } from '../testing/article-copies.ts'

test('an expiring rule must be named on a page and have a check day', () => {
  const read = (day: string) =>
    `{ title: A rule, url: 'https://rules.example.com', accessed: '${day}', until: '2027-01-01', end: Then its term has ended. }`
  const named = parseMarkdown(
    'content/articles/copy-0.md',
    copy(0).text.replace('class: [E]', 'rules: [named]\nclass: [E]'),
  )
  const found = (text: string) =>
    checkContent(
      { ...content, articles: [named], rules: parseYaml('content/rules.yaml', text) },
      contract,
      { today: '2026-11-22', committed: new Map() },
    )
      .filter(({ path }) => path === 'content/rules.yaml')
      .map(({ rule, line }) => `${rule} ${line}`)
  expect(found(`named: ${read('2026-11-22')}\n`)).toEqual([])
  expect(found(`named: ${read('2026-11-23')}\n`)).toEqual(['F-future 1'])
  expect(found(`named: ${read('2026-11-22')}\nother: ${read('2026-11-22')}\n`)).toEqual([
    'F-unused 2',
  ])
})
