// A lock between processes, through SQLite's file lock. The kernel releases the lock when the
// lock's holder ends for any reason. A stale lock therefore never has to be detected by process id,
// which could be reused.
import { Database } from 'bun:sqlite'

export type Lock = { release(): void }

/** Takes the lock, or returns undefined immediately if another process holds it. */
export function tryLock(file: string): Lock | undefined {
  const database = new Database(file, { create: true })
  database.run('pragma busy_timeout = 0')
  try {
    database.run('begin exclusive')
  } catch (error) {
    database.close()
    if (error instanceof Error && 'code' in error && error.code === 'SQLITE_BUSY') return undefined
    throw error
  }
  return { release: () => database.close() }
}

/** Waits for the lock; returns undefined after `secondsMax`. */
export async function waitForLock(file: string, secondsMax: number): Promise<Lock | undefined> {
  const deadline = performance.now() + secondsMax * 1000
  for (;;) {
    const lock = tryLock(file)
    if (lock !== undefined || performance.now() > deadline) return lock
    await Bun.sleep(25)
  }
}
