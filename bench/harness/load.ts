// The load generator: a closed loop of keep-alive connections over bare sockets, in a process of
// its own, so that its processor time is told apart from the server's. Cheap on purpose: it cuts
// the answers by their length and looks at nothing but the status.
import type { Socket } from 'bun'
import { percentile } from './rounds.ts'

export type Plan = {
  port: number
  connections: number
  seconds: number
  requestsMax: number
  /** Whole requests. Connection n of c begins with the n-th and goes on in steps of c, around and
   *  around; with a pace they are sent in their order. */
  texts: readonly string[]
  /** Requests a second, begun whether those before are answered or not. What waits for a free
   *  connection has been waiting since it was due. Absent: each connection sends when it may. */
  pace?: number
}

export type Load = {
  answers: number
  statuses: Record<string, number>
  perSecond: number
  p50: number
  p99: number
  /** Processor time of the generator for each request, in microseconds. */
  clientCost: number
}

/** Stands in a request for sixteen characters that no other request has. */
export const fresh = '~'.repeat(16)

/** One request as it crosses the wire. */
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

/** Sends as planned, from another process. */
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

/** A request, and where in it the key of each sending goes. */
type Template = { bytes: Buffer; marks: number[] }

function templateOf(text: string): Template {
  const marks: number[] = []
  for (let found = text.indexOf(fresh); found >= 0; found = text.indexOf(fresh, found + 1)) {
    marks.push(found)
  }
  return { bytes: Buffer.from(text, 'latin1'), marks }
}

/** What one connection is in the middle of. */
type Line = {
  /** Of the next request to send. */
  at: number
  sent: number
  /** The beginning of an answer whose head is not whole yet. */
  head: Buffer | null
  /** Bytes of the body still to come; of one that comes in chunks, infinitely many. */
  left: number
  /** How the bytes so far end, where only that says that they are all. */
  tail: string
  status: string
}

class Generator {
  readonly latencies: number[] = []
  readonly statuses: Record<string, number> = {}
  private readonly run = crypto.getRandomValues(Buffer.alloc(4)).toString('hex')
  private readonly templates: Template[]
  private asked = 0
  private open: number
  private due = 0
  private readonly waiting: number[] = []
  private readonly free: Socket<Line>[] = []
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
    const clock = plan.pace === undefined ? undefined : setInterval(() => this.tick(), 1)
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

  private connect(at: number): Promise<Socket<Line>> {
    const data: Line = { at, sent: 0, head: null, left: 0, tail: '', status: '' }
    const failed = (reason: string) => this.finished.reject(new Error(reason))
    return Bun.connect<Line>({
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

  /** What has become due waits from now on for a free connection. */
  private tick(): void {
    const { pace = 0, seconds, requestsMax, connections } = this.plan
    const now = performance.now()
    const most = Math.min(requestsMax, Math.floor(seconds * pace))
    const due = Math.min(most, Math.floor(((now - this.started) * pace) / 1000) + 1)
    for (; this.due < due; this.due++) this.waiting.push(now)
    this.hand()
    if (this.asked === most && this.free.length === connections) this.finished.resolve()
  }

  private hand(): void {
    while (this.waiting.length > 0) {
      const socket = this.free.pop()
      if (!socket) return
      socket.data.at = this.asked
      this.send(socket, this.waiting.shift() ?? 0)
    }
  }

  private next(socket: Socket<Line>): void {
    const now = performance.now()
    this.ended = now
    if (this.plan.pace !== undefined) {
      this.free.push(socket)
      return this.hand()
    }
    const isOver = now - this.started > this.plan.seconds * 1000
    if (!isOver && this.asked < this.plan.requestsMax) return this.send(socket, now)
    if (--this.open === 0) this.finished.resolve()
  }

  private send(socket: Socket<Line>, since: number): void {
    const line = socket.data
    const { bytes, marks } = this.templates[line.at % this.templates.length] ?? templateOf('')
    line.at += this.plan.connections
    const key = `${this.run}${String(this.asked++).padStart(8, '0')}`
    for (const mark of marks) bytes.write(key, mark, 'latin1')
    line.sent = since
    if (socket.write(bytes) !== bytes.length) {
      this.finished.reject(new Error('A request was too long for one write.'))
    }
  }

  private receive(socket: Socket<Line>, chunk: Buffer): void {
    const line = socket.data
    if (line.left > 0) return this.continue(socket, chunk)
    const bytes = line.head ? Buffer.concat([line.head, chunk]) : chunk
    const end = bytes.indexOf('\r\n\r\n')
    if (end < 0) {
      line.head = Buffer.from(bytes)
      return
    }
    line.head = null
    const head = bytes.toString('latin1', 0, end)
    line.status = head.slice(9, 12)
    if (/\r\ntransfer-encoding: chunked/i.test(head)) {
      line.left = Number.POSITIVE_INFINITY
      line.tail = ''
      return this.continue(socket, bytes.subarray(end + 2))
    }
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? Number.NaN)
    const expected = line.status === '304' || line.status === '204' ? 0 : length
    // Without a length the end of the answer is not known, and the next would be miscounted.
    if (Number.isNaN(expected)) return this.finished.reject(new Error(`No length:\n${head}`))
    line.left = end + 4 + expected - bytes.length
    if (line.left <= 0) this.answered(socket)
  }

  private continue(socket: Socket<Line>, chunk: Buffer): void {
    const line = socket.data
    line.left -= chunk.length
    line.tail = (line.tail + chunk.toString('latin1', Math.max(0, chunk.length - 7))).slice(-7)
    if (line.tail === '\r\n0\r\n\r\n') line.left = 0
    if (line.left <= 0) this.answered(socket)
  }

  private answered(socket: Socket<Line>): void {
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
