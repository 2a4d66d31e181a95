// Runs a command against its own platform, as CI does.

import { spawn } from 'node:child_process'
import { environment } from '../environment.ts'
import { usage } from '../errors.ts'
import type { Access } from './platform.ts'

/** Returns the program's exit code, or the shell's code if a signal ended it. */
export function runWith(words: readonly string[], { url, key }: Access): Promise<number> {
  const [program = '', ...rest] = words
  return new Promise((resolve, reject) => {
    const child = spawn(program, rest, {
      stdio: 'inherit',
      env: { ...environment, SVC_BASE_URL: url, SVC_API_KEY: key },
    })
    child.once('error', (error: NodeJS.ErrnoException) => {
      reject(usage(`couldn't start ${program} (${error.code})`))
    })
    child.once('exit', (code, signal) => resolve(code ?? (signal === 'SIGINT' ? 130 : 143)))
  })
}
