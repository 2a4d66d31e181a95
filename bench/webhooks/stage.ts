// A house that sends webhooks, with the processes around it: a worker that rests until it is
// measured, and the receiver. What a side does is counted where it arrives.
import path from 'node:path'
import { openAuthority } from '#clinical/webhooks/delivery/testing/certificates.ts'
import { freePort } from '#database/embedded/postmaster.ts'
import { now } from '#database/clock.ts'
import { workerUrls } from '#database/roles.ts'
import { type WebhookEnvironment, openHooks } from './endpoints.ts'
import type { Arrivals } from './receiver.ts'
import type { SenderSettings } from './sender.ts'
import type { AppContext } from '../harness/environment.ts'
import { processorTime, processorTimeOfTree } from '../harness/machine.ts'
import { percentile, type Proof } from '../harness/rounds.ts'
import { startServer } from '../harness/server.ts'

/** As a worker is shipped. */
export const sockets = 64
export const poolSize = 4

export type Shape = { name: string; endpoints: number; history: number }
type Later = (close: () => Promise<unknown>) => void

export type Receiver = {
  pid: number
  tlsPort: number
  ca: string
  /** How many came since they were last taken. */
  count(): Promise<number>
  take(): Promise<Arrivals>
}

export async function startReceiver(later: Later): Promise<Receiver> {
  const authority = openAuthority(now())
  const port = await freePort()
  const leaf = authority.sign('127.0.0.1')
  const command = [process.execPath, path.join(import.meta.dir, 'receiver.ts')]
  const server = await startServer({ command, port, input: JSON.stringify({ port, ...leaf }) })
  later(() => server.stop())
  const ask = async (name: string): Promise<Arrivals> =>
    (await fetch(`http://127.0.0.1:${port}${name}`)).json()
  const { tlsPort } = await ask('/')
  return {
    pid: server.pid,
    tlsPort,
    ca: authority.cert,
    count: async () => (await ask('/')).posts,
    take: () => ask('/take'),
  }
}

/** Deliveries, POSTs or jobs a second, and the microseconds of processor that each of them took. */
export type Rate = { perSecond: number; sender: number; database: number; receiver: number }
/** Milliseconds from commit to wire. */
export type Waits = { p50: number; p99: number; perSecond: number }

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

export class Stage {
  private sent = 0
  private came = 0
  private looped = 0
  private loopCame = 0
  private constructor(
    readonly shape: Shape,
    private readonly environment: AppContext,
    private readonly hooks: WebhookEnvironment,
    private readonly receiver: Receiver,
    private readonly sender: { port: number; pid: number },
  ) {}

  static async open(
    environment: AppContext,
    shape: Shape,
    receiver: Receiver,
    later: Later,
  ): Promise<Stage> {
    const url = `https://127.0.0.1:${receiver.tlsPort}/hooks/`
    const hooks = await openHooks(environment, url, shape.endpoints, shape.history)
    later(() => hooks.close())
    const port = await freePort()
    const settings: SenderSettings = {
      port,
      url: environment.url,
      urls: workerUrls(environment.urls),
      pepper: environment.pepper,
      ca: receiver.ca,
      sockets,
      poolSize,
      receiver: { url: `${url}1`, secret: hooks.endpoints[0]?.secret ?? '', body: sample },
    }
    const command = [process.execPath, path.join(import.meta.dir, 'sender.ts')]
    const server = await startServer({ command, port, input: JSON.stringify(settings) })
    later(() => server.stop())
    return new Stage(shape, environment, hooks, receiver, server)
  }

  /** From a pile of committed events to the last attempt on record. */
  async backlog(events: number): Promise<Rate> {
    await this.ask('/work')
    const rate = await this.meter(events, async () => {
      await this.hooks.pile(events)
      const piled = performance.now()
      this.hooks.notify()
      await this.finish(events)
      return piled
    })
    this.came += (await this.receiver.take()).posts
    return rate
  }

  /** Events at a steady rate, whatever becomes of them: what each waited for, in milliseconds. */
  async steady(rate: number, seconds: number, most: number): Promise<Waits> {
    await this.ask('/work')
    const count = Math.min(most, Math.ceil(rate * seconds))
    const started = performance.now()
    const writes: ReturnType<WebhookEnvironment['emit']>[] = []
    while (writes.length < count) {
      const dueNow = Math.min(count, 1 + Math.floor(((performance.now() - started) * rate) / 1000))
      while (writes.length < dueNow) writes.push(this.hooks.emit())
      await Bun.sleep(Math.min(2, 1000 / rate))
    }
    const events = await Promise.all(writes)
    const lasted = (performance.now() - started) / 1000
    await this.finish(count)
    const { events: came, posts } = await this.receiver.take()
    this.came += posts
    const waits = events.map(({ id, at }) => (came[id] ?? Number.NaN) - at)
    const sorted = Float64Array.from(waits).sort()
    const [p50, p99] = [percentile(sorted, 0.5), percentile(sorted, 0.99)]
    return { p50, p99, perSecond: count / lasted }
  }

  /** Its worker gives back its connections, which are not enough for all stages. */
  async rest(): Promise<void> {
    await this.ask('/rest')
  }

  /** POSTs of a bare loop, or through a queue, which the sender makes and times by itself. */
  async other(name: string, posts: number): Promise<Rate> {
    let perSecond = 0
    const rate = await this.meter(posts, async () => {
      const did = await this.ask(`${name}?count=${posts}`)
      perSecond = (did.posts / did.milliseconds) * 1000
      return 0
    })
    this.looped += posts
    this.loopCame += (await this.receiver.take()).posts
    return { ...rate, perSecond }
  }

  /** `work` answers when it began in earnest. */
  private async meter(count: number, work: () => Promise<number>): Promise<Rate> {
    const times = () => ({
      sender: processorTime(this.sender.pid),
      database: processorTimeOfTree(this.environment.postmaster),
      receiver: processorTime(this.receiver.pid),
    })
    const before = times()
    const started = await work()
    const seconds = (performance.now() - started) / 1000
    const after = times()
    return {
      perSecond: count / seconds,
      sender: (after.sender - before.sender) / count,
      database: (after.database - before.database) / count,
      receiver: (after.receiver - before.receiver) / count,
    }
  }

  private async ask(name: string): Promise<{ posts: number; milliseconds: number }> {
    return (await fetch(`http://127.0.0.1:${this.sender.port}${name}`)).json()
  }

  /** The receiver is asked first: a question costs it less than it costs the database. */
  private async finish(events: number): Promise<void> {
    this.sent += events
    while ((await this.receiver.count()) < events) await Bun.sleep(5)
    while (!(await this.hooks.isDone())) await Bun.sleep(5)
  }

  async proofs(): Promise<Proof[]> {
    const { outbox, due, delivered, attempts } = await this.hooks.made()
    const what = (name: string) => `webhooks, ${this.shape.name}: ${name}`
    const counted = [
      { what: what('deliveries on record'), expected: this.sent, found: delivered },
      { what: what('attempts on record'), expected: this.sent, found: attempts },
      { what: what('deliveries that came'), expected: this.sent, found: this.came },
      { what: what('rows written and left'), expected: 0, found: outbox + due },
    ]
    const loops = what('POSTs of the loop and the queue that came')
    return this.looped === 0
      ? counted
      : [...counted, { what: loops, expected: this.looped, found: this.loopCame }]
  }
}
