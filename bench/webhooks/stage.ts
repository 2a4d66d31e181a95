// The webhook benchmark's environment and processes: the sender, which is idle until it's measured,
// and the receiver, where deliveries are counted.
import path from 'node:path'
import { openAuthority } from '#http/testing/certificates.ts'
import { freePort } from '#database/embedded/postmaster.ts'
import { now } from '#database/clock.ts'
import { workerUrls } from '#database/roles.ts'
import { until } from '#http/testing/until.ts'
import { type WebhookEnvironment, openEndpoints } from './endpoints.ts'
import { openFloor } from './floor.ts'
import type { Arrivals } from './receiver.ts'
import type { SenderSettings } from './sender.ts'
import type { BenchEnvironment } from '../harness/environment.ts'
import { processorTime, processorTimeOfTree } from '../harness/machine.ts'
import { percentile, type Proof } from '../harness/rounds.ts'
import { startServer } from '../harness/server.ts'

/** A worker's defaults. */
export const sockets = 64
export const poolSize = 4

export type Shape = { name: string; endpoints: number; history: number }
type OnClose = (close: () => Promise<unknown>) => void

export type Receiver = {
  pid: number
  tlsPort: number
  ca: string
  /** Requests since the last `take`. */
  count(): Promise<number>
  take(): Promise<Arrivals>
}

export async function startReceiver(onClose: OnClose): Promise<Receiver> {
  const authority = openAuthority(now())
  const port = await freePort()
  const leaf = authority.sign('127.0.0.1')
  const command = [process.execPath, path.join(import.meta.dir, 'receiver.ts')]
  const server = await startServer({ command, port, input: JSON.stringify({ port, ...leaf }) })
  onClose(() => server.stop())
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

/** Deliveries or POSTs per second, and the CPU time of each in microseconds. */
export type Rate = { perSecond: number; sender: number; database: number; receiver: number }
/** Milliseconds from commit to arrival. */
export type Waits = { p50: number; p99: number; perSecond: number }

/** A sample as long as a real event. */
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

export class WebhookBench {
  private sent = 0
  private received = 0
  private loopSent = 0
  private loopReceived = 0
  private writeFloor: ((count: number) => Promise<void>) | undefined
  private constructor(
    readonly shape: Shape,
    private readonly environment: BenchEnvironment,
    private readonly hooks: WebhookEnvironment,
    private readonly receiver: Receiver,
    private readonly sender: { port: number; pid: number },
  ) {}

  static async open(
    environment: BenchEnvironment,
    shape: Shape,
    receiver: Receiver,
    onClose: OnClose,
  ): Promise<WebhookBench> {
    const url = `https://127.0.0.1:${receiver.tlsPort}/hooks/`
    const hooks = await openEndpoints(environment, url, shape.endpoints, shape.history)
    onClose(() => hooks.close())
    const port = await freePort()
    const settings: SenderSettings = {
      port,
      urls: workerUrls(environment.urls),
      pepper: environment.pepper,
      ca: receiver.ca,
      sockets,
      poolSize,
      receiver: { url: `${url}1`, secret: hooks.endpoints[0]?.secret ?? '', body: sample },
    }
    const command = [process.execPath, path.join(import.meta.dir, 'sender.ts')]
    const server = await startServer({ command, port, input: JSON.stringify(settings) })
    onClose(() => server.stop())
    return new WebhookBench(shape, environment, hooks, receiver, server)
  }

  /** The time from a backlog of committed events until the last attempt is recorded. */
  async backlog(events: number): Promise<Rate> {
    await this.ask('/work')
    await this.hooks.addBacklog(events)
    const rate = await this.meter(events, async () => {
      const committed = performance.now()
      this.hooks.notify()
      await this.finish(events)
      return committed
    })
    this.received += (await this.receiver.take()).posts
    return rate
  }

  /** Writes events at a steady rate (an open loop). Returns how many milliseconds each event
   *  waited. */
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
    this.received += posts
    const waits = events.map(({ id, at }) => (came[id] ?? Number.NaN) - at)
    const sorted = Float64Array.from(waits).sort()
    const [p50, p99] = [percentile(sorted, 0.5), percentile(sorted, 0.99)]
    return { p50, p99, perSecond: count / lasted }
  }

  /** Stops the worker, because there aren't enough connections for every environment. */
  async rest(): Promise<void> {
    await this.ask('/rest')
  }

  /** Runs POSTs in a bare loop. The sender sends and measures them itself. */
  async loop(posts: number): Promise<Rate> {
    let perSecond = 0
    const rate = await this.meter(posts, async () => {
      const did = await this.ask(`/loop?count=${posts}`)
      perSecond = (did.posts / did.milliseconds) * 1000
      return 0
    })
    this.loopSent += posts
    this.loopReceived += (await this.receiver.take()).posts
    return { ...rate, perSecond }
  }

  /** Writes only a delivery's rows (floor.ts). */
  async floor(deliveries: number): Promise<Rate> {
    const write = (this.writeFloor ??= await openFloor(this.environment, this.hooks.endpoints))
    return this.meter(deliveries, async () => {
      const started = performance.now()
      await write(deliveries)
      return started
    })
  }

  /** `work` returns the time at which the measurement starts. */
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

  /** Polls the receiver first, because polling the database costs more. */
  private async finish(events: number): Promise<void> {
    this.sent += events
    await until(async () => (await this.receiver.count()) >= events, 5)
    await until(() => this.hooks.isDone(), 5)
  }

  async proofs(): Promise<Proof[]> {
    const { unread, due, delivered, attempts } = await this.hooks.counted()
    const what = (name: string) => `webhooks, ${this.shape.name}: ${name}`
    const counted = [
      { what: what('deliveries on record'), expected: this.sent, found: delivered },
      { what: what('attempts on record'), expected: this.sent, found: attempts },
      { what: what('deliveries that came'), expected: this.sent, found: this.received },
      { what: what('rows written and left'), expected: 0, found: unread + due },
    ]
    const loops = what('POSTs of the loop that came')
    return this.loopSent === 0
      ? counted
      : [...counted, { what: loops, expected: this.loopSent, found: this.loopReceived }]
  }
}
