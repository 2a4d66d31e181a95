import { expect, test } from 'bun:test'
import { content, contract, today } from '../testing/article-copies.ts'
import { parseMarkdown } from '../entry.ts'
import { checkContent } from './check.ts'

/** The rules that a guide breaks with this sidebar name. Uses the test's dates, because guides
 *  are updated later. */
function brokenBy(line: string): string[] {
  const [guide, ...others] = content.docs
  if (guide === undefined) throw new Error('there is no guide')
  const source = guide.source
    .replace(/^nav: .*\n/m, line)
    .replace(/^(updated|published): .*\n/gm, `$1: '${today}'\n`)
  const changed = parseMarkdown(guide.path, source)
  const docs = [...others, changed]
  const found = checkContent({ ...content, docs }, contract, { today, committed: new Map() })
  const own = found.filter(({ path, level }) => path === guide.path && level !== 'warning')
  return own.map(({ rule }) => rule)
}

test('guide: the name in the sidebar is short and unique', () => {
  expect(brokenBy('nav: Signing in\n')).toEqual([])
  expect(brokenBy('nav: Webhooks\n')).toEqual(['F-duplicate'])
  expect(brokenBy('nav: A name of more than 24 letters\n')).toEqual(['F-length'])
  expect(brokenBy('')).toEqual(['F-missing-key'])
})
