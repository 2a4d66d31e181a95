// Writes one line per event, as text in a terminal and otherwise as JSON. With `failures`, only
// failures are written. The log has no bodies, names or tokens, and no query string values, because
// those values include addresses and codes.
//
// Why not pino: a static page takes 14 µs of CPU, 1 to 2 of them for its log line. With pino 10.4.0
// and its asynchronous destination, a line takes 5 to 7 µs on Bun 1.4.5, a third of the page. In a
// loop that formats lines in batches, as here, pino takes 4.8 µs a line and this log takes 1.6.
// Decided in docs/decisions/0070-keep-our-own-log.md.

import { fstatSync, writeSync } from 'node:fs'
import { momentText, now } from '#database/clock.ts'

type Fields = Record<string, string | number | boolean | undefined>
export type AnsweredRequest = {
  method: string
  /** The route's template, or a path that's known to be public. Never any other path. */
  route: string
  /** The URL as requested. */
  url: string
  status: number
  milliseconds: number
  /** Null for a prebuilt file: its response has no request ID, so any cache may keep it. */
  requestId: string | null
  /** The caller and operation, never request content. */
  fields?: Fields
  /** The caller's trace, from its header; null if the header isn't read. */
  traceparent?: string | null
  /** The client's address, if the log reads it; null if it isn't known. */
  address?: string | null
}
export type Log = {
  /** Whether requests become spans in their callers' traces. */
  readsTraceparent?: boolean
  /** Whether requests include the client's address. */
  readsAddress?: boolean
  request(answered: AnsweredRequest): void
  /** Any other event, such as `delivery.attempted`. */
  event(name: string, fields?: Fields): void
  /** Writes all buffered lines; must be called before the process exits. */
  flush(): void
}

export type LogFormat = 'auto' | 'json' | 'text' | 'failures'

/** Routine events, logged while everything works. */
const isRoutine = (event: string) =>
  /\.(attempted|closed|erased|open|ran|ready|sent|signed|stopped|switched)$/.test(event)

const pathLengthMax = 300
const flushMilliseconds = 20
const linesMax = 500

/** A buffered entry: a finished line, or a request whose line is formatted when it's written. */
type Entry = string | { readonly at: number; readonly answered: AnsweredRequest }

export function createLog(
  format: LogFormat,
  write: (text: string) => void = standardOutput(),
  clock: () => number = now,
  isTerminal = process.stdout.isTTY === true,
): Log {
  const json = format === 'json' || (format === 'auto' && !isTerminal)
  const lineOf = json ? requestAsJson : requestAsText
  let entries: Entry[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    const all = entries
    entries = []
    let text = ''
    for (const entry of all) {
      text += typeof entry === 'string' ? entry : lineOf(momentText(entry.at), entry.answered)
      text += '\n'
    }
    if (text !== '') write(text)
  }
  // Lines are formatted and written in batches: formatting each line within its request costs four
  // times as much, and writing lines one at a time even more.
  const add = (entry: Entry) => {
    entries.push(entry)
    if (entries.length >= linesMax) flush()
    else timer ??= setTimeout(flush, flushMilliseconds)
  }
  return {
    flush,
    request(answered) {
      if (format !== 'failures' || answered.status >= 500) add({ at: clock(), answered })
    },
    event(name, fields = {}) {
      if (format === 'failures' && isRoutine(name)) return
      const time = momentText(clock())
      add(
        json
          ? JSON.stringify({ time, event: name, ...fields })
          : `${time.slice(11, 19)} ${name}${asText(fields)}`,
      )
    },
  }
}

/** A full disk or a closed pipe loses lines but doesn't end the process. Files are written
 *  synchronously, because a stream writes nothing after its first error. */
function standardOutput(): (text: string) => void {
  const { fd } = process.stdout
  if (!fstatSync(fd).isFile()) {
    process.stdout.on('error', () => {})
    return text => void process.stdout.write(text)
  }
  return text => {
    try {
      writeSync(fd, text)
    } catch {
      // The next lines are written once there's room.
    }
  }
}

function requestAsJson(time: string, answered: AnsweredRequest): string {
  const { method, status, milliseconds, requestId, fields } = answered
  const ms = Math.round(milliseconds * 10) / 10
  const path = pathOf(answered)
  const event = 'request.answered'
  return JSON.stringify({ time, event, method, path, status, ms, request_id: requestId, ...fields })
}

function requestAsText(time: string, answered: AnsweredRequest): string {
  const { method, status, milliseconds, requestId, fields = {} } = answered
  const ms = milliseconds < 10 ? milliseconds.toFixed(1) : milliseconds.toFixed(0)
  const line = `${time.slice(11, 19)} ${method.padEnd(6)} ${status} ${ms.padStart(5)} ms  ${pathOf(answered)}`
  return `${line}  ${requestId}${asText(fields)}`
}

function asText(fields: Fields): string {
  return Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `  ${name}=${printable(String(value))}`)
    .join('')
}

/** The route, plus the query string's parameter names. */
function pathOf({ route, url }: AnsweredRequest): string {
  const path = truncated(printable(route))
  const query = url.indexOf('?')
  if (query < 0) return path
  const names = namesIn(url, query + 1)
  return names === '' ? path : `${path}?${truncated(names)}`
}

const truncated = (text: string) =>
  text.length > pathLengthMax ? text.slice(0, pathLengthMax) : text

/** Matches names that a program would send. A value without a name rarely matches. */
const nameForm = /^[A-Za-z_][\w.-]{0,40}$/

/** Parameter names in the query string, which starts at index `start` of the URL. */
function namesIn(url: string, start: number): string {
  let names = ''
  let from = start
  while (from < url.length && names.length < pathLengthMax) {
    const next = url.indexOf('&', from)
    const last = next < 0 ? url.length : next
    const pair = url.slice(from, last)
    const value = pair.indexOf('=')
    const name = value < 0 ? pair : pair.slice(0, value)
    const shown = nameForm.test(name) ? name : '…'
    if (name !== '') names += names === '' ? shown : `&${shown}`
    from = last + 1
  }
  return names
}

/** Prevents forged log lines and terminal escape codes. */
function printable(text: string): string {
  if (/^[\x20-\x7e]*$/.test(text)) return text
  // oxlint-disable-next-line no-control-regex
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, '�')
}
