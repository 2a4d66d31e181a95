// Time limits for each attempt and for the whole call, plus the caller's abort signal. The time
// limits also apply to a body that is read after the call returns.

import type { CallOptions } from './options.ts'
import { elapsed } from './runtime.ts'

/** The longest delay that setTimeout supports; a longer one fires immediately. */
const longestMs = 2 ** 31 - 1

const isNone = (ms: number) => ms === 0 || ms > longestMs

export class Deadline {
  readonly total: number
  readonly #each: number
  readonly #ends: number
  readonly #outer: AbortSignal | undefined
  #controller = new AbortController()
  #timer: ReturnType<typeof setTimeout> | undefined
  readonly #abort = () => this.#controller.abort(this.#outer?.reason)
  /** Whether a timeout caused the abort, rather than the caller. */
  #isOver = false

  constructor({ timeout = 0, totalTimeout = 0, signal }: CallOptions) {
    this.#each = isNone(timeout) ? Infinity : timeout
    this.total = totalTimeout
    this.#ends = isNone(totalTimeout) ? Infinity : elapsed() + totalTimeout
    this.#outer = signal
  }

  /** Milliseconds until the total timeout. */
  get left(): number {
    return this.#ends - elapsed()
  }

  /** Starts an attempt's time limit and returns its abort signal. */
  begin(): AbortSignal {
    this.#outer?.throwIfAborted()
    if (this.#controller.signal.aborted) this.#controller = new AbortController()
    this.#outer?.addEventListener('abort', this.#abort, { once: true })
    this.#isOver = false
    this.restart()
    return this.#controller.signal
  }

  restart(): void {
    clearTimeout(this.#timer)
    const ms = Math.min(this.#each, this.left)
    if (ms === Infinity) return
    this.#timer = setTimeout(
      () => {
        this.#isOver = true
        this.#controller.abort()
      },
      Math.max(0, ms),
    )
  }

  pause(): void {
    clearTimeout(this.#timer)
  }

  end(): void {
    this.pause()
    this.#outer?.removeEventListener('abort', this.#abort)
  }

  /** Waits for shared work. A timeout ends the wait, not the work. */
  async within<T>(work: Promise<T>): Promise<T> {
    const signal = this.begin()
    const over = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
    })
    try {
      return await Promise.race([work, over])
    } finally {
      this.end()
    }
  }

  /** Why this deadline aborted: the caller's reason or a timeout. Undefined if it didn't. */
  get reason(): { aborted: unknown } | { over: string } | undefined {
    if (this.#outer?.aborted) return { aborted: this.#outer.reason }
    if (!this.#isOver) return undefined
    if (this.left > 0) return { over: `no response in ${this.#each} ms:` }
    return { over: `the total timeout of ${this.total} ms has passed:` }
  }
}
