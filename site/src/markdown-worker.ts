// The thread that renders Markdown: `markdown-thread.ts` sends it texts.

import { parentPort } from 'node:worker_threads'
import { toHtml } from './markdown.ts'
import type { Answer, Question } from './markdown-thread.ts'

parentPort?.on('message', ({ id, text }: Question) => void answer(id, text))

async function answer(id: number, text: string): Promise<void> {
  const done: Answer = await toHtml(text).then(
    rendered => ({ id, rendered }),
    (error: unknown) => ({ id, error }),
  )
  parentPort?.postMessage(done)
}
