// Libraries that take long to load are loaded by the first call that needs them.

/** One opening for all who ask for it. One that fails, as when no file can be opened for a moment,
 *  fails for those who wait, and the next one who asks starts another. */
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
    /** Doesn't open it. */
    ifOpened: () => opened,
  }
}
