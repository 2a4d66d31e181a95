/** Why there are no bytes. After all but the first, the rest may still come: end the connection. */
export type Unread = 'too large' | 'too slow' | 'cut off'

/**
 * A body to its end, bounded and timed; empty when there is none. What is beyond the bound the
 * server takes in and drops, and the connection had better stay: one that is cut while its caller
 * writes loses the answer as well, and with it the reason.
 */
export async function readBytes(
  request: Request,
  bytesMax: number,
  milliseconds: number,
): Promise<Uint8Array<ArrayBuffer> | Unread> {
  const { headers } = request
  const declared = headers.get('content-length')
  if (Number(declared ?? 0) > bytesMax) return 'too large'
  // The server cuts a body at the length that it declares, so that one cannot grow, and reading it
  // whole costs a third of reading it piece by piece.
  const isWhole = declared !== null && !headers.has('transfer-encoding')
  const read = isWhole ? request.bytes() : readPieces(request.body, bytesMax)
  const late = Promise.withResolvers<Unread>()
  const timer = setTimeout(() => late.resolve('too slow'), milliseconds)
  const ended = read.catch((): Unread => 'cut off')
  return Promise.race([ended, late.promise]).finally(() => clearTimeout(timer))
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
