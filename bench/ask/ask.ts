// Sends questions directly to indexes of increasing size, and new and repeated questions over HTTP,
// compared with an echo server.
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { askLimits } from '#contract/limits.ts'
import { termsOf } from '#content/ranking/question.ts'
import { loadRanking, type Ranking } from '#content/ranking/rank.ts'
import { searchIndexes } from '#site/src/machine/search.ts'
import { freePort } from '#database/embedded/postmaster.ts'
import { makeArticles, makeQuestions } from '../harness/articles.ts'
import { allAnswered, costLine } from '../harness/meter.ts'
import { bareName, startBare } from '../harness/bare.ts'
import { requestText } from '../harness/load.ts'
import type { Options } from '../harness/options.ts'
import { compact, interleave, median, percentile } from '../harness/rounds.ts'
import { atMost } from '../targets.ts'
import { type Result, rowOf } from '../harness/rounds.ts'
import {
  dataDir,
  type Server,
  startSiteGateway,
  startServer,
  withClosers,
} from '../harness/server.ts'
import { writeSite } from '../harness/site.ts'
import { openSides } from '../harness/sides.ts'
import { targetOf } from '../targets.ts'

/** Article counts, each with the p99 target for a new question in milliseconds. */
const sizes = [
  { articles: 100, millisecondsMax: 0.5 },
  { articles: 1000, millisecondsMax: 2 },
  { articles: 10_000, millisecondsMax: 25 },
] as const

const questionsPerRound = 1000
const connections = 8

export async function askQuestions(options: Options): Promise<Result> {
  const results: Result[] = []
  for (const size of options.isShort ? sizes.slice(0, 1) : sizes) {
    results.push(await inProcess(options, size))
  }
  results.push(await throughHttp(options))
  return {
    rows: results.flatMap(({ rows }) => rows),
    notes: results.flatMap(({ notes }) => notes),
    proofs: results.flatMap(({ proofs }) => proofs),
  }
}

/**
 * Returns a cached index, because building one for ten thousand articles is slow. The file's name
 * is a hash of the articles and the index format.
 */
async function indexOf(articles: number): Promise<string> {
  const articlesMade = makeArticles(articles)
  const hash = Bun.hash(
    JSON.stringify([articlesMade, searchIndexes(articlesMade.slice(0, 3)).index]),
  ).toString(36)
  const file = path.join(dataDir, `ask-${articles}-${hash}.json`)
  if (existsSync(file)) return readFile(file, 'utf8')
  const text = JSON.stringify(searchIndexes(articlesMade).index)
  if (articles >= 1000) await Bun.write(file, text)
  return text
}

type Tail = { p50: number; p99: number }

function timed(rank: Ranking, questions: readonly string[]): Tail & { answered: number } {
  const taken = new Float64Array(questions.length)
  let answered = 0
  questions.forEach((question, at) => {
    const before = performance.now()
    const links = rank(termsOf(question), askLimits.results)
    taken[at] = performance.now() - before
    if (links.length > 0) answered++
  })
  taken.sort()
  return { p50: percentile(taken, 0.5), p99: percentile(taken, 0.99), answered }
}

async function inProcess(options: Options, { articles, millisecondsMax }: (typeof sizes)[number]) {
  const rank = loadRanking(await indexOf(articles))
  const count = options.isShort ? 100 : questionsPerRound
  const questions = makeQuestions(count * (options.rounds + 1))
  const runs: Tail[] = []
  let answered = 0
  for (let round = 0; round <= options.rounds; round++) {
    const asked = questions.slice(round * count, (round + 1) * count)
    const run = timed(rank, asked)
    answered += run.answered
    if (round > 0) runs.push(run)
  }
  const job = `/ask in the process, ${compact(articles)} articles`
  return {
    rows: [
      rowOf({
        unit: 'ms',
        job: `${job}, new, p99`,
        ours: runs.map(({ p99 }) => p99),
        peer: null,
        target: atMost(millisecondsMax),
      }),
    ],
    notes: [`${job}: p50 ${compact(median(runs.map(({ p50 }) => p50)))} ms new`],
    proofs: [
      {
        what: `${job}: questions with links, but for one in ten about nothing`,
        expected: questions.length,
        found: answered >= questions.length * 0.9 ? questions.length : answered,
      },
    ],
  }
}

/** More than the gateway's cache can hold, so each question is new when it's sent. */
const newQuestions = 20_000

async function throughHttp(options: Options): Promise<Result> {
  return withClosers(async onClose => {
    const site = await writeSite(sizes[0].articles)
    onClose(() => site.remove())
    const gateway = await startSiteGateway({ site: site.folder })
    onClose(() => gateway.stop())
    const echo = await startEcho()
    onClose(() => echo.stop())
    const { side, loads } = openSides(options, connections)
    const texts = makeQuestions(options.isShort ? 200 : newQuestions).map(question =>
      requestText('GET', `/ask?query=${encodeURIComponent(question)}`),
    )
    const bare = await startBare(gateway, texts[0] ?? '')
    onClose(() => bare.stop())
    const runs = await interleave(options.rounds, {
      asked: side(gateway, texts),
      again: side(gateway, texts.slice(0, connections)),
      echo: side(echo, texts),
      bare: side(bare, texts),
    })
    const { asked = [], again = [], echo: echoed = [], bare: least = [] } = runs
    const rates = (side: { perSecond: number }[]) => side.map(run => run.perSecond)
    const peer = { name: 'an echo in Bun.serve', rounds: rates(echoed) }
    const common = { unit: '/s', peer }
    const job = '/ask through HTTP, 100 articles'
    return {
      rows: [
        rowOf({
          unit: 'µs',
          job: `${job}, new: processor time`,
          ours: asked.map(run => run.gatewayCost),
          peer: null,
          target: targetOf('P9 new'),
        }),
        rowOf({
          ...common,
          job: '  asked before',
          ours: rates(again),
          target: targetOf('P9 repeated'),
        }),
        rowOf({
          ...common,
          job: '  asked before',
          ours: rates(again),
          peer: { name: bareName, rounds: rates(least) },
          target: null,
        }),
      ],
      notes: [
        costLine(`${job}, new`, asked),
        costLine('  asked before', again),
        costLine('  echo', echoed),
        costLine(`  ${bareName}`, least),
      ],
      proofs: [allAnswered('/ask and echo', '200', loads)],
    }
  })
}

export async function startEcho(): Promise<Server> {
  const port = await freePort()
  const file = path.join(import.meta.dir, '../harness/echo.ts')
  return startServer({ command: [process.execPath, file, String(port)], port })
}
