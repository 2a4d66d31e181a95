// Renders Markdown in a separate thread while Vite bundles the pages, because highlighting the
// site's code in WebAssembly takes a second.

import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Rendered } from './markdown.ts'

export type Question = { id: number; text: string }
export type Answer = { id: number } & ({ rendered: Rendered } | { error: unknown })

export class MarkdownThread {
  #worker: Worker | undefined
  #lastId = 0
  readonly #waiting = new Map<number, PromiseWithResolvers<Rendered>>()

  toHtml(text: string): Promise<Rendered> {
    this.#worker ??= this.#start()
    const id = ++this.#lastId
    const answer = Promise.withResolvers<Rendered>()
    this.#waiting.set(id, answer)
    this.#worker.postMessage({ id, text } satisfies Question)
    return answer.promise
  }

  async stop(): Promise<void> {
    await this.#worker?.terminate()
    this.#worker = undefined
  }

  #start(): Worker {
    const worker = new Worker(join(import.meta.dir, 'markdown-worker.ts'))
    worker.on('message', (data: Answer) => {
      const answer = this.#waiting.get(data.id)
      this.#waiting.delete(data.id)
      if ('error' in data) answer?.reject(data.error)
      else answer?.resolve(data.rendered)
    })
    worker.on('error', error => {
      for (const answer of this.#waiting.values()) answer.reject(error)
      this.#waiting.clear()
      this.#worker = undefined
    })
    return worker
  }
}
