// Each number with a unit in a guide, a page or an article about the product is part of a claim, or
// is named as one that no code of ours decides.
import { expect, test } from 'bun:test'
import { articleClaims } from './testing/article-claims.ts'
import { guideClaims } from './testing/guide-claims.ts'
import { read, root, word } from './testing/pages.ts'
import { untiedNumbers } from './testing/untied-numbers.ts'

const units =
  'seconds?|minutes?|hours?|days?|months?|years?|times|MiB|KB|kB|bytes|characters|percent|' +
  'attempts|connections|tokens|answers|pages|entries|events|deliveries|calls|scopes|operations|tools'
const written = [...Array(20).keys(), 20, 30, 40, 50, 60, 70, 80, 90].map(word).join('|')
const numbers = new RegExp(`(?<!-)\\b(?:\\d[\\d,.]*|${written}|hundred) (?:${units})\\b`, 'gi')

/** Law is cited with its source and day, and has its own numbers. */
const isLaw = (file: string, text: string) =>
  /^class: \[.*L/m.test(text) || file === 'comparisons/mso-vs-network.md'
const prose = (text: string) =>
  text
    .replace(/^sources:\n(?:[ -].*\n)*/m, '')
    .replace(/```[^]*?```/g, '')
    .replace(/\s+/g, ' ')

const files = [
  ...new Bun.Glob('{docs,pages,articles,comparisons}/*.md').scanSync(`${root}/content`),
]
const claims: Readonly<Record<string, readonly string[]>> = { ...guideClaims, ...articleClaims }

async function untied(file: string): Promise<string[]> {
  const text = await read(`content/${file}`)
  if (isLaw(file, text)) return []
  const known = [...(claims[file] ?? []), ...(untiedNumbers[file] ?? [])].sort(
    (one, other) => other.length - one.length,
  )
  const rest = known.reduce((left, part) => left.replaceAll(part, ' … '), prose(text))
  return [...rest.matchAll(numbers)].map(
    ({ index }) => `${file}: ${rest.slice(Math.max(0, index - 40), index + 40)}`,
  )
}

test('numbers: each one of the product is made of the code that decides it', async () => {
  expect(files.length).toBeGreaterThan(60)
  expect((await Promise.all(files.map(untied))).flat()).toEqual([])
})

test('numbers: what is named as decided by no code stands in its page', async () => {
  for (const [file, parts] of Object.entries(untiedNumbers)) {
    const text = prose(await read(`content/${file}`))
    for (const part of parts) expect([file, part, text.includes(part)]).toEqual([file, part, true])
  }
})
