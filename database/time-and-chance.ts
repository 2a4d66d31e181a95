// The one file that asks the machine for the time or for randomness. Everything else receives them
// as arguments, so that a test can hold them.

/** Milliseconds since 1970. */
export const now = (): number => Date.now()

/** Bytes from the system's generator. */
export const randomBytes = (count: number): Uint8Array =>
  crypto.getRandomValues(new Uint8Array(count))
