// One clock for the processes of a benchmark, finer than a millisecond.

/** Milliseconds since 1970. */
export const epoch = (): number => performance.timeOrigin + performance.now()
