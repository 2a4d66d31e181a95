// Loads slow libraries when the first request needs them.

/** Opens once for all callers. If opening fails, for example because the process has too many open
 *  files, all waiting callers receive the failure, and the next caller tries again. */
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
    /** The result, or undefined if nothing was opened yet. */
    ifOpened: () => opened,
  }
}
