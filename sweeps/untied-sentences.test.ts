// Each sentence of a page that names the product is part of a claim, names its test, is quoted by
// a test of this folder, or is listed as one that no code of ours decides.
import { expect, test } from 'bun:test'
import path from 'node:path'
import { articleClaims } from './testing/article-claims.ts'
import { guideClaims } from './testing/guide-claims.ts'
import { read, root } from './testing/pages.ts'
import { subjects } from './testing/proved/all.ts'
import { sentencesOf, statesProduct, straight } from './testing/sentences.ts'
import { untiedSentences } from './testing/untied-sentences/all.ts'

const proofs = Object.fromEntries(subjects.flatMap(subject => Object.entries(subject)))
const files = [
  ...new Bun.Glob('{docs,pages,articles,comparisons,skills}/*.md').scanSync(`${root}/content`),
  'home.yaml',
  'home.yaml',
  'overview.json',
  'pricing.json',
]

/** What the other tests of this folder quote: sentences, and heads of tables that they compare. */
async function quoted(): Promise<string[]> {
  const names = [...new Bun.Glob('*-claims.test.ts').scanSync(import.meta.dir)]
  const texts = names.map(name => Bun.file(path.join(import.meta.dir, name)).text())
  return [
    ...(await Promise.all(texts)).join('\n').matchAll(/(['"`])((?:(?!\1)[^\\\n]|\\.){20,})\1/g),
  ].map(([, , text = '']) => straight(text.replace(/\\(.)/g, '$1')))
}

/** The sentences of a page that no part stands in or overlaps with. */
function without(sentences: readonly string[], page: string, parts: readonly string[]): string[] {
  const spans = parts
    .filter(part => page.includes(part))
    .flatMap(part =>
      [...page.matchAll(new RegExp(RegExp.escape(part), 'g'))].map(
        ({ index }) => [index, index + part.length] as const,
      ),
    )
  let at = 0
  return sentences.filter(sentence => {
    at = Math.max(page.indexOf(sentence, at), page.indexOf(sentence))
    return !spans.some(([start, end]) => start < at + sentence.length && end > at)
  })
}

const partsOf = (file: string) =>
  [
    ...(proofs[file] ?? []).map(([sentence]) => sentence),
    ...(articleClaims[file] ?? []),
    ...(guideClaims[file] ?? []),
    ...(untiedSentences[file] ?? []),
  ]
    .filter(part => part !== '')
    .map(straight)

test('sentences: each one that names the product is tied, or listed as decided by no code', async () => {
  const quotes = await quoted()
  expect([quotes.length > 100, files.length > 80]).toEqual([true, true])
  const untied: string[] = []
  for (const file of files.sort()) {
    const text = await read(`content/${file}`)
    const sentences = sentencesOf(file, text, new Set(quotes))
    const rest = without(sentences, straight(text), [...partsOf(file), ...quotes])
    untied.push(...rest.filter(statesProduct).map(sentence => `${file}: ${sentence}`))
  }
  expect(untied).toEqual([])
})

test('sentences: what is listed as decided by no code stands in its page', async () => {
  for (const [file, parts] of Object.entries(untiedSentences)) {
    const page = straight(await read(`content/${file}`))
    for (const part of parts) {
      expect([file, part, page.includes(straight(part))]).toEqual([file, part, true])
    }
  }
})

test('sentences: an instruction, a question and what others do state nothing', () => {
  const states = (text: string) => sentencesOf('page.md', text).filter(statesProduct)
  expect(states('The sandbox keeps no bytes. Keep the id. What does the API answer?')).toEqual([
    'The sandbox keeps no bytes.',
  ])
  expect(states('Then read the event again.\n\nA state has a board.')).toEqual([])
  expect(states('| a | b |\n| --- | --- |\n| `opens_at` | when it opens |')).toHaveLength(1)
  expect(
    sentencesOf('page.md', '| a | b |\n| --- | --- |\n| c | d |', new Set(['| a | b |'])),
  ).toEqual([])
  expect(states('```json\n{ "webhook": true }\n```\n\n## What the API does')).toEqual([])
})
