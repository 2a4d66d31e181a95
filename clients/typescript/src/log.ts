// Logs calls without bodies, queries, or IDs in paths, because these parts can identify patients.

import { APIError, type ConnectionError, type FailedCall, type SvcError } from './errors.ts'
import type { Logger, LogLevel } from './options.ts'
import { runtime } from './runtime.ts'

/** The response to one attempt. */
export type ResponseEvent = {
  readonly method: string
  /** The path template, such as `/v1/patients/{id}`. */
  readonly path: string
  readonly status: number
  readonly requestId: string | undefined
  readonly ms: number
  readonly attempt: number
  readonly idempotencyKey: string | undefined
}

type Listener = (event: ResponseEvent) => void

export const eventOf = (call: FailedCall, { status, headers }: Response, ms: number) => ({
  method: call.method,
  path: call.path,
  status,
  requestId: headers.get('request-id') ?? undefined,
  ms: Math.round(ms),
  attempt: call.attempts,
  idempotencyKey: call.idempotencyKey,
})

/** The warnings already logged: each appears once per process. */
const said = new Set<string>()

const levels: readonly LogLevel[] = ['off', 'error', 'warn', 'info', 'debug']

export class Log {
  readonly #logger: Logger | undefined
  readonly #most: number
  readonly #listeners = new Set<Listener>()
  /** Called before each pause, with the milliseconds until the next attempt. */
  onPause: ((error: SvcError, milliseconds: number) => void) | undefined

  constructor(logger: Logger | undefined, level: LogLevel = 'warn') {
    this.#logger = logger
    this.#most = levels.indexOf(level)
    if (this.#most < 0) throw new TypeError(`logLevel must be one of ${levels.join(', ')}`)
  }

  /** Returns a function that removes the listener. */
  listen(listener: Listener): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  write(level: Exclude<LogLevel, 'off'>, line: string): void {
    if (levels.indexOf(level) > this.#most) return
    this.guard(() => this.#logger?.[level](line))
  }

  /** Runs a caller's function. If it throws, the API call continues, because it may have taken
   *  effect. */
  guard(hook: () => void): void {
    try {
      hook()
    } catch (error) {
      this.#once(`a listener or logger failed, and calls continue: ${String(error)}`)
    }
  }

  deprecated({ method, path }: FailedCall, headers: Headers): void {
    const sunset = headers.get('sunset')
    if (sunset === null && !headers.has('deprecation')) return
    this.#once(`${method} ${path} is deprecated.${sunset ? ` It stops working on ${sunset}.` : ''}`)
  }

  /** Warns once per line, in the logger or where the runtime prints warnings. */
  #once(line: string): void {
    if (said.has(line) || this.#most < levels.indexOf('warn')) return
    said.add(line)
    try {
      if (this.#logger) this.#logger.warn(line)
      else if (runtime.process?.emitWarning) runtime.process.emitWarning(line, 'SvcWarning')
      // oxlint-disable-next-line no-console -- the runtime has no warning API
      else console.warn(line)
    } catch {
      // If the logger itself throws, there is nowhere to report it.
    }
  }

  response(event: ResponseEvent): void {
    const { method, path, status, ms, requestId = '-' } = event
    this.write('debug', `${method} ${path} ${status} ${ms} ms ${requestId}`)
    for (const listener of this.#listeners) {
      queueMicrotask(() => this.guard(() => listener(event)))
    }
  }

  retry({ method, path, attempts }: FailedCall, error: SvcError, milliseconds: number): void {
    const why = error instanceof APIError ? error.code : (error as ConnectionError).name
    const wait = Math.round(milliseconds)
    this.write('warn', `${method} ${path} ${why}: attempt ${attempts + 1} in ${wait} ms`)
    this.onPause?.(error, milliseconds)
  }
}
