#!/usr/bin/env node
// The entry: what needs no command is answered at once, everything else by program.ts.

import { columnsOf } from './environment.ts'
import { rootHelp } from './root-help.ts'
import { version } from './version.ts'

const [first, ...rest] = process.argv.slice(2)

// A reader that has seen enough, such as `head`, closes the pipe: that is no failure.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0)
    throw error
  })
}

const isAlone = rest.length === 0
if (isAlone && (first === '--version' || first === '-V')) process.stdout.write(`${version}\n`)
else if (first === undefined || (isAlone && ['--help', '-h', 'help'].includes(first))) {
  process.stdout.write(rootHelp(columnsOf(process.stdout, 80)))
} else {
  const { run } = await import('./program.ts')
  const code = await run(process.argv.slice(2))
  // Ends also while a call to the keychain that was given up still waits.
  process.stdout.write('', () => process.exit(code))
}
