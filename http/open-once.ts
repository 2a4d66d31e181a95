// Loads slow libraries with the first request that needs them.

/** Opens once for all callers. If opening fails, for example because no file can be opened at the
 *  time, everyone waiting gets the failure, and the next caller tries again. */
export function openOnce<T>(open: () => Promise<T>) {
  let opened: Promise<T> | undefined
  return {
    get(): Promise<T> {
      opened ??= open().catch((failure: unknown) => {
        opened = undefined
        throw failure
      })
      return opened
    },
    /** The result if it's open. Doesn't open it. */
    ifOpened: () => opened,
  }
}
