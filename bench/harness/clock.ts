// One clock for all of a benchmark's processes, finer than a millisecond.

/** Milliseconds since 1970. */
export const epoch = (): number => performance.timeOrigin + performance.now()
