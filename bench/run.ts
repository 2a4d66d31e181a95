// `npm run bench -- [name…] [--rounds n] [--seconds n] [--short] [--large] [--resume] [--json]
// [--write]`: runs the benchmarks, each compared with a peer or a limit, and prints the results
// with their targets. `--json` prints one line per result instead, `--resume` skips benchmarks
// already measured at this commit, and `--write` updates the README's table from the last runs.
import { mkdir } from 'node:fs/promises'
import { loadavg } from 'node:os'
import path from 'node:path'
import { now } from '#database/clock.ts'
import { agentCalls } from './agents/agents.ts'
import { askQuestions } from './ask/ask.ts'
import { askQuality } from './ask/ask-quality.ts'
import { casesPage } from './cases-page/cases-page.ts'
import { expiredPage } from './cases-page/expired-page.ts'
import { clinicalToolCalls } from './clinical-tools/clinical-tools.ts'
import { clusterGateways } from './cluster/gateways.ts'
import { clusterSockets } from './cluster/sockets.ts'
import { clusterTenants } from './cluster/tenants.ts'
import { consolePages } from './console-pages/console-pages.ts'
import { consoleSearch } from './console-search/console-search.ts'
import { createPatient } from './create-patient/create-patient.ts'
import { eventsPage } from './events-page/events-page.ts'
import { type Cluster, withCluster } from './harness/environment.ts'
import { listPages } from './lists/lists.ts'
import { lostEvents } from './lost-events/lost-events.ts'
import { portalPages } from './portal-pages/portal-pages.ts'
import {
  currentRun,
  figuresOf,
  keep,
  keptRun,
  type SavedRun,
  writeTable,
} from './report/figures.ts'
import { commit, describeMachine } from './harness/machine.ts'
import { fullRun, type Options, shortRun } from './harness/options.ts'
import { textOf } from './report/report.ts'
import { realtime } from './realtime/realtime.ts'
import type { Result } from './harness/rounds.ts'
import { dataDir } from './harness/server.ts'
import { issueTokens } from './oauth/oauth.ts'
import { everyOperation } from './operations/operations.ts'
import { siteBuild } from './site-build/site-build.ts'
import { startUp } from './start/start.ts'
import { staticPage } from './static-page/static-page.ts'
import { toolCalls } from './tools/tools.ts'
import { webhooks } from './webhooks/webhooks.ts'

export const benches: Record<string, (options: Options, cluster: Cluster) => Promise<Result>> = {
  'create-patient': createPatient,
  'events-page': eventsPage,
  'cases-page': casesPage,
  'expired-page': expiredPage,
  operations: everyOperation,
  'static-page': staticPage,
  ask: askQuestions,
  'ask-quality': askQuality,
  tools: toolCalls,
  'clinical-tools': clinicalToolCalls,
  lists: listPages,
  'lost-events': lostEvents,
  'portal-pages': portalPages,
  'console-pages': consolePages,
  'console-search': consoleSearch,
  agents: agentCalls,
  oauth: issueTokens,
  webhooks,
  realtime,
  'cluster-sockets': clusterSockets,
  'cluster-tenants': clusterTenants,
  'cluster-gateways': clusterGateways,
  start: startUp,
  'site-build': siteBuild,
}

type RunOptions = { isResumed: boolean; isJson: boolean; isWritten: boolean }

export async function run(
  names: readonly string[],
  options: Options,
  { isResumed, isJson, isWritten }: RunOptions,
): Promise<boolean> {
  const jobs = names.map(name => {
    const bench = benches[name]
    if (bench) return { name, bench }
    throw new Error(
      `No benchmark is called ${name}. Choose from ${Object.keys(benches).join(', ')}.`,
    )
  })
  const { rounds, seconds } = options
  const results: Record<string, Result> = {}
  let title = ''
  await withCluster(options, async cluster => {
    title = `${describeMachine()}\n${cluster.describe}\n${options.rounds} rounds of ${options.seconds} s per side, after one warm-up round${options.isShort ? '; a short run, whose times mean nothing' : ''}`
    for (const { name, bench } of jobs) {
      const earlier = options.isShort || !isResumed ? null : await currentRun(name, options)
      if (earlier) {
        results[name] = earlier.result
        process.stderr.write(`${name}: measured on ${earlier.date}\n`)
        continue
      }
      const started = performance.now()
      const before = loadavg()[0] ?? 0
      process.stderr.write(`${name} … `)
      const result = await bench(options, cluster)
      results[name] = result
      const date = new Date(now()).toISOString()
      const load: SavedRun['load'] = [before, loadavg()[0] ?? 0]
      if (!options.isShort)
        await keep(name, { commit: commit(), date, title, load, rounds, seconds, result })
      process.stderr.write(`${((performance.now() - started) / 1000).toFixed(1)} s\n`)
    }
  })
  if (isJson) {
    const figures = Object.entries(results).flatMap(([name, result]) => figuresOf(name, result))
    for (const figure of figures) console.log(JSON.stringify(figure))
  } else {
    console.log(`\n${textOf({ title, results })}`)
  }
  if (isWritten) await writeTable(await keptRuns())
  const date = new Date(now()).toISOString()
  const file = path.join(dataDir, `${date.replaceAll(':', '-')}.json`)
  await mkdir(dataDir, { recursive: true })
  await Bun.write(file, `${JSON.stringify({ date, title, options, results }, null, 2)}\n`)
  process.stderr.write(`\nEvery round is in ${path.relative(process.cwd(), file)}.\n`)
  const proofs = Object.values(results).flatMap(result => result.proofs)
  return proofs.every(({ expected, found }) => expected === found)
}

async function keptRuns(): Promise<Record<string, SavedRun>> {
  const runs: Record<string, SavedRun> = {}
  for (const name of Object.keys(benches)) {
    const kept = await keptRun(name)
    if (kept) runs[name] = kept
  }
  return runs
}

function readArguments(args: readonly string[]): {
  names: string[]
  options: Options
  wanted: RunOptions
} {
  const base = args.includes('--short') ? shortRun : fullRun
  const number = (name: string, fallback: number) => {
    const at = args.indexOf(name)
    return at < 0 ? fallback : Math.max(1, Number(args[at + 1]) || fallback)
  }
  const names = args.filter(
    (arg, at) => !arg.startsWith('--') && !/^--(rounds|seconds)$/.test(args[at - 1] ?? ''),
  )
  return {
    names: names.length > 0 ? names : Object.keys(benches),
    options: {
      ...base,
      rounds: number('--rounds', base.rounds),
      seconds: number('--seconds', base.seconds),
      isLarge: args.includes('--large'),
    },
    wanted: {
      isResumed: args.includes('--resume'),
      isJson: args.includes('--json'),
      isWritten: args.includes('--write'),
    },
  }
}

if (import.meta.main) {
  const { names, options, wanted } = readArguments(process.argv.slice(2))
  if (!(await run(names, options, wanted))) process.exitCode = 1
}
