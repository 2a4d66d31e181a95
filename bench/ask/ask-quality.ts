// Runs the judged questions of the built site against `/ask` and against textbook BM25 over the
// same pages: lower-cased words, without stemming or weights.
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { buildSite } from '#site/build/build.ts'
import { answered, depth, measure, type Quality } from '#site/src/machine/evaluate.ts'
import { compact, type Result, rowOf } from '../harness/rounds.ts'
import { atLeast } from '../targets.ts'
import { targetOf } from '../targets.ts'

const dist = path.join(import.meta.dir, '../..', 'site', 'dist')
const read = (file: string) => readFile(path.join(dist, file), 'utf8')

type Page = { url: string; text: string }

/** Every page that `/ask` can return, with the text of its Markdown version. */
async function pagesOf(): Promise<Page[]> {
  const { documentIds }: { documentIds: Record<string, string> } = JSON.parse(
    await read('catalog/search.json'),
  )
  return Promise.all(
    Object.values(documentIds).map(async url => ({
      url,
      text: await read(url === '/' ? 'index.md' : `${url}.md`),
    })),
  )
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []

const [k1, b] = [1.2, 0.75]

/** BM25 by Robertson and Zaragoza, with the idf that is never negative. */
function bm25(pages: readonly Page[]): (question: string) => string[] {
  const counted = pages.map(({ url, text }) => {
    const words = wordsOf(text)
    const times = new Map<string, number>()
    for (const word of words) times.set(word, (times.get(word) ?? 0) + 1)
    return { url, times, length: words.length }
  })
  const average = counted.reduce((sum, { length }) => sum + length, 0) / counted.length
  const holding = (word: string) => counted.filter(({ times }) => times.has(word)).length
  const idf = (word: string) => {
    const pagesWithIt = holding(word)
    return Math.log(1 + (counted.length - pagesWithIt + 0.5) / (pagesWithIt + 0.5))
  }
  return question => {
    const words = [...new Set(wordsOf(question))].map(word => ({ word, idf: idf(word) }))
    const scored = counted.map(({ url, times, length }) => {
      const norm = k1 * (1 - b + (b * length) / average)
      const parts = words.map(({ word, idf: rare }) => {
        const often = times.get(word) ?? 0
        return (rare * often * (k1 + 1)) / (often + norm)
      })
      return { url, score: parts.reduce((sum, part) => sum + part, 0) }
    })
    const best = scored.toSorted(
      (one, other) => other.score - one.score || (one.url < other.url ? -1 : 1),
    )
    return best.slice(0, depth).map(({ url }) => url)
  }
}

export async function askQuality(): Promise<Result> {
  await buildSite(() => {})
  const { judged, served, blind }: Quality = JSON.parse(await read('catalog/quality.json'))
  const pages = await pagesOf()
  const questionsByUrl = Map.groupBy(
    judged.flatMap(({ pages: urls, question }) => urls.map(url => ({ url, question }))),
    ({ url }) => url,
  )
  const withQuestions = pages.map(({ url, text }) => {
    const questions = (questionsByUrl.get(url) ?? []).map(({ question }) => question)
    return { url, text: [text, ...questions].join('\n') }
  })
  const plain = measure(answered(bm25(withQuestions), judged))
  const plainBlind = measure(answered(bm25(pages), judged))
  const common = { unit: '' }
  const beside = (job: string, ours: number, theirs: number) =>
    rowOf({
      ...common,
      job,
      ours: [ours],
      target: atLeast(1),
      peer: { name: 'plain BM25', rounds: [theirs] },
    })
  return {
    rows: [
      rowOf({
        ...common,
        job: '/ask on the judged questions, nDCG@5',
        ours: [served.ndcg_at_5],
        target: targetOf('P10'),
        peer: null,
      }),
      beside('  beside BM25 that reads them too', served.ndcg_at_5, plain.ndcg_at_5),
      beside('  their own words left out, nDCG@5', blind.ndcg_at_5, plainBlind.ndcg_at_5),
      beside('  the same, recall@5', blind.recall_at_5, plainBlind.recall_at_5),
    ],
    notes: [
      `/ask finds the right page first for ${compact(served.first)} of the questions, BM25 for ${compact(plain.first)}; without their own words ${compact(blind.first)} and ${compact(plainBlind.first)}`,
    ],
    proofs: [
      { what: 'judged questions', expected: served.questions, found: plain.questions },
      {
        what: 'judged questions whose pages are all in the reference',
        expected: judged.length,
        found: judged.filter(each => each.pages.every(url => pages.some(page => page.url === url)))
          .length,
      },
    ],
  }
}
