// One of the hands of `site/press.ts`: a thread that writes files and their compressed siblings,
// and draws pictures. What was made of the same before is taken from where it was kept.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { pack } from './compress.ts'
import { type Kept, openKept } from './kept.ts'
import type { Done, Job, Order } from './press.ts'
import { drawingWords } from './src/pictures/drawing.ts'

declare const self: Worker

let opening: Promise<Kept> | undefined
const made = new Set<string>()

/** One order at a time, in the order in which they came. */
let last: Promise<void> = Promise.resolve()
self.addEventListener('message', ({ data }: MessageEvent<Order>) => {
  last = last.then(() => follow(data)).catch(fault => say({ fault: String(fault) }))
})

// A thread speaks with its owner and with nobody else.
// oxlint-disable-next-line require-post-message-target-origin
const say = (done: Done) => self.postMessage(done)

async function follow(order: Order): Promise<void> {
  if ('open' in order) opening = openKept(order.open.code)
  const kept = await opening
  if (kept === undefined) throw new Error('the first order opens')
  if ('job' in order) return write(kept, order.job)
  if ('close' in order) say({ taken: kept.taken() })
}

async function write(kept: Kept, job: Job): Promise<void> {
  const bytes = await bytesOf(kept, job)
  makeFolder(dirname(job.path))
  writeFileSync(job.path, bytes)
  say({ packed: pack(kept.packed, job.path, bytes) })
}

async function bytesOf({ pictures }: Kept, job: Job): Promise<Uint8Array<ArrayBuffer>> {
  if ('bytes' in job) return job.bytes
  if ('kept' in job) return readFileSync(job.kept)
  const { drawing } = job
  return pictures.bytes(drawingWords(drawing), async () => {
    // With its fonts, which are opened when there is something to draw.
    const { picture } = await import('./src/pictures/picture.ts')
    return picture(drawing)
  })
}

function makeFolder(folder: string): void {
  if (made.has(folder)) return
  mkdirSync(folder, { recursive: true })
  made.add(folder)
}
