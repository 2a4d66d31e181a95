// One line for each thing that happened: for people in a terminal, JSON everywhere else. No bodies,
// no names, no tokens; of a query only the names, because values are where addresses and codes
// travel.

import { momentText, now } from '#database/clock.ts'

type Fields = Record<string, string | number | boolean | undefined>
export type AnsweredRequest = {
  method: string
  /** The address as it was asked for, with or without an origin. */
  url: string
  status: number
  milliseconds: number
  requestId: string
  /** Who asked and what for, such as integration and operation. Never what was said. */
  fields?: Fields
}
export type Log = {
  request(answered: AnsweredRequest): void
  /** Anything else that happened, such as `delivery.attempted`. */
  event(name: string, fields?: Fields): void
  /** Writes what is waiting; to be called before the process ends. */
  flush(): void
}

const pathLengthMax = 300
const flushMilliseconds = 20
const linesMax = 500

/** What waits to be written: a line, or a request whose line is not put together yet. */
type Waiting = string | { readonly at: number; readonly answered: AnsweredRequest }

export function createLog(
  format: 'auto' | 'json' | 'text',
  write: (text: string) => void = text => process.stdout.write(text),
  clock: () => number = now,
  isTerminal = process.stdout.isTTY === true,
): Log {
  const json = format === 'json' || (format === 'auto' && !isTerminal)
  const lineOf = json ? requestAsJson : requestAsText
  let waiting: Waiting[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    const all = waiting
    waiting = []
    let text = ''
    for (const one of all) {
      text += typeof one === 'string' ? one : lineOf(momentText(one.at), one.answered)
      text += '\n'
    }
    if (text !== '') write(text)
  }
  // Put together and written in batches: each for itself, a line costs four times as much to put
  // together, because everything else of a request comes in between, and more than that to write.
  const add = (one: Waiting) => {
    waiting.push(one)
    if (waiting.length >= linesMax) flush()
    else timer ??= setTimeout(flush, flushMilliseconds)
  }
  return {
    flush,
    request: answered => add({ at: clock(), answered }),
    event(name, fields = {}) {
      const time = momentText(clock())
      add(
        json
          ? JSON.stringify({ time, event: name, ...fields })
          : `${time.slice(11, 19)} ${name}${asText(fields)}`,
      )
    },
  }
}

/** Put together by hand: as an object it would be copied twice before it is written. */
function requestAsJson(time: string, answered: AnsweredRequest): string {
  const { method, url, status, milliseconds, requestId, fields } = answered
  const ms = Math.round(milliseconds * 10) / 10
  const [how, where, id] = [quoted(method), quoted(pathOf(url)), quoted(requestId)]
  let line = `{"time":"${time}","event":"request.answered","method":${how},"path":${where}`
  line += `,"status":${status},"ms":${ms},"request_id":${id}`
  for (const name in fields) {
    const value = fields[name]
    if (value === undefined) continue
    line += `,${quoted(name)}:${typeof value === 'string' ? quoted(value) : JSON.stringify(value)}`
  }
  return `${line}}`
}

/** Most texts need nothing but quotes, and to see that takes half as long as to look for more. */
const quoted = (text: string) =>
  /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/.test(text) ? `"${text}"` : JSON.stringify(text)

function requestAsText(time: string, answered: AnsweredRequest): string {
  const { method, url, status, milliseconds, requestId, fields = {} } = answered
  const ms = milliseconds < 10 ? milliseconds.toFixed(1) : milliseconds.toFixed(0)
  const line = `${time.slice(11, 19)} ${method.padEnd(6)} ${status} ${ms.padStart(5)} ms  ${pathOf(url)}`
  return `${line}  ${requestId}${asText(fields)}`
}

function asText(fields: Fields): string {
  return Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `  ${name}=${printable(String(value))}`)
    .join('')
}

/** Addresses that are a credential by themselves. */
const sealed = /^(\/(?:uploads|documents|visits\/join)\/).+/

/** The path, and of the query the names alone. */
export function pathOf(url: string): string {
  const start = url.startsWith('/') ? 0 : url.indexOf('/', url.indexOf('://') + 3)
  if (start < 0) return '/'
  const hash = url.indexOf('#', start)
  const end = hash < 0 ? url.length : hash
  const query = url.indexOf('?', start)
  const isAsking = query >= 0 && query < end
  const asked = printable(url.slice(start, isAsking ? query : end))
  const path = cut(asked.replace(sealed, '$1…'))
  if (!isAsking) return path
  const names = printable(namesIn(url, query + 1, end))
  return names === '' ? path : `${path}?${cut(names)}`
}

const cut = (text: string) => (text.length > pathLengthMax ? text.slice(0, pathLengthMax) : text)

/** Of a query between two places of an address. */
function namesIn(url: string, start: number, end: number): string {
  let names = ''
  let from = start
  while (from < end) {
    const next = url.indexOf('&', from)
    const last = next < 0 || next > end ? end : next
    const pair = url.slice(from, last)
    const value = pair.indexOf('=')
    const name = value < 0 ? pair : pair.slice(0, value)
    if (name !== '') names += names === '' ? name : `&${name}`
    from = last + 1
  }
  return names
}

/**
 * A line break in a path must not become a line of the log, nor an escape code reach a terminal.
 */
function printable(text: string): string {
  if (/^[\x20-\x7e]*$/.test(text)) return text
  // oxlint-disable-next-line no-control-regex
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, '�')
}
