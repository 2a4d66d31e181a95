// Webhooks from the commit of an event to the record of its attempt: through a backlog, beside a
// bare loop of signed POSTs and beside a general queue that does the same; and from commit to wire
// at a steady rate, whether there is one endpoint or ten thousand, and however long the history.
import path from 'node:path'
import { openAuthority } from '#clinical/worker/certificates.ts'
import { freePort } from '#database/postmaster.ts'
import { now } from '#database/time-and-chance.ts'
import { type HookHouse, openHooks } from './hooks-house.ts'
import type { Arrivals } from './hooks-receiver.ts'
import type { SenderSettings } from './hooks-sender.ts'
import type { Cluster, House } from './house.ts'
import type { Options } from './options.ts'
import {
  atLeast,
  atMost,
  compact,
  interleave,
  median,
  percentile,
  type Proof,
  type Result,
  type Row,
  rowOf,
} from './rounds.ts'
import { startServer, withClosers } from './server.ts'

/** As a worker is shipped. */
const sockets = 64
const poolSize = 4

type Shape = { name: string; endpoints: number; history: number }

function shapesOf({ isShort, isLarge }: Options): Shape[] {
  const usual = { name: '100 endpoints', endpoints: 100, history: 0 }
  if (isShort)
    return [
      { ...usual, endpoints: 4 },
      { name: 'a history', endpoints: 4, history: 400 },
    ]
  const many = isLarge ? 10_000 : 1000
  const history = isLarge ? 1_000_000 : 100_000
  return [
    usual,
    { name: 'one endpoint', endpoints: 1, history: 0 },
    { name: `${compact(many)} endpoints`, endpoints: many, history: 0 },
    { name: `${compact(history)} rows of history`, endpoints: 100, history },
  ]
}

const ratesOf = ({ isShort }: Options) => (isShort ? [shortRate] : [10, 100, 500, 1000])
const backlogOf = ({ requestsMax }: Options) => Math.min(requestsMax, 3000)
/** The rate at which sizes are compared. */
const usualRate = 100
const shortRate = 200

type Receiver = { port: number; tlsPort: number; ca: string; take(): Promise<Arrivals> }

async function startReceiver(later: (close: () => Promise<unknown>) => void): Promise<Receiver> {
  const authority = openAuthority(now())
  const port = await freePort()
  const leaf = authority.sign('127.0.0.1')
  const command = [process.execPath, path.join(import.meta.dir, 'hooks-receiver.ts')]
  const server = await startServer({ command, port, input: JSON.stringify({ port, ...leaf }) })
  later(() => server.stop())
  const ask = async (name: string): Promise<Arrivals> =>
    (await fetch(`http://127.0.0.1:${port}${name}`)).json()
  const { tlsPort } = await ask('/')
  return { port, tlsPort, ca: authority.cert, take: () => ask('/take') }
}

/** One house and the process that sends for it; at rest until it is measured. */
class Stage {
  sent = 0
  came = 0
  private constructor(
    readonly shape: Shape,
    readonly hooks: HookHouse,
    private readonly receiver: Receiver,
    private readonly port: number,
  ) {}

  static async open(
    house: House,
    shape: Shape,
    receiver: Receiver,
    later: (close: () => Promise<unknown>) => void,
  ): Promise<Stage> {
    const url = `https://127.0.0.1:${receiver.tlsPort}/hooks/`
    const hooks = await openHooks(house, url, shape.endpoints, shape.history)
    later(() => hooks.close())
    const port = await freePort()
    const settings: SenderSettings = {
      port,
      url: house.url,
      urls: { test: house.urls.worker_test, live: house.urls.worker_live },
      pepper: house.pepper,
      ca: receiver.ca,
      sockets,
      poolSize,
      receiver: { url: `${url}1`, secret: hooks.endpoints[0]?.secret ?? '', body: sample },
    }
    const command = [process.execPath, path.join(import.meta.dir, 'hooks-sender.ts')]
    const server = await startServer({ command, port, input: JSON.stringify(settings) })
    later(() => server.stop())
    return new Stage(shape, hooks, receiver, port)
  }

  async ask(name: string): Promise<{ posts: number; milliseconds: number }> {
    return (await fetch(`http://127.0.0.1:${this.port}${name}`)).json()
  }

  /** Deliveries a second, from a pile of committed events to the last attempt on record. */
  async backlog(events: number): Promise<number> {
    await this.hooks.pile(events)
    const started = performance.now()
    await this.ask('/work')
    await this.finish(events)
    const seconds = (performance.now() - started) / 1000
    await this.ask('/rest')
    await this.receiver.take()
    return events / seconds
  }

  /** Events at a steady rate, whatever becomes of them: what each waited for, in milliseconds. */
  async steady(rate: number, seconds: number, most: number): Promise<Waits> {
    await this.ask('/work')
    const count = Math.min(most, Math.ceil(rate * seconds))
    const started = performance.now()
    const writes: ReturnType<HookHouse['emit']>[] = []
    while (writes.length < count) {
      const dueNow = Math.min(count, 1 + Math.floor(((performance.now() - started) * rate) / 1000))
      while (writes.length < dueNow) writes.push(this.hooks.emit())
      await Bun.sleep(Math.min(2, 1000 / rate))
    }
    const events = await Promise.all(writes)
    const lasted = (performance.now() - started) / 1000
    await this.finish(count)
    await this.ask('/rest')
    const { events: came } = await this.receiver.take()
    const waits = events.map(({ id, at }) => (came[id] ?? Number.NaN) - at)
    const sorted = Float64Array.from(waits).sort()
    const rateMade = count / lasted
    return { p50: percentile(sorted, 0.5), p99: percentile(sorted, 0.99), rateMade }
  }

