// Webhooks: a backlog's throughput, compared with a bare loop of signed POSTs. Also the time from
// commit to arrival at a steady rate, with one and with ten thousand endpoints, and with a long
// history.
import {
  poolSize,
  type Rate,
  type Shape,
  sockets,
  WebhookBench,
  startReceiver,
  type Waits,
} from './stage.ts'
import type { Cluster } from '../harness/environment.ts'
import type { Options } from '../harness/options.ts'
import { compact, interleave, median, type Result, type Row, rowOf } from '../harness/rounds.ts'
import { withClosers } from '../harness/server.ts'
import { targetOf, type TargetId } from '../targets.ts'

function shapesOf({ isShort }: Options): Shape[] {
  const usual = { name: '100 endpoints', endpoints: 100, history: 0 }
  if (isShort) return [{ name: '4 endpoints and a history', endpoints: 4, history: 40 }]
  return [
    usual,
    { name: 'one endpoint', endpoints: 1, history: 0 },
    { name: '10,000 endpoints', endpoints: 10_000, history: 0 },
    { name: '1,000,000 rows of history', endpoints: 100, history: 1_000_000 },
  ]
}

/** The work for each side of a round: enough for a second or two. */
const amountsOf = ({ isShort }: Options) =>
  isShort
    ? { backlog: 40, loop: 40, rates: [200], seconds: 0.1, rounds: 1 }
    : {
        backlog: 4000,
        loop: 30_000,
        rates: [10, 100, 500, 1000],
        seconds: 2,
        rounds: 3,
      }
/** The target's rate, which is also used to compare sizes. */
const usualRate = 500

export async function webhooks(options: Options, cluster: Cluster): Promise<Result> {
  return withClosers(async onClose => {
    const receiver = await startReceiver(onClose)
    const benches: WebhookBench[] = []
    const inside = async (left: readonly Shape[]): Promise<Result> => {
      const [shape, ...rest] = left
      if (!shape) return measure(options, benches)
      return cluster.withEnvironment(`hooks_${benches.length}`, environment =>
        withClosers(async close => {
          benches.push(await WebhookBench.open(environment, shape, receiver, close))
          return inside(rest)
        }),
      )
    }
    return inside(shapesOf(options))
  })
}

async function measure(options: Options, benches: readonly WebhookBench[]): Promise<Result> {
  const [usual, ...others] = benches
  if (!usual) throw new Error('The first shape must exist.')
  const { rows, notes } = await backlogs(options, usual)
  rows.push(...(await rates(options, usual)))
  await usual.rest()
  rows.push(...(await sizes(options, usual, others)))
  const proofs = await Promise.all(benches.map(bench => bench.proofs()))
  notes.push(
    `webhooks: the worker has ${sockets} sockets and ${poolSize} connections a mode; worker, receiver and bench are processes of their own; endpoints have answered before; a wait begins when the writer has its commit`,
  )
  return { rows, notes, proofs: proofs.flat() }
}

async function backlogs(options: Options, bench: WebhookBench) {
  const { backlog, loop } = amountsOf(options)
  const runs = await interleave(options.rounds, {
    ours: () => bench.backlog(backlog),
    loop: () => bench.loop(loop),
    floor: () => bench.floor(backlog),
  })
  const of = (side: string, member: keyof Rate) => (runs[side] ?? []).map(run => run[member])
  const cost = (side: string) =>
    (['sender', 'database', 'receiver'] as const)
      .map(member => compact(median(of(side, member))))
      .join(' + ')
  return {
    rows: [
      rowOf({
        job: `webhooks, a backlog of ${compact(backlog)} events, ${bench.shape.name}`,
        unit: '/s',
        ours: of('ours', 'perSecond'),
        peer: { name: 'bare loop of signed POSTs, 32 at once', rounds: of('loop', 'perSecond') },
        target: targetOf('P7 loop'),
      }),
      rowOf({
        job: "PostgreSQL's time of a delivery",
        unit: 'µs',
        ours: of('ours', 'database'),
        peer: {
          name: 'its rows by a plain statement, 32 at once',
          rounds: of('floor', 'database'),
        },
        target: targetOf('P7 floor'),
      }),
      rowOf({
        job: "a worker's time of a delivery",
        unit: 'µs',
        ours: of('ours', 'sender'),
        peer: null,
        target: targetOf('P7 sender'),
      }),
    ],
    notes: [
      `webhooks: µs of processor a delivery, sender + PostgreSQL + receiver: ours ${cost('ours')}; the loop ${cost('loop')}`,
    ],
  }
}

async function rates(options: Options, bench: WebhookBench): Promise<Row[]> {
  const { rates: all, seconds, rounds } = amountsOf(options)
  const side = (rate: number) => () => bench.steady(rate, seconds, options.requestsMax)
  const runs = await interleave(
    Math.min(rounds, options.rounds),
    Object.fromEntries(all.map(rate => [`${rate}`, side(rate)])),
  )
  return all.flatMap(rate => {
    const found = runs[`${rate}`] ?? []
    const made = compact(median(found.map(run => run.perSecond)))
    const job = `webhooks, commit to wire at ${rate}/s (${made} achieved)`
    const row = (name: 'p50' | 'p99') =>
      rowOf({
        job: `${job}, ${name}`,
        unit: 'ms',
        ours: found.map(run => run[name]),
        peer: null,
        target: rate === usualRate ? targetOf(`P6 ${name}`) : null,
      })
    return [row('p50'), row('p99')]
  })
}

async function sizes(
  options: Options,
  usual: WebhookBench,
  others: readonly WebhookBench[],
): Promise<Row[]> {
  if (others.length === 0) return []
  const { seconds, backlog, rounds } = amountsOf(options)
  const all = [usual, ...others]
  const over = <T>(work: (bench: WebhookBench) => Promise<T>) =>
    interleave(
      Math.min(rounds, options.rounds),
      Object.fromEntries(
        all.map(bench => [
          bench.shape.name,
          async () => {
            const found = await work(bench)
            await bench.rest()
            return found
          },
        ]),
      ),
    )
  const waits = await over(bench => bench.steady(usualRate, seconds, options.requestsMax))
  const speeds = await over(bench => bench.backlog(backlog / 4))
  return others.flatMap(({ shape }) => {
    const row = (job: string, unit: string, of: (name: string) => number[], id: TargetId | null) =>
      rowOf({
        job: `webhooks, ${job}, ${shape.name}`,
        unit,
        ours: of(shape.name),
        peer: { name: `the same with ${usual.shape.name}`, rounds: of(usual.shape.name) },
        target: id === null ? null : targetOf(id),
      })
    const waiting = (member: keyof Waits, id: TargetId | null) =>
      row(
        `commit to wire at ${usualRate}/s, ${member}`,
        'ms',
        name => (waits[name] ?? []).map(run => run[member]),
        id,
      )
    const speed = (name: string) => (speeds[name] ?? []).map(run => run.perSecond)
    return [waiting('p50', 'P6 growth'), waiting('p99', null), row('a backlog', '/s', speed, null)]
  })
}
