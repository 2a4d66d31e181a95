// A clock shared by all of a benchmark's processes, with a resolution finer than a millisecond.

/** Milliseconds since 1970. */
export const epoch = (): number => performance.timeOrigin + performance.now()
