// Runs a program and every process that it starts, with a time limit.
import { spawn } from 'node:child_process'

export type Ending = { code: number; output: string; seconds: number; timedOut: boolean }

export type ProgramOptions = {
  folder: string
  temporary: string
  secondsMax: number
  signal: AbortSignal
}

/** Waits for the program to exit, or kills it and its children after `secondsMax`. */
export function runProgram(command: readonly string[], options: ProgramOptions): Promise<Ending> {
  const { folder, temporary, secondsMax, signal } = options
  const [program = '', ...args] = command
  const started = performance.now()
  return new Promise((resolve, reject) => {
    // A separate process group, so processes started by a test end with the test.
    const child = spawn(program, args, {
      cwd: folder,
      env: { ...process.env, TMPDIR: temporary, FORCE_COLOR: '0' },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    })
    let output = ''
    let timedOut = false
    const end = () => endGroup(child.pid)
    const timer = setTimeout(() => {
      timedOut = true
      end()
    }, secondsMax * 1000)
    signal.addEventListener('abort', end)
    for (const stream of [child.stdout, child.stderr]) stream.on('data', data => (output += data))
    child.on('error', reject)
    child.on('exit', code => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      end()
      const seconds = (performance.now() - started) / 1000
      // Waits for the output that is still in the pipe.
      setImmediate(() => resolve({ code: code ?? 1, output, seconds, timedOut }))
    })
  })
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch (error) {
    // The group has already ended.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}
