// An async queue: values are pushed as they arrive, and a loop reads them in order.

export class Queue<T> implements AsyncIterable<T> {
  readonly #values: T[] = []
  #wake: (() => void) | undefined
  #end: { error: unknown } | undefined

  push(value: T): void {
    this.#values.push(value)
    this.#wake?.()
  }

  /** Ends the loop once it has read the remaining values. The loop throws `error`, if there is
   *  one. */
  end(error?: unknown): void {
    this.#end ??= { error }
    this.#wake?.()
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, void> {
    for (;;) {
      while (this.#values.length > 0) yield this.#values.shift() as T
      if (this.#end) {
        if (this.#end.error !== undefined) throw this.#end.error
        return
      }
      await new Promise<void>(resolve => (this.#wake = resolve))
      this.#wake = undefined
    }
  }
}
