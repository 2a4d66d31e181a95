// Supervises a worker process alongside the gateway: restarts it after it exits, and stops it on
// shutdown.
import { type ChildProcess, spawn } from 'node:child_process'
import path from 'node:path'
import type { Log } from '#http/log.ts'

const program = path.join(import.meta.dir, '../commands/worker.ts')
const restartSecondsMin = 0.5
const restartSecondsMax = 15
/** A worker that ran this long didn't fail at startup, so the restart delay is reset. */
const stableSeconds = 60
const stopSecondsMax = 20

type WorkerProcess = {
  /** Undefined while no process runs. */
  readonly pid: number | undefined
  stop(): Promise<void>
}

export function superviseWorker(environment: Record<string, string>, log: Log): WorkerProcess {
  let child: ChildProcess | undefined
  let delay = restartSecondsMin
  let timer: ReturnType<typeof setTimeout> | undefined
  let stopping = false
  const launch = () => {
    const started = performance.now()
    // The IPC channel closes when this process ends, even if it's killed, and the worker then
    // stops.
    const begun = spawn(process.execPath, [program], {
      env: environment,
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    child = begun
    const ended = (how: Parameters<Log['event']>[1]) => {
      child = undefined
      if (stopping) return
      const seconds = (performance.now() - started) / 1000
      delay = seconds > stableSeconds ? restartSecondsMin : Math.min(delay * 2, restartSecondsMax)
      log.event('worker.exited', how)
      timer = setTimeout(launch, delay * 1000)
    }
    begun.once('exit', (code, signal) =>
      ended({ code: code ?? undefined, signal: signal ?? undefined }),
    )
    // A worker that couldn't start has no exit event. An error without a listener would stop the
    // gateway.
    begun.on('error', failure => {
      if (begun.pid === undefined) ended({ reason: failure.message })
    })
  }
  launch()
  return {
    get pid() {
      return child?.pid
    },
    async stop() {
      stopping = true
      clearTimeout(timer)
      if (child?.pid === undefined) return
      const exited = Promise.withResolvers<void>()
      const timeout = setTimeout(() => child?.kill('SIGKILL'), stopSecondsMax * 1000)
      child.once('exit', () => exited.resolve())
      child.kill('SIGTERM')
      await exited.promise
      clearTimeout(timeout)
    },
  }
}
