// The time until the platform responds, and the gateway's memory use when idle and after many
// requests.
import { compact, type Proof, type Result, type Row, rowOf } from '../harness/rounds.ts'
import { atMost } from '../targets.ts'
import type { Cluster, BenchEnvironment } from '../harness/environment.ts'
import { load, requestText } from '../harness/load.ts'
import { residentMegabytes } from '../harness/machine.ts'
import type { Options } from '../harness/options.ts'
import { startPlatform } from '../harness/server.ts'
import { type TargetId, targetOf } from '../targets.ts'

/** Growth is measured after the first tenth, because code is still being compiled until then. */
const requests = 1_000_000
const secondsMax = 120

export async function startUp(options: Options, cluster: Cluster): Promise<Result> {
  return cluster.withEnvironment('start', async environment => {
    const idle: number[] = []
    for (let round = 0; round <= options.rounds; round++) {
      const gateway = await environment.openGateway()
      await Bun.sleep(options.isShort ? 0 : 1000)
      if (round > 0) idle.push(residentMegabytes(gateway.pid))
      await gateway.stop()
    }
    const grown = await growth(options, environment)
    const whole = options.isShort ? [] : await warmStarts(options)
    return {
      rows: [...rowsOf({ idle, whole }), ...growthRows(grown)],
      notes: [],
      proofs: grown.proofs,
    }
  })
}

type StartTimes = { idle: number[]; whole: number[] }

function rowsOf({ idle, whole }: StartTimes): Row[] {
  const row = (job: string, unit: string, ours: readonly number[], id: TargetId) =>
    rowOf({ job, unit, ours, peer: null, target: targetOf(id) })
  const again = '`npm start` of a platform that ran before, to the first answer'
  return [
    ...(whole.length > 0 ? [row(again, 'ms', whole, 'P14 npm start')] : []),
    row('gateway, idle', 'MB', idle, 'P15 idle'),
  ]
}

function growthRows({ answers, before, after }: Growth): Row[] {
  const job = `gateway, after ${compact(answers)} requests`
  const common = { unit: 'MB', ours: [after] }
  return [
    rowOf({ ...common, job: `${job}, in all`, peer: null, target: targetOf('P15 busy') }),
    rowOf({
      ...common,
      job,
      peer: { name: 'itself after a tenth of them', rounds: [before] },
      target: atMost(1.1),
    }),
  ]
}

/** The time from process start to the first page. The first start doesn't count, because it creates
 *  the database. */
async function warmStarts({ rounds }: Options): Promise<number[]> {
  const opened: number[] = []
  for (let round = 0; round <= rounds; round++) {
    const platform = await startPlatform()
    await platform.stop()
    if (round > 0) opened.push(platform.opened)
  }
  return opened
}

type Growth = { answers: number; before: number; after: number; proofs: Proof[] }

/** Half of the requests are for pages, and half are database reads. */
async function growth(options: Options, environment: BenchEnvironment): Promise<Growth> {
  const [tenant] = await environment.openTenants(1)
  const gateway = await environment.openGateway()
  const texts = [
    requestText('GET', '/', { accept: 'text/html' }),
    requestText('GET', '/v1/organization', { authorization: `Bearer ${tenant?.key ?? ''}` }),
  ]
  const send = (share: number) =>
    load({
      port: gateway.port,
      connections: 8,
      seconds: secondsMax * share,
      requestsMax: Math.min(requests, options.requestsMax) * share,
      texts,
    })
  const first = await send(0.1)
  const before = residentMegabytes(gateway.pid)
  const rest = await send(0.9)
  const after = residentMegabytes(gateway.pid)
  await gateway.stop()
  const answers = first.answers + rest.answers
  const found = (first.statuses['200'] ?? 0) + (rest.statuses['200'] ?? 0)
  const proofs = [{ what: 'growth: answers that are 200', expected: answers, found }]
  return { answers, before, after, proofs }
}
