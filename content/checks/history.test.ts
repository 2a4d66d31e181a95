import { expect, test } from 'bun:test'
import { parseMarkdown } from '../entry.ts'
import { copy } from '../testing/article-copies.ts'
import { checkHistory, daysIn } from './history.ts'

const article = 'content/articles/copy-0.md'

test('a page must not be dated before its first commit, nor updated before its last', () => {
  const text = copy(0).text.replace('class: [E]', "reviewed_on: '2026-11-01'\nclass: [E]")
  const entry = parseMarkdown(article, text)
  const on = (first: string, last: string) =>
    checkHistory(entry, new Map([[article, { first, last }]])).map(
      ({ rule, fix, level }) => `${rule} ${level} ${fix.slice(0, 16)}`,
    )
  expect(on('2026-11-02', '2026-11-23')).toEqual([])
  expect(on('2026-11-25', '2026-11-25')).toEqual([
    'F-first warning write 2026-11-25',
    'F-first warning write 2026-11-25',
    'F-committed warning write 2026-11-25',
  ])
})

test('a file’s history is followed through its renames', () => {
  const log = ['2026-11-25\n\nM\tb', '2026-11-24\n\nR90\ta\tb', '2026-11-21\n\nA\ta\nA\tc']
  const days = daysIn(log.map(commit => `\0${commit}\n`).join(''))
  expect(days.get('b')).toEqual({ first: '2026-11-21', last: '2026-11-25' })
  expect(days.get('c')).toEqual({ first: '2026-11-21', last: '2026-11-21' })
})
