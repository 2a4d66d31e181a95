// Values that arrive one by one, for a loop that takes them one by one.

export class Queue<T> implements AsyncIterable<T> {
  readonly #values: T[] = []
  #wake: (() => void) | undefined
  #end: { error: unknown } | undefined

  push(value: T): void {
    this.#values.push(value)
    this.#wake?.()
  }

  /** Delivers what has arrived, then ends the loop, with the error if there is one. */
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
