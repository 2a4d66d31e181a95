// A build's folder. What is put in is written, compressed and drawn by other hands than those that
// make the pages (`site/press-hand.ts`), one for each processor: pages wait for none of them.
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import type { Packed } from './compress.ts'
import type { Drawing } from './src/pictures/drawing.ts'

type Bytes = Uint8Array<ArrayBuffer>

/** What a file is made of: bytes, a file that was kept, or the words of a picture. */
export type Made = { bytes: Bytes } | { kept: string } | { drawing: Drawing }
export type Job = { path: string } & Made

/** A hand's first word, and its last. */
export type Order = { open: { code: string } } | { job: Job } | { close: true }
export type Done = { packed: Packed } | { taken: string[] } | { fault: string }

/** How many bytes may lie before one hand: they are all in memory. */
const waitingMax = 32 * 1024 * 1024

/** The last files are left to hands alone, so even of two processors each has one. */
const hands = { min: 2, max: 4 }

export class Press {
  readonly #hands: Hand[]
  readonly counts: Record<Packed, number> = { packed: 0, linked: 0, left: 0 }

  constructor(
    readonly folder: string,
    code: string,
  ) {
    const length = Math.min(hands.max, Math.max(hands.min, availableParallelism()))
    const count = (how: Packed) => this.counts[how]++
    this.#hands = Array.from({ length }, () => new Hand(code, count))
  }

  /** Waits only while every hand has too much before it. */
  async put(name: string, made: Made): Promise<void> {
    const idle = this.#hands.reduce((one, other) => (other.jobs < one.jobs ? other : one))
    await idle.take({ path: join(this.folder, name), ...made })
  }

  /** When all is written: what the hands took of what was kept. */
  async close(): Promise<string[]> {
    return (await Promise.all(this.#hands.map(hand => hand.close()))).flat()
  }
}

/** A thread, and how much it was given and has not done. */
class Hand {
  readonly #worker = new Worker(new URL('press-hand.ts', import.meta.url).href)
  readonly #closed = Promise.withResolvers<string[]>()
  #freed = Promise.withResolvers<void>()
  /** How many bytes each job brought that it has not done, in the order of the jobs. */
  readonly #waiting: number[] = []
  #bytes = 0

  get jobs(): number {
    return this.#waiting.length
  }

  constructor(code: string, count: (how: Packed) => void) {
    this.#worker.addEventListener('message', ({ data }: MessageEvent<Done>) => {
      if ('fault' in data) return this.#fail(data.fault)
      if ('taken' in data) return this.#closed.resolve(data.taken)
      count(data.packed)
      this.#bytes -= this.#waiting.shift() ?? 0
      this.#freed.resolve()
    })
    this.#worker.addEventListener('error', ({ message }) => this.#fail(message))
    this.#closed.promise.catch(() => {})
    this.#order({ open: { code } })
  }

  #fail(message: string): void {
    this.#closed.reject(new Error(`A file could not be written: ${message}`))
    this.#freed.resolve()
  }

  #order(order: Order): void {
    const bytes = 'job' in order && 'bytes' in order.job ? [order.job.bytes.buffer] : []
    this.#worker.postMessage(order, bytes)
  }

  async take(job: Job): Promise<void> {
    const size = 'bytes' in job ? job.bytes.length : 0
    this.#waiting.push(size)
    this.#bytes += size
    this.#order({ job })
    while (this.#bytes > waitingMax) {
      this.#freed = Promise.withResolvers()
      // Whatever ends this thread ends the wait for it.
      await Promise.race([this.#freed.promise, this.#closed.promise])
    }
  }

  async close(): Promise<string[]> {
    this.#order({ close: true })
    const taken = await this.#closed.promise
    this.#worker.terminate()
    return taken
  }
}
