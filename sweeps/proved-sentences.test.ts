// Sentences of pages that have no number to compare: each is in its page, and the test that shows
// it is in the suite. A test that goes or is renamed asks for the sentence again.
import { expect, test } from 'bun:test'
import { read } from './testing/pages.ts'
import { subjects } from './testing/proved/all.ts'
import { straight } from './testing/sentences.ts'

/** Whether a file has a test of that title, in TypeScript or Python; none is skipped, which
 *  tidy/tidy.test.ts sees to. */
const hasTest = (text: string, title: string) =>
  new RegExp(`(?:\\(\\s*['"\`]|^ +def )${RegExp.escape(title)}`, 'm').test(text)

const pages = subjects.flatMap(subject => Object.entries(subject))

test('all sentences of a page stand in one place', () => {
  const names = pages.map(([file]) => file)
  expect(names).toEqual([...new Set(names)])
})

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
  expect(hasTest('class A:\n    def test_keeps_a_hash(self):', 'test_keeps_a_hash')).toBe(true)
  expect(hasTest('# def test_keeps_a_hash', 'test_keeps_a_hash')).toBe(false)
})
