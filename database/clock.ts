// The one file that asks the machine for the time or for randomness. Everything else receives them
// as arguments, so that a test can hold them.

/** Milliseconds since 1970. */
export const now = (): number => Date.now()

const drawnAtOnce = 4096
let drawn = new Uint8Array(0)

/**
 * Bytes from the system's generator, each handed out once. They are drawn by the page, because
 * asking for a few costs as much as asking for many.
 */
export function randomBytes(count: number): Uint8Array {
  if (drawn.length < count) drawn = crypto.getRandomValues(new Uint8Array(drawnAtOnce + count))
  const bytes = drawn.subarray(0, count)
  drawn = drawn.subarray(count)
  return bytes
}

let lastMillisecond = Number.NaN
let lastText = ''

/** A moment as it crosses the wire, remembered while it lasts. */
export function momentText(milliseconds: number): string {
  if (milliseconds !== lastMillisecond) {
    lastMillisecond = milliseconds
    lastText = new Date(milliseconds).toISOString()
  }
  return lastText
}
