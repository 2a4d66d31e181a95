// Webhooks from the commit of an event to the record of its attempt: through a backlog, beside a
// bare loop of signed POSTs and beside a general queue that does the same; and from commit to wire
// at a steady rate, whether there is one endpoint or ten thousand, and however long the history.
import {
  poolSize,
  type Rate,
  type Shape,
  sockets,
  Stage,
  startReceiver,
  type Waits,
} from './stage.ts'
import type { Cluster } from '../harness/environment.ts'
import type { Options } from '../harness/options.ts'
import {
  atLeast,
  atMost,
  compact,
  interleave,
  median,
  type Result,
  type Row,
  rowOf,
} from '../harness/rounds.ts'
import { withClosers } from '../harness/server.ts'

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

/** How much each side of a round does: enough for a second or two of it. */
const amountsOf = ({ isShort }: Options) =>
  isShort
    ? { backlog: 40, loop: 40, one: 8, batches: 40, rates: [200], seconds: 0.1, rounds: 1 }
    : {
        backlog: 4000,
        loop: 30_000,
        one: 200,
        batches: 1000,
        rates: [10, 100, 500, 1000],
        seconds: 2,
        rounds: 3,
      }
/** The rate of the target, at which sizes are compared as well. */
const usualRate = 500

export async function webhooks(options: Options, cluster: Cluster): Promise<Result> {
  return withClosers(async later => {
    const receiver = await startReceiver(later)
    const stages: Stage[] = []
    const inside = async (left: readonly Shape[]): Promise<Result> => {
      const [shape, ...rest] = left
      if (!shape) return measure(options, stages)
      return cluster.withEnvironment(`hooks_${stages.length}`, environment =>
        withClosers(async close => {
          stages.push(await Stage.open(environment, shape, receiver, close))
          return inside(rest)
        }),
      )
    }
    return inside(shapesOf(options))
  })
}

async function measure(options: Options, stages: readonly Stage[]): Promise<Result> {
  const [usual, ...others] = stages
  if (!usual) throw new Error('There is a usual house.')
  const { rows, notes } = await backlogs(options, usual)
  rows.push(...(await rates(options, usual)))
  await usual.rest()
  if (others.length > 0) rows.push(...(await sizes(options, usual, others)))
  const proofs = await Promise.all(stages.map(stage => stage.proofs()))
  notes.push(
    `webhooks: the worker has ${sockets} sockets and ${poolSize} connections a plane; worker, receiver and bench are processes of their own; endpoints have answered before; a wait begins when the writer has its commit`,
  )
  return { rows, notes, proofs: proofs.flat() }
}

async function backlogs(options: Options, stage: Stage) {
  const { backlog, loop, one, batches } = amountsOf(options)
  const runs = await interleave(options.rounds, {
    ours: () => stage.backlog(backlog),
    loop: () => stage.other('/loop', loop),
    one: () => stage.other('/boss-one', one),
    batches: () => stage.other('/boss-batches', batches),
  })
  const of = (side: string, member: keyof Rate) => (runs[side] ?? []).map(run => run[member])
  const row = (name: string, side: string, value: number | null) =>
    rowOf({
      id: 'P7',
      job: `webhooks, a backlog of ${compact(backlog)} events, ${stage.shape.name}`,
      unit: '/s',
      ours: of('ours', 'perSecond'),
      peer: { name, rounds: of(side, 'perSecond') },
      target: value === null ? null : atLeast(value),
    })
  const cost = (side: string) =>
    (['sender', 'database', 'receiver'] as const)
      .map(member => compact(median(of(side, member))))
      .join(' + ')
  return {
    rows: [
      row('bare loop of signed POSTs, 32 at once', 'loop', 0.45),
      row('pg-boss 12, job by job, 32 at once', 'one', 10),
      row('pg-boss 12, 32 jobs a statement', 'batches', null),
    ],
    notes: [
      `webhooks: µs of processor a delivery, sender + PostgreSQL + receiver: ours ${cost('ours')}; the loop ${cost('loop')}; pg-boss job by job ${cost('one')}, in batches ${cost('batches')}`,
    ],
  }
}

async function rates(options: Options, stage: Stage): Promise<Row[]> {
  const { rates: all, seconds, rounds } = amountsOf(options)
  const side = (rate: number) => () => stage.steady(rate, seconds, options.requestsMax)
  const runs = await interleave(
    Math.min(rounds, options.rounds),
    Object.fromEntries(all.map(rate => [`${rate}`, side(rate)])),
  )
  return all.flatMap(rate => {
    const found = runs[`${rate}`] ?? []
    const made = compact(median(found.map(run => run.perSecond)))
    const job = `webhooks, commit to wire at ${rate}/s (${made} came about)`
    const row = (name: 'p50' | 'p99', most: number) =>
      rowOf({
        id: 'P6',
        job: `${job}, ${name}`,
        unit: 'ms',
        ours: found.map(run => run[name]),
        peer: null,
        target: rate === usualRate ? atMost(most) : null,
      })
    return [row('p50', 5), row('p99', 20)]
  })
}

async function sizes(options: Options, usual: Stage, others: readonly Stage[]): Promise<Row[]> {
  const { seconds, backlog, rounds } = amountsOf(options)
  const all = [usual, ...others]
  const over = <T>(work: (stage: Stage) => Promise<T>) =>
    interleave(
      Math.min(rounds, options.rounds),
      Object.fromEntries(
        all.map(stage => [
          stage.shape.name,
          async () => {
            const found = await work(stage)
            await stage.rest()
            return found
          },
        ]),
      ),
    )
  const waits = await over(stage => stage.steady(usualRate, seconds, options.requestsMax))
  const speeds = await over(stage => stage.backlog(backlog / 4))
  return others.flatMap(({ shape }) => {
    const row = (job: string, unit: string, of: (name: string) => number[], most: number | null) =>
      rowOf({
        id: unit === 'ms' ? 'P6' : 'P7',
        job: `webhooks, ${job}, ${shape.name}`,
        unit,
        ours: of(shape.name),
        peer: { name: `the same with ${usual.shape.name}`, rounds: of(usual.shape.name) },
        target: most === null ? null : atMost(most),
      })
    const waiting = (member: keyof Waits, most: number | null) =>
      row(
        `commit to wire at ${usualRate}/s, ${member}`,
        'ms',
        name => (waits[name] ?? []).map(run => run[member]),
        most,
      )
    const speed = (name: string) => (speeds[name] ?? []).map(run => run.perSecond)
    return [waiting('p50', 1.2), waiting('p99', null), row('a backlog', '/s', speed, null)]
  })
}
