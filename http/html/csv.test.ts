import { describe, expect, test } from 'bun:test'
import { csvOf, csvStream } from './csv.ts'

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

describe('a streamed file', () => {
  const head = ['name', 'note']
  const [first, second] = [[['Ada', '=1']], [['Grace', null]]]

  test('has the same bytes as a whole one', async () => {
    async function* parts() {
      yield first
      yield []
      yield second
    }
    const text = await new Response(csvStream(head, parts())).text()
    expect(text).toBe(csvOf(head, [...first, ...second]))
  })

  test('fails instead of ending early, and stops reading once it’s canceled', async () => {
    let isReturned = false
    async function* parts() {
      try {
        yield first
        throw new Error('the rest can’t be read')
      } finally {
        isReturned = true
      }
    }
    const text = new Response(csvStream(head, parts())).text()
    expect(await text.catch(String)).toContain('the rest can’t be read')
    isReturned = false
    const reader = csvStream(head, parts()).getReader()
    await reader.read()
    await reader.cancel()
    expect(isReturned).toBe(true)
  })
})
