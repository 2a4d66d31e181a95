// What is said of calls: never a body, a query, or an id in a path, because those are of patients.

import { APIError, type ConnectionError, type FailedCall, type SvcError } from './errors.ts'
import type { Logger, LogLevel } from './options.ts'

/** One answer, also one that is tried again. */
export type ResponseEvent = {
  readonly method: string
  /** With names in braces: `/v1/patients/{id}`. */
  readonly path: string
  readonly status: number
  readonly requestId: string | undefined
  readonly ms: number
  readonly attempt: number
  readonly idempotencyKey: string | undefined
}

type Listener = (event: ResponseEvent) => void

const levels: readonly LogLevel[] = ['off', 'error', 'warn', 'info', 'debug']

export class Log {
  readonly #logger: Logger | undefined
  readonly #most: number
  readonly #listeners = new Set<Listener>()

  constructor(logger: Logger | undefined, level: LogLevel = 'warn') {
    this.#logger = logger
    this.#most = levels.indexOf(level)
    if (this.#most < 0) throw new TypeError(`logLevel must be one of ${levels.join(', ')}`)
  }

  /** Returns what takes the listener away. */
  listen(listener: Listener): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  write(level: Exclude<LogLevel, 'off'>, line: string): void {
    if (levels.indexOf(level) <= this.#most) this.#logger?.[level](line)
  }

  response(event: ResponseEvent): void {
    const { method, path, status, ms, requestId = '-' } = event
    this.write('debug', `${method} ${path} ${status} ${ms} ms ${requestId}`)
    for (const listener of this.#listeners) {
      // What fails in a listener is not a failure of the call, which may have taken effect.
      queueMicrotask(() => listener(event))
    }
  }

  retry({ method, path, attempts }: FailedCall, error: SvcError, milliseconds: number): void {
    const why = error instanceof APIError ? error.code : (error as ConnectionError).name
    const wait = Math.round(milliseconds)
    this.write('warn', `${method} ${path} ${why}: attempt ${attempts + 1} in ${wait} ms`)
  }
}
