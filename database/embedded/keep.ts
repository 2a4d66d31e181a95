// Keeps a PostgreSQL server running: restarts a dead server on the same port, so pools reconnect,
// and retries until the server runs.
import { waitForLock } from '../lock.ts'
import { releaseBallast, reserveBallast } from './ballast.ts'
import { launch, runningServer, type Server, untilReady } from './launch.ts'
import { isRunning, stopProcess } from './postmaster.ts'

type KeepOptions = {
  log?: (line: string) => void
  watch?: boolean
  ballast?: boolean
  pause?: (milliseconds: number) => Promise<unknown>
  onChange?: (change: 'died' | 'returned') => void
}

const checkMilliseconds = 100
const reserveSeconds = 5
const lockSecondsMax = 60
const delayMillisecondsMin = 50
const delayMillisecondsMax = 5000

export function keep(server: Server, firstPid: number, options: KeepOptions) {
  const { dir } = server
  let pid = firstPid
  let stopping = false
  let returning: Promise<void> = Promise.resolve()
  const check = () => {
    if (stopping || isRunning(pid, dir)) return
    clearInterval(timer)
    options.onChange?.('died')
    returning = restart(server, options, () => stopping).then(found => {
      if (found === undefined) return undefined
      pid = found
      timer = watch()
      return options.onChange?.('returned')
    })
  }
  const watch = () =>
    options.watch === false ? undefined : setInterval(check, checkMilliseconds).unref()
  let timer = watch()
  const reserve = options.ballast === true ? keepBallast(dir, options.log) : undefined
  return {
    get pid() {
      return pid
    },
    async stop() {
      stopping = true
      clearInterval(timer)
      clearInterval(reserve)
      await returning
      await stopProcess(pid, dir)
    },
  }
}

/** Reserves the space when the disk has room for it: at startup and after each release. */
function keepBallast(dir: string, log: KeepOptions['log']) {
  let running = false
  const reserve = async () => {
    if (running) return
    running = true
    await reserveBallast(dir)
      .catch((error: unknown) => log?.(reasonOf(error)))
      .finally(() => (running = false))
  }
  void reserve()
  return setInterval(() => void reserve(), reserveSeconds * 1000).unref()
}

/** Retries until the server runs or this process stops, because the cause can last: a dead server's
 *  children hold its shared memory until they exit, and a disk may stay full for days. */
async function restart(
  server: Server,
  { log, pause = Bun.sleep }: KeepOptions,
  isStopping: () => boolean,
): Promise<number | undefined> {
  let reason = ''
  for (let delay = delayMillisecondsMin; !isStopping(); delay *= 2) {
    await pause(Math.min(delay, delayMillisecondsMax))
    if (isStopping()) return undefined
    try {
      return await startAgain(server, log)
    } catch (error) {
      const found = reasonOf(error)
      if (found !== reason) log?.(found)
      reason = found
    }
  }
  return undefined
}

async function startAgain(server: Server, log: KeepOptions['log']): Promise<number> {
  const lock = await waitForLock(`${server.dir}.lock`, lockSecondsMax)
  try {
    if (releaseBallast(server.dir)) {
      log?.('The disk is full. The reserved space was released so PostgreSQL can recover.')
    }
    const started = runningServer(server.dir) ?? (await launch(server))
    await untilReady(server.dir, started)
    return started.pid
  } finally {
    lock?.release()
  }
}

const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error))
