import { expect, test } from 'bun:test'
import { csvOf } from './csv.ts'

test('csv: cells with commas, quotes or line breaks are quoted, and no cell becomes a formula', () => {
  const text = csvOf(
    ['name', 'note'],
    [
      ['Ada, RN', 'said "yes"'],
      ['=HYPERLINK("https://example.com")', '+1'],
      ['-1', '@sum'],
      ['\t=1', 'two\nlines'],
      [null, '＝1'],
    ],
  )
  expect(text).toBe(
    [
      'name,note',
      '"Ada, RN","said ""yes"""',
      '"\'=HYPERLINK(""https://example.com"")",\'+1',
      "'-1,'@sum",
      '\'\t=1,"two\nlines"',
      ",'＝1",
      '',
    ].join('\r\n'),
  )
})
