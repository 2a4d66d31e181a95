// Keeps a worker process beside the gateway: starts it again when it dies, stops it with the house.
import { type ChildProcess, spawn } from 'node:child_process'
import path from 'node:path'
import type { Log } from '#http/log.ts'

const program = path.join(import.meta.dir, '../commands/worker.ts')
const pauseSecondsMin = 0.5
const pauseSecondsMax = 15
/** A worker that lived that long had no fault that a longer pause would spare us. */
const steadySeconds = 60
const stopSecondsMax = 20

export type BookingDetails = {
  /** Of the process as it is now; undefined between two of them. */
  readonly pid: number | undefined
  stop(): Promise<void>
}

export function keepWorker(environment: Record<string, string>, log: Log): BookingDetails {
  let child: ChildProcess | undefined
  let pause = pauseSecondsMin
  let timer: ReturnType<typeof setTimeout> | undefined
  let stopping = false
  const launch = () => {
    const started = performance.now()
    // The channel tells the worker that we are gone, even when we are killed.
    child = spawn(process.execPath, [program], {
      env: environment,
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    child.once('exit', (code, signal) => {
      child = undefined
      if (stopping) return
      const seconds = (performance.now() - started) / 1000
      pause = seconds > steadySeconds ? pauseSecondsMin : Math.min(pause * 2, pauseSecondsMax)
      log.event('worker.died', { code: code ?? undefined, signal: signal ?? undefined })
      timer = setTimeout(launch, pause * 1000)
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
      if (child === undefined) return
      const ended = Promise.withResolvers<void>()
      const late = setTimeout(() => child?.kill('SIGKILL'), stopSecondsMax * 1000)
      child.once('exit', () => ended.resolve())
      child.kill('SIGTERM')
      await ended.promise
      clearTimeout(late)
    },
  }
}
