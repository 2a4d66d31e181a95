#!/usr/bin/env node
// The entry point: prints help or the version itself, and leaves everything else to program.ts.

import { columnsOf, outputFailed, writeOut } from './environment.ts'
import { rootHelp } from './root-help.ts'
import { version } from './version.ts'

const [first, ...rest] = process.argv.slice(2)

// A reader such as `head` may close the pipe early, which isn't a failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0)
  outputFailed(error)
})
// A message that can't be written doesn't change the exit code.
process.stderr.on('error', () => {})

const isAlone = rest.length === 0
if (isAlone && (first === '--version' || first === '-V')) writeOut(`${version}\n`)
else if (first === undefined || (isAlone && ['--help', '-h', 'help'].includes(first))) {
  writeOut(rootHelp(columnsOf(process.stdout, 80)))
} else {
  const { run } = await import('./program.ts')
  const code = await run(process.argv.slice(2))
  // Exits even while an abandoned keychain call is still waiting.
  process.stdout.write('', () => process.exit(code))
}
