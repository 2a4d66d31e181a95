import type { IncomingMessage } from 'node:http'

/** After 'too slow' and 'cut off', more bytes may arrive, so the connection must be closed. */
type ReadFailure = 'too large' | 'too slow' | 'cut off'

type Bytes = Uint8Array<ArrayBuffer>

/**
 * Reads the whole body within size and time limits; empty if there's none. Bun receives and drops
 * bytes beyond the size limit and keeps the connection open, because a client that is still writing
 * when the connection closes never reads the response.
 */
export function readBytes(
  request: Request,
  bytesMax: number,
  milliseconds: number,
): Promise<Bytes | ReadFailure> {
  const { headers } = request
  const declared = headers.get('content-length')
  if (Number(declared ?? 0) > bytesMax) return Promise.resolve('too large')
  // Bun ends a body at its declared length, so the body can't exceed it. Reading it in one call
  // takes a third of the time of reading it in pieces.
  const isWhole = declared !== null && !headers.has('transfer-encoding')
  const read = isWhole ? request.bytes() : readPieces(request.body, bytesMax)
  return new Promise(resolve => {
    const timed = { ends: performance.now() + milliseconds, onTimeout: () => resolve('too slow') }
    const ended = async (outcome: Bytes | ReadFailure) => {
      pending.delete(timed)
      resolve((await isFramed(request)) ? outcome : 'cut off')
    }
    startTimeout(timed)
    read.then(ended, () => ended('cut off'))
  })
}

/** Whether the connection is still open after the bytes that arrived with the body's end. Bun
 *  delivers a body before it parses the bytes after it. At a trailer or a pipelined request, Bun
 *  closes the connection by the next turn of the event loop, and the response is lost
 *  (oven-sh/bun#32887, oven-sh/bun#38128). A request that arrives later still closes the
 *  connection; its sender can get the response by retrying with the Idempotency-Key. */
export async function isFramed({ signal }: Request): Promise<boolean> {
  await new Promise<void>(resolve => void setImmediate(resolve))
  return !signal.aborted
}

/** Reads a node:http body. A body can't exceed its declared length. If a length is declared, chunks
 *  are collected from events, because a stream's iterator takes longer than the rest of reading a
 *  form. */
export function readNodeBytes(
  request: IncomingMessage,
  bytesMax: number,
): Promise<Buffer | 'too large'> {
  const { 'content-length': declared, 'transfer-encoding': coding } = request.headers
  if (declared === undefined || coding !== undefined) return readPieces(request, bytesMax)
  if (Number(declared) > bytesMax) return Promise.resolve('too large')
  return new Promise((resolve, reject) => {
    const cutOff = () => reject(new Error('The client disconnected before the end of the body.'))
    // If the client disconnected earlier, for example during a session lookup, no event follows.
    if (request.destroyed) return cutOff()
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => void pieces.push(piece))
    request.once('end', () => resolve(Buffer.concat(pieces)))
    request.once('error', reject)
    request.once('close', cutOff)
  })
}

/** A chunked body has no declared length, so bytes are counted as they arrive. */
async function readPieces(body: AsyncIterable<Uint8Array> | null, bytesMax: number) {
  const pieces: Uint8Array[] = []
  let length = 0
  for await (const piece of body ?? []) {
    length += piece.length
    if (length > bytesMax) return 'too large'
    pieces.push(piece)
  }
  return Buffer.concat(pieces, length)
}

type PendingRead = { readonly ends: number; onTimeout(): void }

/** One interval for all bodies, because a timer for each body took longer than reading it. */
const pending = new Set<PendingRead>()
const clockMilliseconds = 100
let clock: ReturnType<typeof setInterval> | undefined

function startTimeout(read: PendingRead): void {
  pending.add(read)
  clock ??= setInterval(endTimedOut, clockMilliseconds)
}

function endTimedOut(): void {
  const at = performance.now()
  for (const reading of pending) {
    if (at < reading.ends) continue
    pending.delete(reading)
    reading.onTimeout()
  }
  if (pending.size > 0) return
  clearInterval(clock)
  clock = undefined
}
