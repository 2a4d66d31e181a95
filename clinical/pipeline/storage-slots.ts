// Limits calls that wait for storage while they hold a database connection, so storage that doesn't
// respond can't take all connections from the other calls.

import { StorageUnavailable } from '../storage/storage.ts'

export type StorageSlots = <T>(work: () => Promise<T>) => Promise<T>

/** Runs at most `count` pieces of work concurrently. The others wait in order of arrival, and no
 *  longer than `waitSeconds`. */
export function openStorageSlots(count: number, waitSeconds = 5): StorageSlots {
  const waiting: (() => void)[] = []
  let free = count
  const turn = (): Promise<void> => {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    waiting.push(resolve)
    const giveUp = () => {
      waiting.splice(waiting.indexOf(resolve), 1)
      reject(new StorageUnavailable('too many calls wait for storage'))
    }
    const timer = setTimeout(giveUp, waitSeconds * 1000)
    return promise.finally(() => clearTimeout(timer))
  }
  return async work => {
    if (free > 0) free--
    else await turn()
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else free++
    }
  }
}
