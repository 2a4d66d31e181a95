// Shows documents as images. Each page is rendered in its own process (process.ts), which is sealed
// before it reads the document and limited in memory, time and output. A document that crashes the
// process only causes one page to be refused.

import path from 'node:path'
import { fileFindings } from '#contract/console/files.ts'
import type { Mime } from './sniff.ts'
import { exits, type Finding, type RenderHead, type RenderRequest } from './protocol.ts'

export type Rendered =
  | {
      readonly pages: number
      readonly width: number
      readonly height: number
      /** WebP. */
      readonly image: Uint8Array<ArrayBuffer>
    }
  | { readonly finding: Finding }

export type Viewer = {
  render(bytes: Uint8Array | Blob, request: { mime: Mime; page: number }): Promise<Rendered>
}

/** No process could render the page, for reasons unrelated to the document. The call may be
 *  retried. */
export class ViewerUnavailable extends Error {
  override name = 'ViewerUnavailable'
}

type ViewerSettings = {
  /** The process's script. */
  script: string
  /** Limits on processor time and wall-clock time. Starting takes about one second of processor
   *  time. */
  processorSecondsMax: number
  secondsMax: number
  /** How many processes run concurrently, and how many wait. */
  atOnceMax: number
  waitingMax: number
}

const defaults: ViewerSettings = {
  script: path.join(import.meta.dir, 'process.ts'),
  processorSecondsMax: 3,
  secondsMax: 30,
  atOnceMax: 2,
  waitingMax: 32,
}

/** The runtime reserves about half of this without using it. */
const memoryBytesMax = 1600 * 2 ** 20
const answerBytesMax = 12 * 2 ** 20

// The shell sets limits that a process can set only for itself and its children: the process can't
// write files or memory dumps, and is the first to be killed when the machine runs out of memory.
const limited = ({ processorSecondsMax }: ViewerSettings) => `
ulimit -c 0 && ulimit -f 0 && ulimit -S -t ${processorSecondsMax} &&
ulimit -d ${memoryBytesMax / 1024} || exit ${exits.unavailable}
{ echo 1000 > /proc/self/oom_score_adj; } 2> /dev/null
exec "$0" --no-env-file "$@"`

/** Passes nothing from our environment. The JIT compiler's reservation is small, because it counts
 *  as memory. */
const environment = {
  BUN_JSC_jitMemoryReservationSize: String(64 * 2 ** 20),
  BUN_RUNTIME_TRANSPILER_CACHE_PATH: '0',
}

export function openViewer(given: Partial<ViewerSettings> = {}): Viewer {
  const settings = { ...defaults, ...given }
  const queue = openQueue(settings)
  return { render: (bytes, request) => queue(() => renderIn(settings, bytes, request)) }
}

async function renderIn(
  settings: ViewerSettings,
  bytes: Uint8Array | Blob,
  { mime, page }: RenderRequest,
): Promise<Rendered> {
  const child = Bun.spawn({
    cmd: [
      '/bin/sh',
      '-c',
      limited(settings),
      process.execPath,
      settings.script,
      mime,
      String(page),
    ],
    cwd: '/',
    env: environment,
    stdin: bytes instanceof Blob ? bytes : new Blob([bytes as Uint8Array<ArrayBuffer>]),
    stdout: 'pipe',
    stderr: 'pipe',
    timeout: settings.secondsMax * 1000,
    killSignal: 'SIGKILL',
    maxBuffer: answerBytesMax,
  })
  const [answer, message, code] = await Promise.all([
    new Response(child.stdout).bytes(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  if (child.signalCode === 'SIGXCPU') return { finding: 'too_slow' }
  if (code === exits.unavailable) throw new ViewerUnavailable(message.slice(0, 200))
  return (code === 0 ? renderedIn(answer) : null) ?? { finding: 'damaged' }
}

/** The process's output isn't trusted: returns null for anything but a page or a finding. */
function renderedIn(answer: Uint8Array): Rendered | null {
  const end = answer.indexOf(10)
  const head = headIn(Buffer.from(answer.subarray(0, end)).toString())
  if (end < 0 || head === null) return null
  if ('finding' in head)
    return fileFindings.includes(head.finding) ? { finding: head.finding } : null
  const image = new Uint8Array(answer.subarray(end + 1))
  const { pages, width, height } = head
  const isPage = [pages, width, height].every(one => Number.isSafeInteger(one) && one >= 1)
  return isPage && isWebp(image) ? { pages, width, height, image } : null
}

function headIn(line: string): RenderHead | null {
  try {
    const head: unknown = JSON.parse(line)
    return typeof head === 'object' ? (head as RenderHead) : null
  } catch {
    return null
  }
}

const isWebp = (image: Uint8Array) =>
  /^RIFF.{4}WEBPVP8/s.test(Buffer.from(image.subarray(0, 16)).toString('latin1'))

/** Runs some tasks concurrently, queues some, and refuses the rest. */
function openQueue({ atOnceMax, waitingMax }: ViewerSettings) {
  let running = 0
  const waiting: (() => void)[] = []
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= atOnceMax) {
      if (waiting.length >= waitingMax)
        throw new ViewerUnavailable('Too many pages are being rendered.')
      await new Promise<void>(resolve => waiting.push(resolve))
    } else running++
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }
}
