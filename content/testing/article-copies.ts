import { join } from 'node:path'
import { checkContent } from '../checks/check.ts'
import { readContract } from '../checks/contract.ts'
import { type Finding, place } from '../finding.ts'
import { type Entry, parseMarkdown, parseYaml } from '../entry.ts'
import { readContent } from '../read.ts'

// Copies of article.md, an article without errors, each with one error, for tests of the rules. All
// copies are checked together with the real content, and no files are written.

export const today = '2026-11-22'
const real = await readContent(join(import.meta.dir, '..'))
const rule = (until: string) => ({
  title: `A rule until ${until}`,
  url: `https://rules.example.com/${until}`,
  accessed: '2026-06-01',
  until,
  end: 'On that day the term of the rule ends.',
})
const rules = { ended: rule('2026-11-21'), standing: rule('2026-11-22') }
/** The content, with people and rules that a test may name. */
export const content = {
  ...real,
  rules: parseYaml(real.rules.path, JSON.stringify({ ...Object(real.rules.data), ...rules })),
  people: parseYaml(
    'content/people.yaml',
    `ada-rivera: { name: Ada Rivera, role: clinician, bio: For a test. }
ben-okoro: { name: Ben Okoro, role: engineer, bio: For a test. }
noor-haddad: { name: Noor Haddad, role: counsel, bio: For a test. }
`,
  ),
}
export const contract = await readContract()
const source = await Bun.file(join(import.meta.dir, 'article.md')).text()

/** One readable picture and one unreadable picture. */
const sizes = new Map([
  ['/pictures/queue.png', '1280x800'],
  ['/pictures/torn.png', 'broken'],
])

/** The heading before which a test inserts its text. */
export const heading = '## What arrives'

/** Replaces `from` with `to`; `«` marks the character where the error must be found. */
export type Fault = readonly [rule: string, from: string, to: string, level?: 'warning']

/** An error-free copy of the article. */
export function copy(at: number): { slug: string; text: string } {
  const slug = `copy-${at}`
  const text = source
    .replace(/^title: .*$/m, `title: Article ${at} of many that differ`)
    .replace(/^slug: .*$/m, `slug: ${slug}`)
    .replace('Verify a delivery', `Number ${at}: verify a delivery`)
    .replace(', with\n  code that ran.', '.')
  return { slug, text }
}

function marked([, from, to]: Fault, at: number): { path: string; text: string } {
  const { slug, text } = copy(at)
  const sources = /^sources:\n(?: .*\n)+/m.exec(text)?.[0] ?? ''
  const before = from
    .replace('SELF', slug)
    .replace('TITLE', `Article ${at} of many that differ`)
    .replace('SOURCES', sources)
    .replace('DESCRIPTION', /^description:.*\n(?: .*\n)+/m.exec(text)?.[0] ?? '')
  if (!text.includes(before)) throw new Error(`the article must contain ${before}`)
  return { path: `content/articles/${slug}.md`, text: text.replace(before, () => to) }
}

/** The mark's line and column; empty without a mark. */
export function whereOf(fault: Fault, at: number): string {
  const { text } = marked(fault, at)
  const offset = text.indexOf('«')
  if (offset < 0) return ''
  const { line, column } = place(text, offset, 1)
  return `${line}:${column}`
}

/** The findings for some articles, checked together with all others. */
export function findingsOf(articles: Entry[]): Finding[][] {
  const calendar = { today, committed: new Map(), sizes }
  const all = { ...content, articles: [...content.articles, ...articles] }
  const found = checkContent(all, contract, calendar)
  return articles.map(({ path }) => found.filter(each => each.path === path))
}

/** The findings for each error's copy. */
export function foundIn(faults: readonly Fault[]): Finding[][] {
  const copies = faults.map((fault, at) => {
    const { path, text } = marked(fault, at)
    return parseMarkdown(path, text.replace('«', ''))
  })
  return findingsOf(copies)
}

/** The findings for a copy with this text in its body. */
export function foundInBody(text: string): Finding[] {
  const { slug, text: whole } = copy(0)
  const body = whole.replace(heading, () => `${text}\n\n${heading}`)
  return findingsOf([parseMarkdown(`content/articles/${slug}.md`, body)])[0] ?? []
}
