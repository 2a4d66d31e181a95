// Gives a database time to start, or to fail over, when a process starts.
import { isTransient } from './failures.ts'

const pauseSeconds = 0.25

/** Repeats work that failed because the database was unavailable, for up to `secondsMax`. */
export async function retryWhileAway<T>(
  work: () => Promise<T>,
  secondsMax: (failure: unknown) => number = () => 30,
): Promise<T> {
  for (let waited = 0; ; waited += pauseSeconds) {
    try {
      return await work()
    } catch (failure) {
      if (!isTransient(failure) || waited >= secondsMax(failure)) throw failure
      await Bun.sleep(pauseSeconds * 1000)
    }
  }
}
