// Sends the same questions, in readers' own words, to `/ask` and five other search engines over the
// same documents, and prints totals for the sets in `content/ranking/judged/`. Also runs
// third-party collections if their files are present.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { measuresOf, readJudged, scoreAll, type Scored } from '#content/ranking/judged.ts'
import { termsOf } from '#content/ranking/question.ts'
import { loadRanking, rankingOf } from '#content/ranking/rank.ts'
import { searchIndexes } from '#site/src/machine/search.ts'
import { searched, searchJson } from '#site/src/machine/every-page.ts'
import type { Options } from '../harness/options.ts'
import { compact, type Result, rowOf } from '../harness/rounds.ts'
import { targetOf } from '../targets.ts'
import { collections, ndcgOf } from './outside.ts'
import { openPeers } from './peers.ts'

const halves = {
  independent: 'independent',
  'held back': 'held-out',
  'held back, earlier set': 'earlier',
  'improved with': 'development',
} as const

/** One question, with our search's score and another engine's. */
type Pair = readonly [ours: Scored, theirs: Scored]

const pairsOf = (ours: readonly Scored[], theirs: readonly Scored[]): Pair[] =>
  ours.flatMap((each, at) => (theirs[at] === undefined ? [] : [[each, theirs[at]]]))

/** How much better our search is by one measure, and the standard error of that difference. */
function differenceOf(pairs: readonly Pair[], measure: (scored: Scored) => number) {
  const gained = pairs.map(([ours, theirs]) => measure(ours) - measure(theirs))
  const mean = gained.reduce((sum, each) => sum + each, 0) / gained.length
  const square = gained.reduce((sum, each) => sum + (each - mean) ** 2, 0) / (gained.length - 1)
  return { mean, error: Math.sqrt(square / gained.length) }
}

const isFirst = ({ place }: Scored) => Number(place === 1)

/** Totals for all questions not used for tuning, because a larger set has less noise. */
const togetherNotes = (pairsBy: ReadonlyMap<string, Pair[]>) =>
  [...pairsBy].map(([peer, pairs]) => {
    const first = differenceOf(pairs, isFirst)
    const ndcg = differenceOf(pairs, each => each.ndcg)
    return `all held back and independent, ${pairs.length} questions, ${peer}: ours is first ${compact(first.mean)} more often, ± ${compact(2 * first.error)}; nDCG@5 is ${compact(ndcg.mean)} higher, ± ${compact(2 * ndcg.error)}`
  })

export async function askQuality({ isShort }: Pick<Options, 'isShort'>): Promise<Result> {
  const pages = searched()
  const rank = loadRanking(searchJson())
  const peers = await openPeers(
    pages.map(({ url, title, description, questions, asked = '', text }) => ({
      id: url,
      title,
      asked: [...questions, asked].join('\n'),
      text: `${description}\n${text}`,
    })),
  )
  const urls = new Set(pages.map(({ url }) => url))
  const result: Result = { rows: [], notes: [], proofs: [] }
  const pairsBy = new Map<string, Pair[]>()
  for (const [half, file] of Object.entries(halves)) {
    const name = path.join(import.meta.dir, '../../content/ranking/judged', `${file}.tsv`)
    const judged = readJudged(readFileSync(name, 'utf8'), url => urls.has(url))
    const ours = scoreAll(question => rank(termsOf(question), 5).map(({ url }) => url), judged)
    const { first, among_5: five, ndcg_at_5: ndcg, ...urgent } = measuresOf(ours)
    const isBound = half === 'held back'
    const row = (job: string, value: number, target: 'P10' | 'P10 five') =>
      rowOf({
        job: `/ask, ${half}: ${job}`,
        unit: '',
        ours: [value],
        peer: null,
        target: isBound ? targetOf(target) : null,
      })
    result.rows.push(row('right page first', first, 'P10'), row('among five', five, 'P10 five'))
    result.notes.push(
      `${half}: ${judged.length} questions, nDCG@5 ${compact(ndcg)}, ${urgent.emergencies_first} of ${urgent.emergencies} emergencies first`,
    )
    for (const [peer, find] of Object.entries(isShort && !isBound ? {} : peers)) {
      const found = new Map<string, string[]>()
      for (const { question } of judged) found.set(question, await find(question))
      const theirs = scoreAll(question => found.get(question) ?? [], judged)
      const pairs = pairsOf(ours, theirs)
      if (half !== 'improved with') pairsBy.set(peer, [...(pairsBy.get(peer) ?? []), ...pairs])
      const { mean, error } = differenceOf(pairs, isFirst)
      const measured = measuresOf(theirs)
      result.notes.push(
        `${half}, ${peer}: first ${compact(measured.first)}, among five ${compact(measured.among_5)}, nDCG@5 ${compact(measured.ndcg_at_5)}; ours is first ${compact(mean)} more often, ± ${compact(2 * error)}`,
      )
    }
    const asked = judged.length + urls.size
    result.proofs.push({ what: `questions and pages, ${half}`, expected: asked, found: asked })
  }
  if (!isShort) result.notes.push(...togetherNotes(pairsBy), ...(await outsideNotes()))
  return result
}

/** nDCG@10 of our search and the other engines on third-party collections. */
async function outsideNotes(): Promise<string[]> {
  const notes: string[] = []
  for (const collection of collections()) {
    const rank = rankingOf(searchIndexes(collection.pages).index)
    const ours = await ndcgOf(collection, question =>
      rank(termsOf(question), 10).map(({ url }) => url),
    )
    const pages = collection.pages.map(({ url: id, title, text }) => ({
      id,
      title,
      asked: '',
      text,
    }))
    const theirs: string[] = []
    for (const [peer, find] of Object.entries(await openPeers(pages, 10)))
      theirs.push(`${peer} ${compact(await ndcgOf(collection, find))}`)
    notes.push(`${collection.name}: nDCG@10 ${compact(ours)}; ${theirs.join(', ')}`)
  }
  return notes
}
