// The only file that reads the system's clock and random generator. All other code receives the
// time and random bytes as arguments, so tests can control both.

/** Milliseconds since 1970. */
export const now = (): number => Date.now()

const drawnAtOnce = 4096
let drawn = new Uint8Array(0)

/** Returns bytes from the system's random generator, each only once. Fetches the bytes in blocks,
 *  because a few bytes cost as much as many. */
export function randomBytes(count: number): Uint8Array {
  if (drawn.length < count) drawn = crypto.getRandomValues(new Uint8Array(drawnAtOnce + count))
  const bytes = drawn.subarray(0, count)
  drawn = drawn.subarray(count)
  return bytes
}

let lastMillisecond = Number.NaN
let lastText = ''

/** A time in the API's format, cached until the millisecond changes. */
export function momentText(milliseconds: number): string {
  if (milliseconds !== lastMillisecond) {
    lastMillisecond = milliseconds
    lastText = new Date(milliseconds).toISOString()
  }
  return lastText
}
