// One line for each thing that happened: for people in a terminal, JSON everywhere else. No bodies,
// no names, no tokens; of a query only the names, because values are where addresses and codes
// travel.

import { momentText, now } from '#database/time-and-chance.ts'

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
const bufferLengthMax = 64 * 1024

export function createLog(
  format: 'auto' | 'json' | 'text',
  write: (text: string) => void = text => process.stdout.write(text),
  clock: () => number = now,
  isTerminal = process.stdout.isTTY === true,
): Log {
  const json = format === 'json' || (format === 'auto' && !isTerminal)
  let waiting = ''
  let timer: ReturnType<typeof setTimeout> | undefined
  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    if (waiting !== '') write(waiting)
    waiting = ''
  }
  // Written in batches: a write for each line costs more than many of the answers it reports.
  const add = (line: string) => {
    waiting += `${line}\n`
    if (waiting.length > bufferLengthMax) flush()
    timer ??= setTimeout(flush, flushMilliseconds)
  }
  return {
    flush,
    request(answered) {
      const time = momentText(clock())
      add(json ? requestAsJson(time, answered) : requestAsText(time, answered))
    },
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
  const { method, url, status, milliseconds, requestId, fields = {} } = answered
  const ms = Math.round(milliseconds * 10) / 10
  const [how, where, id] = [method, pathOf(url), requestId].map(text => JSON.stringify(text))
  let line = `{"time":"${time}","event":"request.answered","method":${how},"path":${where}`
  line += `,"status":${status},"ms":${ms},"request_id":${id}`
  for (const name in fields) {
    const value = fields[name]
    if (value !== undefined) line += `,${JSON.stringify(name)}:${JSON.stringify(value)}`
  }
  return `${line}}`
}

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
  const target = start < 0 ? '/' : url.slice(start)
  const query = target.search(/[?#]/)
  const asked = query < 0 ? target : target.slice(0, query)
  const path = printable(sealed.test(asked) ? asked.replace(sealed, '$1…') : asked).slice(
    0,
    pathLengthMax,
  )
  if (query < 0 || target[query] === '#') return path
  const pairs =
    target
      .slice(query + 1)
      .split('#', 1)[0]
      ?.split('&') ?? []
  const names = pairs.map(pair => printable(pair.split('=', 1)[0] ?? '')).filter(Boolean)
  return names.length === 0 ? path : `${path}?${names.join('&').slice(0, pathLengthMax)}`
}

/**
 * A line break in a path must not become a line of the log, nor an escape code reach a terminal.
 */
function printable(text: string): string {
  if (/^[\x20-\x7e]*$/.test(text)) return text
  // oxlint-disable-next-line no-control-regex
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, '�')
}
