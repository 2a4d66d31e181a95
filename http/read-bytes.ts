/** Why there are no bytes. After all but the first, the rest may still come: end the connection. */
export type Unread = 'too large' | 'too slow' | 'cut off'

type Bytes = Uint8Array<ArrayBuffer>

/**
 * A body to its end, bounded and timed; empty when there is none. What is beyond the bound the
 * server takes in and drops, and the connection had better stay: one that is cut while its caller
 * writes loses the answer as well, and with it the reason.
 */
export function readBytes(
  request: Request,
  bytesMax: number,
  milliseconds: number,
): Promise<Bytes | Unread> {
  const { headers } = request
  const declared = headers.get('content-length')
  if (Number(declared ?? 0) > bytesMax) return Promise.resolve('too large')
  // The server cuts a body at the length that it declares, so that one cannot grow, and reading it
  // whole costs a third of reading it piece by piece.
  const isWhole = declared !== null && !headers.has('transfer-encoding')
  const read = isWhole ? request.bytes() : readPieces(request.body, bytesMax)
  return new Promise(resolve => {
    const reading = { ends: performance.now() + milliseconds, late: () => resolve('too slow') }
    const ended = (outcome: Bytes | Unread) => {
      underWay.delete(reading)
      resolve(outcome)
    }
    watch(reading)
    read.then(ended, () => ended('cut off'))
  })
}

/** Bytes are counted as they come: a chunked body declares no length. */
async function readPieces(body: Request['body'], bytesMax: number) {
  const pieces: Uint8Array[] = []
  let length = 0
  for await (const piece of body ?? []) {
    length += piece.length
    if (length > bytesMax) return 'too large'
    pieces.push(piece)
  }
  return Buffer.concat(pieces, length)
}

type Reading = { readonly ends: number; late(): void }

/** One clock for all bodies: a timer for each took longer than reading it. */
const underWay = new Set<Reading>()
const clockMilliseconds = 100
let clock: ReturnType<typeof setInterval> | undefined

function watch(reading: Reading): void {
  underWay.add(reading)
  clock ??= setInterval(endLate, clockMilliseconds)
}

function endLate(): void {
  const at = performance.now()
  for (const reading of underWay) {
    if (at < reading.ends) continue
    underWay.delete(reading)
    reading.late()
  }
  if (underWay.size > 0) return
  clearInterval(clock)
  clock = undefined
}
