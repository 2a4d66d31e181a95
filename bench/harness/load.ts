// The load generator: a closed loop of keep-alive connections over raw sockets, in a separate
// process, so its CPU time is separate from the server's. The generator is deliberately cheap: it
// splits responses by their length and reads only the status.
import type { Socket } from 'bun'
import { percentile } from './rounds.ts'

export type Plan = {
  port: number
  connections: number
  seconds: number
  requestsMax: number
  /** Complete requests. Connection n of c starts with the n-th, continues in steps of c, and starts
   *  over at the end. With a pace, the requests are sent in order. */
  texts: readonly string[]
  /**
   * Requests per second, sent even if earlier requests have no response yet. A request that waits
   * for a free connection is timed from its due time. Without a pace, connections send without
   * pausing.
   */
  pace?: number
}

export type Load = {
  answers: number
  statuses: Record<string, number>
  perSecond: number
  p50: number
  p99: number
  /** The generator's CPU time per request, in microseconds. */
  clientCost: number
}

/** A placeholder, which is replaced in each request by sixteen unique characters. */
export const uniqueMark = '~'.repeat(16)

/** One request in its wire format. */
export function requestText(
  method: string,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  body = '',
): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const length = body === '' ? '' : `content-length: ${Buffer.byteLength(body)}\r\n`
  return `${method} ${path} HTTP/1.1\r\nhost: localhost\r\n${lines.join('')}${length}\r\n${body}`
}

