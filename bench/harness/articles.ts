// Articles that nobody wrote, the same ones each time: words as frequent as words are (Zipf), the
// most frequent of them English stop words and the others made up, in texts as long as ours are.
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

/** Mulberry32: small, fast and even enough for text. */
export function dice(seed: number): () => number {
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

/** The word of a rank. Common words are short, as in every language. */
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

/** Ranks by frequency: the n-th word is an n-th as frequent as the first. Sums are searched. */
const sums = new Float64Array(vocabularySize)
vocabulary.forEach((_, rank) => {
  sums[rank] = (sums[rank - 1] ?? 0) + 1 / (rank + 1)
})

export function drawWord(roll: () => number): string {
  const wanted = roll() * (sums.at(-1) ?? 0)
  let [low, high] = [0, vocabularySize - 1]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sums[middle] ?? 0) < wanted) low = middle + 1
    else high = middle
  }
  return vocabulary[low] ?? ''
}

const words = (roll: () => number, count: number) =>
  Array.from({ length: count }, () => drawWord(roll)).join(' ')

/** Half to double the usual length, most near it. */
const lengthOf = (roll: () => number) => Math.round(wordsMedian * 2 ** (roll() + roll() - 1))

export function makeArticles(count: number): Article[] {
  const roll = dice(seed)
  return Array.from({ length: count }, (_, at) => ({
    url: `/blog/article-${at}`,
    title: words(roll, 6),
    description: words(roll, 16),
    questions: [words(roll, 7), words(roll, 7)],
    text: words(roll, lengthOf(roll)),
  }))
}

/** Different questions of two to five words, asked in words that people ask with. */
export function makeQuestions(count: number): string[] {
  const roll = dice(seed + 1)
  const asked = new Set<string>()
  const stops = new Set(stopwords)
  const telling = (): string => {
    const word = drawWord(roll)
    return stops.has(word) ? telling() : word
  }
  while (asked.size < count) {
    const about = Array.from({ length: 2 + Math.floor(roll() * 4) }, telling).join(' ')
    asked.add(roll() < 0.5 ? `how do ${about} work?` : `what is the ${about}`)
  }
  return [...asked]
}
