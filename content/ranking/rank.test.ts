import { expect, test } from 'bun:test'
import MiniSearch from 'minisearch'
import { termsOf } from './question.ts'
import { loadRanking } from './rank.ts'
import { speller } from './spelling.ts'
import { isPair, processTerm, searchOptions, type SearchDocument } from './terms.ts'

/** A small linear congruential generator, so a failure can be reproduced. */
function dice(seed: number): (sides: number) => number {
  let state = seed
  return sides => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * sides)
  }
}

const roll = dice(7)
const words = Array.from({ length: 400 }, () =>
  Array.from({ length: 2 + roll(3) }, () =>
    'bacodufagijokulemonipurasetivu'.slice(roll(14) * 2).slice(0, 2),
  ).join(''),
)
const draw = () => words[Math.min(roll(400), roll(400))] ?? ''
const text = (count: number) => Array.from({ length: count }, draw).join(' ')
const documents: SearchDocument[] = Array.from({ length: 120 }, (_, at) => ({
  url: `/page-${at % 2 === 0 ? at : `${at}-copy`}`,
  title: `Page ${at}`,
  description: '',
  // Pairs of pages with the same text have the same score, so the path decides.
  text: text(30),
}))
for (const [at, document] of documents.entries()) {
  if (at % 10 === 1) document.text = documents[at - 1]?.text ?? ''
}

const pagesWith = new Map<string, number>()
for (const { text } of documents)
  for (const term of new Set(
    text
      .split(' ')
      .map(processTerm)
      .filter(each => each !== null),
  ))
    pagesWith.set(term, (pagesWith.get(term) ?? 0) + 1)
const spell = speller(pagesWith)

/** MiniSearch with its order and its scores, without the matched-terms factor. */
function whole(index: MiniSearch, terms: readonly string[], limit: number) {
  // The index has no word pairs.
  const words = terms.filter(term => !term.startsWith('=') && !isPair(term))
  const spelled = new Set(words.flatMap(spell))
  const results = index.search([...spelled].join(' '), {
    tokenize: all => all.split(' '),
    processTerm: term => term,
    boostTerm: term => (words.includes(term) ? 1 : 0.8),
    fuzzy: term => (term.length >= 5 && !pagesWith.has(term) ? 0.2 : false),
  })
  return results
    .map(({ id, score, queryTerms }) => ({
      url: String(id),
      score: Math.round((score / queryTerms.length) * 1e9) / 1e9,
    }))
    .toSorted((a, b) => b.score - a.score || (a.url < b.url ? -1 : 1))
    .slice(0, limit)
}

test('ranking: matches MiniSearch’s corrected scores, even for misspelled words', () => {
  const index = new MiniSearch(searchOptions)
  index.addAll(documents)
  const rank = loadRanking(JSON.stringify(index))
  let [misspelled, refused] = [0, 0]
  for (let round = 0; round < 500; round++) {
    const asked = text(1 + roll(6)).split(' ')
    const query = roll(3) === 0 ? asked.map(word => word.replace(/^(...)./, '$1z')) : asked
    const terms = termsOf(query.join(' '))
    if (query !== asked) misspelled++
    const limit = 1 + roll(50)
    const got = rank(terms, limit).map(({ url, score }) => ({ url, score }))
    if (got.length === 0) refused++
    else expect([terms, got]).toEqual([terms, whole(index, terms, limit)])
  }
  expect(misspelled).toBeGreaterThan(100)
  expect(refused).toBeLessThan(150)
})
