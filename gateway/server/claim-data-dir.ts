// Two houses in one data directory would write over each other, so the first one claims it.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { LaunchError } from '#database/launch-error.ts'
import { tryLock, type Lock } from '#database/lock.ts'
import type { Say } from './progress.ts'

export type Claim = { become(state: State): void; release(): void }
type State = 'starting' | 'open' | 'stopping'

const patienceSeconds = 15

/**
 * One that is stopping is waited for, because "stop, then start" in one breath is what people do.
 */
export async function claimDataDir(dataDir: string, say: Say): Promise<Claim> {
  const stateFile = path.join(dataDir, 'house.state')
  const deadline = performance.now() + patienceSeconds * 1000
  for (let tries = 0; ; tries++) {
    const lock = tryLock(path.join(dataDir, 'house.lock'))
    if (lock !== undefined) return claim(lock, stateFile)
    const [state, pid] = existsSync(stateFile) ? readFileSync(stateFile, 'utf8').split(' ') : []
    if (state !== 'stopping' || performance.now() > deadline) {
      throw new LaunchError(
        `Process ${pid ?? 'unknown'} already runs the house in ${dataDir}. Stop it, or set DATA_DIR and PORT to run a second one.`,
      )
    }
    if (tries === 10) say('Waiting for the last one to stop …')
    await Bun.sleep(100)
  }
}

function claim(lock: Lock, stateFile: string): Claim {
  const become = (state: State) => writeFileSync(stateFile, `${state} ${process.pid}`)
  become('starting')
  return { become, release: () => lock.release() }
}
