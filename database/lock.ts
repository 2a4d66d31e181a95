// A lock held through SQLite's own file lock: the kernel lets go of it when the holder dies,
// however it dies, so there is no stale lock to recognise and no process id to compare with one
// that was reused.
import { Database } from 'bun:sqlite'

export type Lock = { release(): void }

/** Takes the lock if nobody holds it; answers undefined at once when somebody does. */
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

/** Waits for the lock up to a limit; answers undefined when the limit passed. */
export async function waitForLock(file: string, secondsMax: number): Promise<Lock | undefined> {
  const deadline = performance.now() + secondsMax * 1000
  for (;;) {
    const lock = tryLock(file)
    if (lock !== undefined || performance.now() > deadline) return lock
    await Bun.sleep(25)
  }
}
