// `node deploy/run.mjs <file> …`: installs missing packages, then runs a program of this
// repository, so that the commands of README.md work in a new checkout.
import { spawn } from 'node:child_process'
import { helpOf } from './help.mjs'
import { install, root, stop } from './install.mjs'

helpOf(process.argv[2] ?? 'deploy/run.mjs')
const bun = await install()
const child = spawn(bun, process.argv.slice(2), { cwd: root, stdio: 'inherit' })
// The terminal sends Ctrl-C to both; the program decides when it ends.
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => void (signal === 'SIGTERM' && child.kill(signal)))
}
child.on('error', error => stop(`${process.argv[2]} could not be started: ${error.message}`))
child.on('close', code => process.exit(code ?? 1))
