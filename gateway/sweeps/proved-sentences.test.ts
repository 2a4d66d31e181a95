// Sentences of pages that have no number to compare: each is in its page, and the test that shows
// it is in the suite. A test that goes or is renamed asks for the sentence again.
import { expect, test } from 'bun:test'
import { read } from './testing/pages.ts'
import { provedAccess } from './testing/proved-access.ts'
import { provedArticles } from './testing/proved-articles.ts'
import { provedEvents } from './testing/proved-events.ts'
import { provedRecords } from './testing/proved-records.ts'

const straight = (text: string) => text.replace(/\s+/g, ' ').replaceAll('’', "'")
/** Whether a file has a test of that title; none is skipped, which tidy.test.ts sees to. */
const hasTest = (text: string, title: string) =>
  new RegExp(`\\(\\s*['"\`]${RegExp.escape(title)}`).test(text)

const pages = Object.entries({
  ...provedAccess,
  ...provedEvents,
  ...provedRecords,
  ...provedArticles,
}).map(([file, proofs]) => [file, proofs] as const)

test.each(pages)('%s says what tests show', async (file, proofs) => {
  const page = straight(await read(`content/${file}`))
  for (const [sentence, suite, title] of proofs) {
    expect([sentence, page.includes(straight(sentence))]).toEqual([sentence, true])
    expect([suite, title, hasTest(await read(suite), title)]).toEqual([suite, title, true])
  }
})

test('a test that is renamed or only quoted shows nothing', () => {
  expect(hasTest("test('keeps a hash', () => {})", 'keeps a hash')).toBe(true)
  expect(hasTest("test.each(['a'])(\n  'keeps a hash of %s', () => {})", 'keeps a hash')).toBe(true)
  expect(hasTest("test('keeps the key', () => {})", 'keeps a hash')).toBe(false)
  expect(hasTest("// 'keeps a hash'", 'keeps a hash')).toBe(false)
})
