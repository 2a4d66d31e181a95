// The time limits for an attempt and a whole call, and the caller's own signal. They also apply to
// a body that is read after the call has returned.

import type { CallOptions } from './options.ts'
import { elapsed } from './runtime.ts'

/** A longer timer fires at once. */
const longestMs = 2 ** 31 - 1

const isNone = (ms: number) => ms === 0 || ms > longestMs

export class Deadline {
  readonly #each: number
  readonly #total: number
  readonly #ends: number
  readonly #outer: AbortSignal | undefined
  #controller = new AbortController()
  #timer: ReturnType<typeof setTimeout> | undefined
  readonly #abort = () => this.#controller.abort(this.#outer?.reason)
  /** Whether time ran out, as opposed to the caller aborting. */
  #isOver = false

  constructor({ timeout = 0, totalTimeout = 0, signal }: CallOptions) {
    this.#each = isNone(timeout) ? Infinity : timeout
    this.#total = totalTimeout
    this.#ends = isNone(totalTimeout) ? Infinity : elapsed() + totalTimeout
    this.#outer = signal
  }

  /** Milliseconds. */
  get left(): number {
    return this.#ends - elapsed()
  }

  /** A signal for one attempt, or for the next part of a body. */
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

  /** Shared work continues; only this wait ends. */
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

  /** The reason for a failure under this deadline: the caller's own, or the timeout. */
  get reason(): { aborted: unknown } | { over: string } | undefined {
    if (this.#outer?.aborted) return { aborted: this.#outer.reason }
    if (!this.#isOver) return undefined
    return { over: this.left <= 0 ? this.totalText : `no response in ${this.#each} ms:` }
  }

  get totalText(): string {
    return `the total timeout of ${this.#total} ms has passed:`
  }
}
