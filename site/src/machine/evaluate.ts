import { termsOf } from '#content/ranking/question.ts'
import { rankingOf, type SearchIndex } from '#content/ranking/rank.ts'
import { measuresOf, readJudged, scoreAll, type ReaderMeasures } from '#content/ranking/judged.ts'
import type { Related } from '#content/ranking/related.ts'
import { searchIndexes, type SearchPage } from './search.ts'

/** The number of links measured in each response. */
export const depth = 5

/** On a large site, every nth question is a sufficient sample. */
const questionsMax = 600

export type EvaluatedPage = SearchPage & { kind: string }

/** A question, the pages that list it, and the best page's position in the results. */
export type Judged = {
  question: string
  pages: string[]
  kind: string
  place: number | null
  first: string | null
  ndcg: number
  recall: number
}

export type Measures = { questions: number; ndcg_at_5: number; recall_at_5: number; first: number }

/**
 * The independent questions, the halves of our own questions, and the held-back half of an earlier
 * set.
 */
type Readers = Record<'independent' | 'held_out' | 'earlier' | 'development', ReaderMeasures>

/** The files in `content/ranking/judged/`. */
export type JudgedFiles = Readonly<Record<keyof Readers | 'off_topic', string>>
const noFiles: JudgedFiles = {
  independent: '',
  held_out: '',
  earlier: '',
  development: '',
  off_topic: '',
}

export type Quality = {
  index: string
  readers: Readers
  /** Questions that no page answers, and how many of them get no link. */
  off_topic: { questions: number; refused: number }
  served: Measures
  /** The same measures without the questions in the index, as for a question in other words. */
  blind: Measures
  kinds: ({ kind: string } & Measures)[]
  judged: Judged[]
  blindMisses: Judged[]
}

/**
 * Measures the ranking of `/ask`. The index contains its pages' questions, so an index without
 * questions is measured as well. Returns the measured index's text, which is also served.
 */
export function evaluate(
  pages: EvaluatedPage[],
  related: Related = {},
  files: JudgedFiles = noFiles,
): { quality: Quality; index: string } {
  const questions = spread(questionsOf(pages))
  const indexes = searchIndexes(pages, related)
  const judged = answerAll(indexes.index, questions)
  const blind = answerAll(indexes.blind, questions)
  const index = JSON.stringify(indexes.index)
  const kinds = [...new Set(judged.map(({ kind }) => kind))]
  const urls = new Set(pages.map(({ url }) => url))
  const rank = rankingOf(indexes.index)
  const find = (question: string) => rank(termsOf(question), depth).map(({ url }) => url)
  const halfOf = (text: string) =>
    measuresOf(
      scoreAll(
        find,
        readJudged(text, url => urls.has(url)),
      ),
    )
  const elsewhere = files.off_topic.split('\n').filter(line => line !== '')
  const quality = {
    readers: {
      independent: halfOf(files.independent),
      held_out: halfOf(files.held_out),
      earlier: halfOf(files.earlier),
      development: halfOf(files.development),
    },
    off_topic: {
      questions: elsewhere.length,
      refused: elsewhere.filter(question => find(question).length === 0).length,
    },
    index: `sha256:${new Bun.CryptoHasher('sha256').update(index).digest('hex')}`,
    served: measure(judged),
    blind: measure(blind),
    kinds: kinds.map(kind => ({ kind, ...measure(judged.filter(each => each.kind === kind)) })),
    judged,
    blindMisses: blind.filter(({ place }) => place === null),
  }
  return { quality, index }
}

type Question = Pick<Judged, 'question' | 'pages' | 'kind'>

/** Each question once, with all pages that list it. */
function questionsOf(pages: EvaluatedPage[]): Question[] {
  const found = new Map<string, Question>()
  for (const { url, kind, questions } of pages) {
    for (const question of questions) {
      const earlier = found.get(question)
      if (earlier === undefined) found.set(question, { question, pages: [url], kind })
      else earlier.pages.push(url)
    }
  }
  return [...found.values()]
}

function spread(questions: Question[]): Question[] {
  const step = Math.ceil(questions.length / questionsMax)
  return questions.filter((_, at) => at % step === 0)
}

function answerAll(index: SearchIndex, questions: Question[]): Judged[] {
  const rank = rankingOf(index)
  return answered(question => rank(termsOf(question), depth).map(({ url }) => url), questions)
}

/** The expected pages' positions for any search function. */
const answered = (find: (question: string) => string[], questions: Question[]): Judged[] =>
  questions.map(each => ({ ...each, ...placesOf(find(each.question), each) }))

/** nDCG with one grade: a page that lists the question gains 1, discounted by its position. */
function placesOf(found: string[], { pages }: Question) {
  const places = pages.flatMap(page => {
    const at = found.indexOf(page)
    return at < 0 ? [] : [at + 1]
  })
  const gain = (places: number[]) =>
    places.reduce((sum, place) => sum + 1 / Math.log2(place + 1), 0)
  const wanted = Math.min(depth, pages.length)
  const ideal = gain(Array.from({ length: wanted }, (_, at) => at + 1))
  return {
    place: places.length === 0 ? null : Math.min(...places),
    first: found[0] ?? null,
    ndcg: gain(places) / ideal,
    recall: places.length / wanted,
  }
}

function measure(judged: Judged[]): Measures {
  const mean = (value: (each: Judged) => number) =>
    judged.length === 0
      ? 0
      : Math.round((judged.reduce((sum, each) => sum + value(each), 0) / judged.length) * 1e4) / 1e4
  return {
    questions: judged.length,
    ndcg_at_5: mean(({ ndcg }) => ndcg),
    recall_at_5: mean(({ recall }) => recall),
    first: mean(({ place }) => (place === 1 ? 1 : 0)),
  }
}
