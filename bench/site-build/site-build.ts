// Builds a site of many articles from scratch, again with the same content, and after one change.
import path from 'node:path'
import { removeCopy } from '#site/testing/site-copy.ts'
import type { Options } from '../harness/options.ts'
import { compact, median, type Result, rowOf } from '../harness/rounds.ts'
import { withClosers, withFolder } from '../harness/server.ts'
import { makeMarkdown } from './articles.ts'
import {
  build,
  buildAgain,
  buildWhole,
  changeMany,
  changeOne,
  compareProof,
  countProof,
  type Run,
  writeProject,
} from './project.ts'
import { targetOf } from '../targets.ts'

/** The number of articles, whether this size has a target, and the maximum number of rounds. Each
 *  round has three builds. */
type Size = { articles: number; isJudged: boolean; roundsMax: number }
const sizes: Size[] = [
  { articles: 100, isJudged: false, roundsMax: 3 },
  { articles: 1000, isJudged: true, roundsMax: 3 },
  { articles: 5000, isJudged: false, roundsMax: 1 },
]
const shortSize: Size = { articles: 6, isJudged: false, roundsMax: 1 }

const announcement =
  "today's content and three sizes, a line for each run; about five minutes without other load"

type Side = 'whole' | 'again' | 'change'
type Runs = Record<Side, Run[]>

const everything = 'everything'
const sideNames: Record<Side, string> = {
  whole: 'from nothing',
  again: 'the same content again, into another folder',
  change: 'after one changed article',
}

export async function siteBuild(options: Options): Promise<Result> {
  if (!options.isShort) process.stderr.write(`${announcement}\n`)
  const wanted = options.isShort ? [shortSize] : sizes
  const results: Result[] = []
  for (const size of wanted) results.push(await measure(options, size))
  const all = options.isShort ? results : [await today(options), ...results]
  return {
    rows: all.flatMap(({ rows }) => rows),
    notes: all.flatMap(({ notes }) => notes),
    proofs: all.flatMap(({ proofs }) => proofs),
  }
}

/** Builds the repository's content, without articles generated for this benchmark. */
async function today(options: Options): Promise<Result> {
  return withClosers(async onClose =>
    withFolder(async folder => {
      const environment = await writeProject([])
      onClose(() => removeCopy(environment))
      const [first, next] = [path.join(folder, 'first'), path.join(folder, 'next')]
      await buildWhole(environment, first)
      const runs: Run[] = []
      while (runs.length < options.rounds) runs.push(await buildWhole(environment, next))
      const job = "site build, today's content"
      const whole = { unit: 's', ours: seconds(runs), peer: null, target: targetOf('P13 today') }
      return {
        rows: [rowOf({ job: `${job}, ${everything}`, ...whole })],
        notes: [`${job}: of a processor ${busy(runs)} s, ${most(runs)} MB`],
        proofs: [await compareProof(`${job}: files that differ from another build`, first, next)],
      }
    }),
  )
}

const seconds = (all: readonly Run[]) => all.map(run => run.seconds)
const busy = (all: readonly Run[]) =>
  all.length === 0 ? '–' : median(all.map(run => run.busy)).toFixed(1)
const most = (all: readonly Run[]) => compact(Math.max(...all.map(run => run.megabytes)))

async function measure(options: Options, size: Size): Promise<Result> {
  return withClosers(async onClose =>
    withFolder(async folder => {
      const { articles } = size
      const files = makeMarkdown(articles)
      const environment = await writeProject(files)
      onClose(() => removeCopy(environment))
      const [out, again] = [path.join(folder, 'ours'), path.join(folder, 'again')]
      const job = `site build, ${compact(articles)} articles`
      const runs: Runs = { whole: [], again: [], change: [] }
      const side = async (name: Side, run: Promise<Run>) => {
        runs[name].push(await run)
        if (!options.isShort) report(articles, name, runs[name])
      }
      const same = () =>
        compareProof(`${job}: files that differ from a build from nothing`, out, again)
      const proofs = []
      if (options.isShort) await build(environment, out)
      for (let round = 0; !options.isShort && round < rounds(options, size); round++) {
        await side('whole', buildWhole(environment, out))
        await side('again', buildAgain(environment, again))
        proofs.push(await same())
        await changeOne(environment, files[round]?.slug ?? '')
        await side('change', build(environment, out))
      }
      if (size.roundsMax > 1 || options.isShort) {
        await changeMany(environment, files)
        await build(environment, out)
        await side('whole', buildWhole(environment, again))
        proofs.push(await same())
      }
      return {
        rows: rowsOf(job, runs, size, options),
        notes: [
          `${job}: ${most(runs.whole)} MB in its largest process`,
          `${job}: of a processor ${busy(runs.whole)} s from nothing, ${busy(runs.again)} s again, ${busy(runs.change)} s after one change`,
        ],
        proofs: [
          await countProof(`${job}: pages of ours`, path.join(out, 'blog'), articles),
          ...proofs,
        ],
      }
    }),
  )
}

const rounds = (options: Options, { roundsMax }: Size) => Math.min(options.rounds, roundsMax)

/** Reports the progress, because this benchmark takes minutes. */
function report(articles: number, side: Side, runs: readonly Run[]): void {
  const {
    seconds: took,
    busy: had,
    megabytes,
  } = runs.at(-1) ?? { seconds: 0, busy: 0, megabytes: 0 }
  process.stderr.write(
    `  ${compact(articles)} articles, ${sideNames[side]}: ${took.toFixed(1)} s, ` +
      `${had.toFixed(1)} s of CPU time, ${compact(megabytes)} MB\n`,
  )
}

function rowsOf(job: string, { whole, again, change }: Runs, size: Size, options: Options) {
  const common = { unit: 's', peer: null }
  // The last build from scratch is only for comparing files.
  const first = whole.slice(0, rounds(options, size))
  return [
    rowOf({
      ...common,
      job: `${job}, ${everything}`,
      ours: seconds(first),
      target: size.isJudged ? targetOf('P13 whole') : null,
    }),
    rowOf({ ...common, job: `  ${sideNames.again}`, ours: seconds(again), target: null }),
    rowOf({
      ...common,
      job: `  ${sideNames.change}`,
      ours: seconds(change),
      target: size.isJudged ? targetOf('P13 change') : null,
    }),
  ].filter(({ ours }) => ours.length > 0)
}