/** Runs a plan in a separate process. */
export async function load(plan: Plan): Promise<Load> {
  const child = Bun.spawn([process.execPath, import.meta.path], {
    stdin: new Blob([JSON.stringify(plan)]),
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [out, error, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  if (code !== 0) throw new Error(`The load generator failed: ${error}`)
  return JSON.parse(out)
}

/** A request, and the positions of its unique characters. */
type Template = { bytes: Buffer; marks: number[] }

function templateOf(text: string): Template {
  const marks: number[] = []
  for (
    let found = text.indexOf(uniqueMark);
    found >= 0;
    found = text.indexOf(uniqueMark, found + 1)
  ) {
    marks.push(found)
  }
  return { bytes: Buffer.from(text, 'latin1'), marks }
}

type ConnectionState = {
  /** The index of the next request to send. */
  at: number
  sent: number
  /** The start of a response whose head is still incomplete. */
  head: Buffer | null
  /** Body bytes still to come; infinity for a chunked body. */
  left: number
  /** The last bytes of a chunked body, used to detect its end. */
  tail: string
  status: string
}

class Generator {
  readonly latencies: number[] = []
  readonly statuses: Record<string, number> = {}
  private readonly run = crypto.getRandomValues(Buffer.alloc(4)).toString('hex')
  private readonly templates: Template[]
  private sentCount = 0
  private open: number
  private due = 0
  private readonly waiting: number[] = []
  private readonly free: Socket<ConnectionState>[] = []
  private started = 0
  private ended = 0
  private readonly finished = Promise.withResolvers<void>()

  constructor(private readonly plan: Plan) {
    this.open = plan.connections
    this.templates = plan.texts.map(templateOf)
  }

  async measure(): Promise<Load> {
    const { plan } = this
    const sockets = await Promise.all(
      Array.from({ length: plan.connections }, (_, at) => this.connect(at)),
    )
    const before = process.cpuUsage()
    this.started = performance.now()
    const clock = plan.pace === undefined ? undefined : setInterval(() => this.enqueueDue(), 1)
    for (const socket of sockets) this.next(socket)
    await this.finished.promise
    clearInterval(clock)
    const { user, system } = process.cpuUsage(before)
    for (const socket of sockets) socket.end()
    const sorted = Float64Array.from(this.latencies).sort()
    return {
      answers: sorted.length,
      statuses: this.statuses,
      perSecond: (sorted.length / (this.ended - this.started)) * 1000,
      p50: percentile(sorted, 0.5),
      p99: percentile(sorted, 0.99),
      clientCost: (user + system) / sorted.length,
    }
  }

  private connect(at: number): Promise<Socket<ConnectionState>> {
    const data: ConnectionState = { at, sent: 0, head: null, left: 0, tail: '', status: '' }
    const failed = (reason: string) => this.finished.reject(new Error(reason))
    return Bun.connect<ConnectionState>({
      hostname: '127.0.0.1',
      port: this.plan.port,
      data,
      socket: {
        data: (socket, chunk) => this.receive(socket, chunk),
        close: () => failed('The server closed a connection.'),
        error: (_, error) => failed(error.message),
      },
    })
  }

  /** Queues the requests that have become due. */
  private enqueueDue(): void {
    const { pace = 0, seconds, requestsMax, connections } = this.plan
    const now = performance.now()
    const total = Math.min(requestsMax, Math.floor(seconds * pace))
    const due = Math.min(total, Math.floor(((now - this.started) * pace) / 1000) + 1)
    for (; this.due < due; this.due++) this.waiting.push(now)
    this.dispatch()
    if (this.sentCount === total && this.free.length === connections) this.finished.resolve()
  }

  private dispatch(): void {
    while (this.waiting.length > 0) {
      const socket = this.free.pop()
      if (!socket) return
      socket.data.at = this.sentCount
      this.send(socket, this.waiting.shift() ?? 0)
    }
  }

  private next(socket: Socket<ConnectionState>): void {
    const now = performance.now()
    this.ended = now
    if (this.plan.pace !== undefined) {
      this.free.push(socket)
      return this.dispatch()
    }
    const isOver = now - this.started > this.plan.seconds * 1000
    if (!isOver && this.sentCount < this.plan.requestsMax) return this.send(socket, now)
    if (--this.open === 0) this.finished.resolve()
  }

  private send(socket: Socket<ConnectionState>, since: number): void {
    const state = socket.data
    const { bytes, marks } = this.templates[state.at % this.templates.length] ?? templateOf('')
    state.at += this.plan.connections
    const key = `${this.run}${String(this.sentCount++).padStart(8, '0')}`
    for (const mark of marks) bytes.write(key, mark, 'latin1')
    state.sent = since
    if (socket.write(bytes) !== bytes.length) {
      this.finished.reject(new Error('A request was too long for one write.'))
    }
  }

  private receive(socket: Socket<ConnectionState>, chunk: Buffer): void {
    const state = socket.data
    if (state.left > 0) return this.continue(socket, chunk)
    const bytes = state.head ? Buffer.concat([state.head, chunk]) : chunk
    const end = bytes.indexOf('\r\n\r\n')
    if (end < 0) {
      state.head = Buffer.from(bytes)
      return
    }
    state.head = null
    const head = bytes.toString('latin1', 0, end)
    state.status = head.slice(9, 12)
    if (/\r\ntransfer-encoding: chunked/i.test(head)) {
      state.left = Number.POSITIVE_INFINITY
      state.tail = ''
      return this.continue(socket, bytes.subarray(end + 2))
    }
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? Number.NaN)
    const expected = state.status === '304' || state.status === '204' ? 0 : length
    // Without a length, the response's end is unknown, and the next response would be miscounted.
    if (Number.isNaN(expected)) return this.finished.reject(new Error(`No length:\n${head}`))
    state.left = end + 4 + expected - bytes.length
    if (state.left <= 0) this.finishResponse(socket)
  }

  private continue(socket: Socket<ConnectionState>, chunk: Buffer): void {
    const state = socket.data
    state.left -= chunk.length
    state.tail = (state.tail + chunk.toString('latin1', Math.max(0, chunk.length - 7))).slice(-7)
    if (state.tail === '\r\n0\r\n\r\n') state.left = 0
    if (state.left <= 0) this.finishResponse(socket)
  }

  private finishResponse(socket: Socket<ConnectionState>): void {
    const { status, sent } = socket.data
    this.latencies.push(performance.now() - sent)
    this.statuses[status] = (this.statuses[status] ?? 0) + 1
    this.next(socket)
  }
}

if (import.meta.main) {
  const plan: Plan = await Bun.stdin.json()
  console.log(JSON.stringify(await new Generator(plan).measure()))
  process.exit(0)
}
