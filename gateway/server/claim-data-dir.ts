// Locks the data directory, because two instances in the same directory would overwrite each
// other's files.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { LaunchError } from '#database/launch-error.ts'
import { tryLock, type Lock } from '#database/lock.ts'
import type { Say } from './progress.ts'

export type Claim = { become(state: State): void; release(): void }
type State = 'starting' | 'ready' | 'stopping'

const waitSecondsMax = 60

/** Waits if another instance is stopping, because people stop and restart in one command. */
export async function claimDataDir(dataDir: string, say: Say): Promise<Claim> {
  const stateFile = path.join(dataDir, 'app.state')
  const deadline = performance.now() + waitSecondsMax * 1000
  for (let tries = 0; ; tries++) {
    const lock = tryLock(path.join(dataDir, 'app.lock'))
    if (lock !== undefined) return claim(lock, stateFile)
    const [state, pid] = existsSync(stateFile) ? readFileSync(stateFile, 'utf8').split(' ') : []
    if (state !== 'stopping' || performance.now() > deadline) {
      throw new LaunchError(
        `Process ${pid ?? 'unknown'} is already running in ${dataDir}. Stop it, or set DATA_DIR and PORT to run a second instance.`,
      )
    }
    if (tries === 10) say('Waiting for the previous instance to stop …')
    await Bun.sleep(100)
  }
}

function claim(lock: Lock, stateFile: string): Claim {
  const become = (state: State) => writeFileSync(stateFile, `${state} ${process.pid}`)
  become('starting')
  return { become, release: () => lock.release() }
}
