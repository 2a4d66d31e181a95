// Generated articles, the same articles each time. Word frequency follows Zipf's law: the most
// frequent words are English stop words, and the rest are made up. Texts are as long as the site's.
import { stopwords } from '@orama/stopwords/english'

export type Article = {
  url: string
  title: string
  description: string
  questions: string[]
  text: string
}

const vocabularySize = 20_000
const wordsMedian = 700
const seed = 20_261_120

/** Mulberry32: small, fast, and uniform enough for text. */
export function seededRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const syllables = (
  'ba be bi bo bu ca co cu da de di do du fa fe fi fo ga go ha he hi ho ja jo ka ki la le li lo lu ' +
  'ma me mi mo mu na ne ni no nu pa pe pi po pu ra re ri ro ru sa se si so su ta te ti to tu va ve vi vo'
).split(' ')

/** The word at a rank. Frequent words are short. */
function wordOf(rank: number): string {
  let word = ''
  for (let rest = rank + syllables.length; rest > 0; rest = Math.floor(rest / syllables.length)) {
    word += syllables[rest % syllables.length] ?? ''
  }
  return word
}

const vocabulary = Array.from(
  { length: vocabularySize },
  (_, rank) => stopwords[rank] ?? wordOf(rank - stopwords.length),
)

/** Cumulative frequencies, for a binary search: the n-th word is 1/n as frequent as the first. */
const sums = new Float64Array(vocabularySize)
vocabulary.forEach((_, rank) => {
  sums[rank] = (sums[rank - 1] ?? 0) + 1 / (rank + 1)
})

export function randomWord(random: () => number): string {
  const target = random() * (sums.at(-1) ?? 0)
  let [low, high] = [0, vocabularySize - 1]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sums[middle] ?? 0) < target) low = middle + 1
    else high = middle
  }
  return vocabulary[low] ?? ''
}

const words = (random: () => number, count: number) =>
  Array.from({ length: count }, () => randomWord(random)).join(' ')

/** Between half and double the median length, and usually near the median. */
const lengthOf = (random: () => number) => Math.round(wordsMedian * 2 ** (random() + random() - 1))

export function makeArticles(count: number): Article[] {
  const random = seededRandom(seed)
  return Array.from({ length: count }, (_, at) => ({
    url: `/blog/article-${at}`,
    title: words(random, 6),
    description: words(random, 16),
    questions: [words(random, 7), words(random, 7)],
    text: words(random, lengthOf(random)),
  }))
}

/** Distinct questions of two to five words about a subject, phrased as people would. */
export function makeQuestions(count: number): string[] {
  const random = seededRandom(seed + 1)
  const questions = new Set<string>()
  const stops = new Set(stopwords)
  const pick = <Value>(all: readonly Value[]) => all[Math.floor(random() * all.length)]
  const subjects = makeArticles(100).map(({ title, description, questions }) =>
    [title, description, ...questions, ...questions]
      .join(' ')
      .split(' ')
      .filter(word => !stops.has(word)),
  )
  while (questions.size < count) {
    // The words come from one article's subject, because a question with words that articles only
    // mention in passing gets no links.
    const words = pick(subjects) ?? []
    const about = Array.from({ length: 2 + Math.floor(random() * 4) }, () => pick(words)).join(' ')
    questions.add(random() < 0.5 ? `how do ${about} work?` : `what is the ${about}`)
  }
  return [...questions]
}
