// A load generator for pages that cost only microseconds: wrk if installed, because wrk uses less
// CPU time, and otherwise our own generator.
import { type Load, load, requestText } from './load.ts'
import { findProgram } from './machine.ts'

const wrk = findProgram('wrk')

export type HttpLoad = {
  port: number
  path: string
  headers: Readonly<Record<string, string>>
  connections: number
  seconds: number
  requestsMax: number
}

/** A request limit requires our own generator, because wrk can limit only the duration. */
const wrkFor = ({ requestsMax }: Pick<HttpLoad, 'requestsMax'>) =>
  requestsMax > 1_000_000 ? wrk : null

export const httpLoadName = (bound: Pick<HttpLoad, 'requestsMax'>) =>
  wrkFor(bound) === null ? 'our own generator' : 'wrk with one thread'

export function httpLoad(options: HttpLoad, status = '200'): Promise<Load> {
  const program = wrkFor(options)
  if (program !== null) return runWrk(program, options, status)
  const texts = [requestText('GET', options.path, options.headers)]
  return load({ ...options, texts })
}

async function runWrk(program: string, options: HttpLoad, status: string): Promise<Load> {
  const headers = Object.entries(options.headers).flatMap(([name, value]) => [
    '-H',
    `${name}: ${value}`,
  ])
  const shape = ['-t1', `-c${options.connections}`, `-d${Math.ceil(options.seconds)}s`, '--latency']
  const url = `http://127.0.0.1:${options.port}${options.path}`
  const child = Bun.spawn([program, ...shape, ...headers, url], { stdout: 'pipe' })
  const [out] = await Promise.all([new Response(child.stdout).text(), child.exited])
  const answers = Number(/(\d+) requests in/.exec(out)?.[1])
  const refused = Number(/Non-2xx or 3xx responses: (\d+)/.exec(out)?.[1] ?? 0)
  if (!(answers > 0)) throw new Error(`wrk could not run:\n${out}`)
  const used = child.resourceUsage()?.cpuTime.total
  return {
    answers,
    statuses: { [status]: answers - refused, other: refused },
    perSecond: Number(/^Requests\/sec:\s+([\d.]+)/m.exec(out)?.[1]),
    p50: milliseconds(/^\s+50%\s+(\S+)/m.exec(out)?.[1] ?? ''),
    p99: milliseconds(/^\s+99%\s+(\S+)/m.exec(out)?.[1] ?? ''),
    clientCost: used === undefined ? Number.NaN : Number(used) / answers,
  }
}

const units: Readonly<Record<string, number>> = { us: 0.001, ms: 1, s: 1000, m: 60_000 }

function milliseconds(text: string): number {
  const [, number, unit] = /^([\d.]+)(us|ms|s|m)$/.exec(text) ?? []
  return Number(number) * (units[unit ?? ''] ?? Number.NaN)
}