  private async finish(events: number): Promise<void> {
    this.sent += events
    while (!(await this.hooks.isDone())) await Bun.sleep(20)
  }

  async proofs(): Promise<Proof[]> {
    const { outbox, due, delivered, attempts } = await this.hooks.made()
    const what = (name: string) => `webhooks, ${this.shape.name}: ${name}`
    return [
      { what: what('deliveries on record'), expected: this.sent, found: delivered },
      { what: what('attempts on record'), expected: this.sent, found: attempts },
      { what: what('rows written and left'), expected: 0, found: outbox + due },
    ]
  }
}

type Waits = { p50: number; p99: number; rateMade: number }

/** As long as an event is. */
const sample = JSON.stringify({
  id: 'evt_01kajzq0000000000000000000',
  type: 'patient.created.v1',
  created_at: '2026-09-01T12:00:00.000Z',
  organization: 'org_01kajzq0000000000000000000',
  mode: 'test',
  resource: { type: 'patient', id: 'pat_01kajzq0000000000000000000' },
  status: 'created',
  previous_status: null,
})

export async function webhooks(options: Options, cluster: Cluster): Promise<Result> {
  return withClosers(async later => {
    const receiver = await startReceiver(later)
    const stages: Stage[] = []
    const inside = async (left: readonly Shape[]): Promise<Result> => {
      const [shape, ...rest] = left
      if (!shape) return measure(options, stages)
      return cluster.withHouse(`hooks_${stages.length}`, house =>
        withClosers(async close => {
          stages.push(await Stage.open(house, shape, receiver, close))
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
  const rows = [
    ...(await backlogs(options, usual)),
    ...(await rates(options, usual)),
    ...(await sizes(options, usual, others)),
  ]
  const proofs = await Promise.all(stages.map(stage => stage.proofs()))
  const notes = [
    `webhooks: the worker has ${sockets} sockets and ${poolSize} connections a plane; worker, receiver and bench are processes of their own; a wait begins when the writer has its commit`,
  ]
  return { rows, notes, proofs: proofs.flat() }
}

async function backlogs(options: Options, stage: Stage): Promise<Row[]> {
  const count = backlogOf(options)
  const bare = (name: string, posts: number) => async () => {
    const did = await stage.ask(`${name}?count=${posts}`)
    return (did.posts / did.milliseconds) * 1000
  }
  const runs = await interleave(options.rounds, {
    ours: () => stage.backlog(count),
    // Many more, or a busy machine would not notice that it was there.
    loop: bare('/loop', 10 * count),
    one: bare('/boss-one', count),
    batches: bare('/boss-batches', count),
  })
  const ours = runs['ours'] ?? []
  const row = (name: string, side: string, value: number | null) =>
    rowOf({
      id: 'P7',
      job: `webhooks, a backlog of ${compact(count)}, ${stage.shape.name}`,
      unit: '/s',
      ours,
      peer: { name, rounds: runs[side] ?? [] },
      target: value === null ? null : atLeast(value),
    })
  return [
    row('bare loop of signed POSTs, 32 at once', 'loop', 0.45),
    row('pg-boss 12, job by job, 32 at once', 'one', 10),
    row('pg-boss 12, 32 jobs a statement', 'batches', null),
  ]
}

async function rates(options: Options, stage: Stage): Promise<Row[]> {
  const all = ratesOf(options)
  const side = (rate: number) => () => stage.steady(rate, options.seconds, options.requestsMax)
  const runs = await interleave(
    options.rounds,
    Object.fromEntries(all.map(rate => [`${rate}`, side(rate)])),
  )
  return all.flatMap(rate => {
    const found = runs[`${rate}`] ?? []
    const made = compact(median(found.map(run => run.rateMade)))
    const job = `webhooks, commit to wire at ${rate}/s (${made} came about)`
    const row = (name: 'p50' | 'p99', most: number) =>
      rowOf({
        id: 'P6',
        job: `${job}, ${name}`,
        unit: 'ms',
        ours: found.map(run => run[name]),
        peer: null,
        target: rate === 500 ? atMost(most) : null,
      })
    return [row('p50', 5), row('p99', 20)]
  })
}

async function sizes(options: Options, usual: Stage, others: readonly Stage[]): Promise<Row[]> {
  const all = [usual, ...others]
  const over = <T>(work: (stage: Stage) => Promise<T>) =>
    interleave(
      options.rounds,
      Object.fromEntries(all.map(stage => [stage.shape.name, () => work(stage)])),
    )
  const waits = await over(stage => stage.steady(usualRate, options.seconds, options.requestsMax))
  const speeds = await over(stage => stage.backlog(backlogOf(options)))
  const name = `the same with ${usual.shape.name}`
  const peerOf = (rounds: readonly number[]) => ({ name, rounds })
  return others.flatMap(({ shape }) => {
    const of = (which: string, member: 'p50' | 'p99') =>
      (waits[which] ?? []).map(run => run[member])
    const waiting = (member: 'p50' | 'p99') =>
      rowOf({
        id: 'P6',
        job: `webhooks, commit to wire at ${usualRate}/s, ${shape.name}, ${member}`,
        unit: 'ms',
        ours: of(shape.name, member),
        peer: peerOf(of(usual.shape.name, member)),
        target: member === 'p50' ? atMost(1.2) : null,
      })
    const speed = rowOf({
      id: 'P7',
      job: `webhooks, a backlog, ${shape.name}`,
      unit: '/s',
      ours: speeds[shape.name] ?? [],
      peer: peerOf(speeds[usual.shape.name] ?? []),
      target: null,
    })
    return [waiting('p50'), waiting('p99'), speed]
  })
}
